import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { day } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { approvalChannel, approvalKeys } from '../journeys/approvals.ts';
import { answerTo, asks } from '../journeys/asking.ts';
import { quickLine } from '../journeys/clones.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import type { World } from '../world.ts';
import { plantBatch } from './batches.ts';
import { plantClone } from './renewals.ts';
import { endsIn, isOver } from './report.ts';
import { plantLive, type Restore } from './restores.ts';
import { plantTree } from './teardowns.ts';

/* Ben asks for each kind of what can wait for approval, of records that nobody else's work is about. Two people approve. */

const policy = `approvals: 2
rules:
  - operation: database.refresh
    decision: approve
  - operation: clone.create
    decision: approve
leases:
  - title: clones live for two weeks
    longest: 2w
`;

/** The environment of a bot by whose policy all of that waits, with a service account. */
export function waitingEnvironment(): Record<string, string> {
  const folder = scratchFolder('waiting');
  const [rules, password] = [join(folder, 'policy.yml'), join(folder, 'password')];
  writeFileSync(rules, policy);
  writeFileSync(password, 'chi-password\n', { mode: 0o600 });
  return { ...approvalKeys, POLICY_FILE: rules, SERVICE_USER: 'chi', SERVICE_PASSWORD_FILE: password };
}

/** A request that waits, and what comes of it. */
export type Waiting = Readonly<{
  card: StoredMessage;
  /** The writes of which each is to be sent once, if it is approved: an endpoint with what its request names. */
  writes: readonly (readonly [endpoint: string, names: string])[];
  /** The end of which people are told, once they are: `done`, `denied`, or what else they read. */
  ends(): End | Promise<End>;
}>;
type End = string | undefined;

/** Adds the records of one request to the service, and gives how Ben asks for it. */
type Plants = (earth: World, number: number) => (ben: Someone) => Promise<Omit<Waiting, 'card'>>;

/** Lets a person do at the service all that is asked for here. */
export function mayDoAll({ service: { service } }: World, username: string): void {
  for (const user of service.estate.users.values()) if (user.username === username) user.role = 'DBA';
}

/** What waits, by its kind: how Ben asks for it. */
const plants = {
  deletion(earth, number) {
    const { name, database } = plantLive(earth, `gone${number}`);
    return async ben => {
      const own = await asks(earth, ben, `/db delete ${database}`, { name });
      return { writes: [['delete', database]], ends: () => endOf(earth, own) };
    };
  },
  plan(earth, number) {
    const tree = plantTree(earth, `tree${number}`);
    const name = `${tree.name}-branch`;
    return async ben => {
      const own = await asks(earth, ben, `/db teardown ${name}`, { name });
      return { writes: tree.records.slice(0, 2).map(record => ['delete', record]), ends: () => endOf(earth, own) };
    };
  },
  batch(earth, number) {
    return refreshes(earth, plantBatch(earth, `batch${number}`).targets);
  },
  schedule(earth, number) {
    const { name, database } = plantLive(earth, `night${number}`);
    return async ben => {
      await answerTo(ben, `/db schedule backup ${name} every=day at=04:00 zone=UTC as=service reason="By night."`);
      const ends = async () => {
        const list = textOf(await answerTo(ben, `/db schedules ${name}`));
        return list.includes('not approved') ? 'denied' : list.includes('next ') ? 'done' : undefined;
      };
      return { writes: [['sync', database]], ends };
    };
  },
  lease(earth, number) {
    const { name } = plantClone(earth, 7_000 + number);
    return async ben => {
      const until = new Date(Date.now() + 28 * day).toISOString().slice(0, 10);
      await ben.presses('Ask for approval…', { message: await answerTo(ben, `/db lease ${name} ${until}`) });
      await ben.fills({ reason: 'The audit takes four weeks.' });
      const before = earth.cards('#databases').length;
      await ben.submits();
      const own = await earth.until(() => earth.cards('#databases')[before], `the wish for ${name}`);
      const isKept = async () => textOf(await answerTo(ben, `/db lease ${name}`)).includes(until);
      const ends = async () => {
        const text = earth.text(own);
        return text.includes('Denied')
          ? 'denied'
          : text.includes('is kept longer') && (await isKept())
            ? 'done'
            : undefined;
      };
      return { writes: [], ends };
    };
  },
  step(earth, number) {
    const { name, database } = plantLive(earth, `step${number}`);
    return async ben => {
      const inputs = { workflow: name, person: ben.id, database, account: true };
      const workflow = await ben.buildsWorkflow({ name, steps: [{ function: 'back_up', inputs }] });
      const { id } = await ben.runsWorkflow(workflow);
      const isAsked = (text: string) => text.includes('Let the workflow') && text.includes(name);
      const asked = () => ben.messages('@dolly').find(one => isAsked(textOf(one)));
      await ben.presses('Allow', { message: await earth.until(asked, 'the question') });
      const step = () => earth.playground.slack.runs().find(run => run.id === id)?.steps[0];
      const meant = { running: undefined, completed: 'done', failed: 'denied' } as const;
      const ends = () => meant[step()?.state ?? 'running'];
      return { writes: [['sync', database]], ends };
    };
  },
  secret(earth, number) {
    const { name } = plantLive(earth, `secret${number}`);
    return async ben => {
      const port = 5_000 + number;
      const line = quickLine(port).replace('shop', name);
      const fields = { databaseParams: 'password=hunter22', reason: 'For the test.' };
      const own = await asks(earth, ben, line, { fields });
      return { writes: [['clone/create', `"port":${port}`]], ends: () => endOf(earth, own) };
    };
  },
  /** The card of 0.2.0 has *Approve…*, that of the present release leads to pages. */
  long(earth, number) {
    const names = Array.from({ length: 22 }, (_, at) => `long${number}-${at}-${'x'.repeat(380)}`);
    return refreshes(
      earth,
      names.map(name => plantLive(earth, name)),
    );
  },
} satisfies Record<string, Plants>;

export type Kind = keyof typeof plants;
export const kinds: readonly Kind[] = ['deletion', 'plan', 'batch', 'schedule', 'secret', 'step', 'lease', 'long'];

/**
 * Adds the records of a request to the service, which Dolly has not read yet. Gives how Ben asks for it: then those who approve
 * have its card.
 */
export function plant(earth: World, kind: Kind, number: number): (ben: Someone) => Promise<Waiting> {
  const asks = plants[kind](earth, number);
  return async ben => {
    const before = earth.cards(approvalChannel).length;
    const asked = await asks(ben);
    const card = await earth.until(() => earth.cards(approvalChannel)[before], `the card of the ${kind}`);
    await earth.until(() => earth.text(card).includes('Deny…'), `the buttons of the ${kind}`);
    return { ...asked, card };
  };
}

function refreshes(earth: World, targets: readonly Restore[]): ReturnType<Plants> {
  return async ben => {
    const own = await asks(earth, ben, `/db refresh ${targets.map(({ database }) => database).join(' ')}`);
    return { writes: targets.map(({ database }) => ['refresh', database]), ends: () => endOf(earth, own) };
  };
}

/** The end that a job's message tells, and one reply. */
function endOf(earth: World, own: StoredMessage): End {
  const text = earth.text(own);
  if (!isOver(text) || endsIn(earth, own).length !== 1) return undefined;
  return text.includes('· Denied') ? 'denied' : /· (Confirmed|(all|both) .*confirmed)$/m.test(text) ? 'done' : text;
}
