import { afterEach, describe, expect, test } from 'vitest';
import type { Surroundings } from '../../src/app/app.ts';
import { openStorage } from '../../src/app/storage.ts';
import { second } from '../../src/ground/durations.ts';
import type { Store } from '../../src/store/database.ts';
import { hasPostgres } from '../postgresServer.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { quickLine, submitsClone } from './clones.ts';

/*
 * A process that stands still while others go on: it was paused, or its machine was. What it had in hand is in other
 * hands within half a minute, and whatever it was about to say or to send then is said and sent once.
 */

/** The longest time until another process has what a frozen one had in hand. */
const handover = 30 * second;

/** A process whose every statement waits while it is frozen. It freezes by itself once a statement has made `when` true. */
function freezer() {
  let thawed: PromiseWithResolvers<void> | undefined;
  let when: ((store: Store) => Promise<boolean>) | undefined;
  const standsStill = async (store: Store) => {
    if (when && (await when(store))) {
      when = undefined;
      thawed = Promise.withResolvers();
    }
    await thawed?.promise;
  };
  return {
    /** What begins with this process, as its surroundings. */
    surroundings: {
      async openStorage(...given) {
        const storage = await openStorage(...given);
        const executor = storage.store.getExecutor();
        const provide = executor.provideConnection.bind(executor);
        let isAsking = false;
        const around = async () => {
          if (isAsking) return;
          isAsking = true;
          await standsStill(storage.store).finally(() => {
            isAsking = false;
          });
        };
        const freezing: typeof provide = async (consumer, how) => {
          await thawed?.promise;
          const done = await provide(consumer, how);
          if (when) await around();
          await thawed?.promise;
          return done;
        };
        Object.assign(executor, { provideConnection: freezing });
        return storage;
      },
    } satisfies Surroundings,
    freezesWhen(is: (store: Store) => Promise<boolean>) {
      when = is;
    },
    isFrozen: () => thawed !== undefined,
    thaws() {
      thawed?.resolve();
      thawed = undefined;
    },
  };
}

/** Whether a job of this state stands in the store, which a process has taken. */
const hasJob = (state: 'new' | 'approved' | 'sending') => async (store: Store) => {
  const taken = store.selectFrom('jobs').select('id').where('state', '=', state).where('fence', '>', 0);
  return (await taken.execute()).length > 0;
};

let earth: World;
afterEach(() => earth.close());

/** A world whose first bot, which Slack calls, can be frozen. */
async function begins(store: 'embedded' | 'PostgreSQL') {
  const surroundings: Surroundings = {};
  const bot = freezer();
  Object.assign(surroundings, bot.surroundings);
  earth = await world({ store, surroundings, environment: approvalKeys });
  // Those that join later are never frozen.
  Object.assign(surroundings, { openStorage });
  const ana = await earth.enters('Ana', 'ana');
  return { bot, ana };
}

/** Lets Ana ask for a clone, the bot freeze once the job stands so, and the time of a handover pass. */
async function freezes({ bot, ana }: Awaited<ReturnType<typeof begins>>, state: 'new' | 'sending', port: number) {
  bot.freezesWhen(hasJob(state));
  await submitsClone(ana, '#databases', quickLine(port), {});
  await earth.until(bot.isFrozen, 'the freeze');
  await earth.clock.advance(handover);
}

describe.runIf(hasPostgres)('a process on PostgreSQL that freezes', () => {
  test('a process that froze while sending sends nothing once another has told that it was interrupted', async () => {
    const here = await begins('PostgreSQL');
    const other = await earth.joins();
    await freezes(here, 'sending', 3480);
    const [card, ...more] = earth.cards('#databases');
    expect(more).toEqual([]);
    expect(card && earth.text(card)).toContain('interrupted while it was sending');
    here.bot.thaws();
    await earth.clock.advance(handover);
    expect(earth.writes()).toEqual([]);
    await other.stop();
  });

  test('a process that froze before it sent leaves the job to another, and the job is sent and told once', async () => {
    const here = await begins('PostgreSQL');
    const other = await earth.joins();
    await freezes(here, 'new', 3481);
    expect(earth.writes()).toHaveLength(1);
    here.bot.thaws();
    await earth.until(() => earth.cards('#databases').some(card => earth.replies(card).length > 0), 'its end');
    await earth.clock.advance(handover);
    expect(earth.writes()).toHaveLength(1);
    expect(earth.cards('#databases')).toHaveLength(1);
    expect(earth.cards('#databases').flatMap(card => earth.replies(card))).toHaveLength(1);
    await other.stop();
  });

  test('a click whose process froze is answered once, by another process', async () => {
    const { bot, ana } = await begins('PostgreSQL');
    const dev = await earth.enters('Dev', 'dev');
    const { card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    const other = await earth.joins();
    bot.freezesWhen(hasJob('approved'));
    const answer = clicks(dev, card, 'Approve');
    await earth.until(bot.isFrozen, 'the freeze');
    await earth.clock.advance(handover);
    expect(await answer).not.toBe('');
    bot.thaws();
    await earth.clock.advance(handover);
    const answers = dev.messages(approvalChannel).filter(({ onlyFor }) => onlyFor === dev.id);
    expect(answers).toHaveLength(1);
    expect(earth.writes()).toHaveLength(1);
    await other.stop();
  });
});

test('a process that is alone on its store and freezes while sending goes on, and sends once', async () => {
  const here = await begins('embedded');
  await freezes(here, 'sending', 3482);
  here.bot.thaws();
  await earth.until(() => earth.cards('#databases').some(card => earth.replies(card).length > 0), 'its end');
  expect(earth.writes()).toHaveLength(1);
  expect(earth.cards('#databases')).toHaveLength(1);
});
