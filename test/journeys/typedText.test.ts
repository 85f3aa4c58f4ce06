import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openLog } from '../../src/ground/log.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { said, tells } from './talking.ts';

/* What people type: passwords that nothing repeats, and texts that are as long as Slack lets them be. */

const log: string[] = [];
let earth: World;
let ana: Someone;
let gus: Someone;
const databases = 'C0DATABASE';

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  earth = await world({ environment: { LOG_LEVEL: 'trace' }, surroundings: { log: openLog('trace', stream) } });
  ana = await earth.enters('Ana', 'ana');
  gus = await earth.enters('Gus');
});
afterAll(() => earth.close());

/** All bytes of the store. */
function stored(): string {
  const folder = earth.environment.DATA_DIR ?? '';
  return readdirSync(folder)
    .map(name => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

/** Sends a mention as Slack does; gives the answer to it. */
async function mentions(text: string, change: Record<string, string> = {}) {
  const ts = `${Math.floor(earth.clock.now() / 1_000)}.${String(mentions.count++).padStart(6, '0')}`;
  const { channel = databases } = change;
  const before = said(earth, channel).length;
  const event = { type: 'app_mention', user: ana.id, channel, ts, text: `<@U0DOLLY001> ${text}`, ...change };
  expect(await tells(earth, event, { event_id: `Ev${ts}` })).toBe(200);
  return earth.until(() => said(earth, channel)[before], 'an answer');
}
mentions.count = 1;

describe('a password that is typed behind a sign-in is in no answer, log, row or entry:', () => {
  const lines = [
    'login alice hunter22',
    'LOGIN alice hunter22',
    'lgoin alice hunter22',
    'log in alice hunter22',
    'l o g i n  alice   hunter22',
    'sing in alice hunter22',
    'login:alice:hunter22',
    'login user=alice password=hunter22',
    'logn user=alice PassWord = hunter22',
    'pasword=hunter22',
    'help login alice hunter22',
    'why login alice hunter22',
    'schedule login alice hunter22 every=day',
    'show orders password: hunter22',
    'login password: hunter22',
    'login alice my password is hunter22',
    'sign me in with password hunter22',
    'passwort=hunter22',
    'hunter22 is my password',
    'backpu shop password hunter22',
    'report daily at=08:30 password hunter22',
    'alerts on password hunter22',
    'why backup ora-prod-01 -phunter22',
    'presets my password is hunter22',
    'audit password hunter22',
    'lease shop-users 3d passwort hunter22',
    'backup shop-users reason="my password is hunter22"',
  ];

  test.each(lines)('a password in “/db %s” is met with a warning that does not repeat it', async line => {
    const answer = await answerTo(ana, `/db ${line}`, '#dev');
    expect(JSON.stringify(answer)).not.toContain('hunter22');
    expect(JSON.stringify(answer.blocks)).toContain('looks like a password');
  });

  test.each(lines)('a password in “@Dolly %s” is met with a warning', async line => {
    const answer = await mentions(line);
    expect(answer.text).toContain('looks like a password');
  });

  test('a warning about a typed password says at which word it stands, in a mention and a slash command', async () => {
    await earth.clock.advance(15_000);
    expect((await mentions('show ora-prod-01 -phunter22')).text).toContain('at word 3');
    expect(JSON.stringify(await answerTo(ana, '/db show ora-prod-01 -phunter22', '#dev'))).toContain('at word 3');
  });

  test.each(['show ora-prod-01', 'why backup "orcl-pdb1"', 'backup x-prod.eu'])(
    'a name with -p within it is taken for no password (%s)',
    async line => {
      // Nobody may ask for much at once.
      await earth.clock.advance(15_000);
      const [, name = ''] = /([^ "]+)"?$/.exec(line) ?? [];
      for (const answer of [await mentions(line), await answerTo(ana, `/db ${line}`, '#dev')]) {
        expect(JSON.stringify(answer)).not.toContain('looks like a password');
        expect(JSON.stringify(answer)).toContain(name);
      }
    },
  );

  test.each(['pass auf, nicht jetzt', 'pass on that for today'])(
    '“stop … %s” does nothing by itself, and says what would be left of it',
    async rest => {
      const { databases } = earth.service.service.estate;
      const name =
        databases.values().find(({ id, state }) => id.includes('_CLONE_') && state === 'RUNNING')?.name ?? '';
      const before = earth.writes().length;
      for (const answer of [
        await mentions(`stop ${name} ${rest}`),
        await answerTo(ana, `/db stop ${name} ${rest}`, '#dev'),
      ])
        expect(JSON.stringify(answer)).toContain(`have done nothing yet. This is left: \`stop ${name}\``);
      expect(earth.writes()).toHaveLength(before);
    },
  );

  test('a password in a thread or in a direct message is met with a warning', async () => {
    await ana.types('#databases', 'who can help me?');
    const root = await ana.until(() => ana.messages('#databases').at(-1), 'the message');
    await ana.types('#databases', 'I try it here.', root);
    expect((await mentions('lgoin alice hunter22', { thread_ts: root.ts })).text).toContain('looks like a password');
    const count = ana.messages('@dolly').length;
    await ana.types('@dolly', 'login alice hunter22');
    const direct = await earth.until(() => ana.messages('@dolly')[count + 1], 'an answer');
    expect(direct.text).toContain('looks like a password');
    const edited = { edited: { user: ana.id, ts: '1795000001.000000' } };
    const event = { type: 'app_mention', user: ana.id, channel: databases, ts: '1795000000.000900' };
    const before = said(earth, databases).length;
    await tells(earth, { ...event, ...edited, text: '<@U0DOLLY001> logni alice hunter22' }, { event_id: 'Ev0CHANGED' });
    await earth.until(() => said(earth, databases)[before], 'the offer');
  });

  test('a person who is signed out and types a password is offered a sign-in', async () => {
    const ben = await earth.enters('Ben');
    const answer = await answerTo(ben, '/clone shop password=hunter22', '#dev');
    expect(answer.text).toContain('Sign in to the service');
  });

  test('no typed password stands in what Dolly sent, in its log or in its store', async () => {
    await earth.clock.advance(5_000);
    const sent = earth.playground.slack.traffic().filter(({ direction }) => direction !== 'to bot');
    for (const text of [JSON.stringify(sent), log.join(''), stored()]) expect(text.includes('hunter22')).toBe(false);
  });
});

describe('a text of 40,000 characters', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['quotes that never close', 'pwd=x „ “ '.repeat(4_000)],
    ['fields with quotes', 'a=“ '.repeat(10_000)],
    ['words for programs', `pwd=x ${'mysql-'.repeat(6_600)}`],
    ['blanks behind a password', `${'a'.repeat(60)}password=${' '.repeat(39_900)}x`],
    ['stars', `pwd=x ${'*a '.repeat(13_000)}`],
    ['ticks', 'pwd=x ```'.repeat(4_400)],
  ];

  /** The processor time that some work takes, in milliseconds, with the rest of the world. */
  async function costs(work: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  }

  test.each(texts)('a mention of 40,000 characters with %s is refused with a sentence, and soon', async (_, text) => {
    const cost = await costs(async () => {
      expect((await mentions(text)).text).toContain('too long: I read at most 4000 characters');
    });
    expect(cost).toBeLessThan(3_000);
  });

  test.each(texts)('a slash command of 40,000 characters with %s is refused as too long', async (_, text) => {
    const answer = await answerTo(ana, `/db ${text}`, '#dev');
    expect(answer.text).toContain('too long');
  });

  test.each(texts)('a mention of 3,900 characters with %s is read soon', async (_, text) => {
    const cost = await costs(() => mentions(text.slice(0, 3_900)));
    expect(cost).toBeLessThan(3_000);
  });

  test('a guest’s very long command gets the sentence for guests', async () => {
    const answer = await answerTo(gus, `/db ${'a=“ '.repeat(900).trim()}`, '#dev');
    expect(answer.text).toContain('Guests of this workspace cannot use me');
    const mention = await mentions('pwd=x „ “ '.repeat(4_000), { user: gus.id, channel: 'C0DEV00001' });
    expect(mention.text).toContain('Guests of this workspace cannot use me');
  });
});
