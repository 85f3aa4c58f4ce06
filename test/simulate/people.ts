import type { Hono } from 'hono';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import type { Slack } from '../../src/sandbox/playground/slack.ts';
import { personOn, type Someone, textOf } from '../person.ts';
import {
  changedTime,
  cloneLine,
  cloneName,
  confirms,
  databases,
  fieldsShown,
  momentOf,
  mountOf,
  nameOf,
  opens,
  reason,
  restoreLine,
  says,
  signsIn,
  stepInputs,
  submits,
  tries,
} from './gestures.ts';
import { lineTo, patience } from './line.ts';
import type { Act, PersonName } from './plan.ts';
import { wanders } from './wander.ts';

/** What came of an act, as the person saw it. */
export type Deed = { readonly act: Act; readonly beganAt: number; endedAt?: number; isTaken: boolean; why?: string };

/** How long they wait for the message of a lease, which may be a while in coming. */
const leasePatience = 120_000;

/** What people need to do what a plan says. */
export type Places = Readonly<{
  slack: Slack;
  play: Hono;
  /** Where the cards of approvals stand. */
  approvalChannel: string;
  /** Identifiers of planted records, by their names. */
  idOf(name: string): string;
  /** The act that another one names. */
  find(id: string): Act | undefined;
}>;

/** The people of a world. Each does one thing at a time. */
export type People = Readonly<{
  perform(act: Act): Promise<void>;
  /** Everybody stops looking for what may never have arrived. */
  giveUp(): Promise<void>;
  deeds: readonly Deed[];
}>;

/** Which page of a request somebody sees. */
function pageShown(someone: Someone): Readonly<{ page: number; last: number }> | undefined {
  const [title, page = '1', last = '1'] =
    /"Request(?:, (\d+) of (\d+))?"/.exec(JSON.stringify(someone.sees().views.at(-1)?.view ?? '')) ?? [];
  return title === undefined ? undefined : { page: Number(page), last: Number(last) };
}

/** The button that leads to a request which has no room on its card. */
const readAll = 'Read all and decide…';

/** How often they try to sign in. */
const mostSignIns = 3;
/** Lets the people in. */
export async function enter({ slack, play, approvalChannel, idOf, find }: Places): Promise<People> {
  const line = lineTo(slack, play);
  const deeds: Deed[] = [];
  const crowd = new Map<PersonName, Someone>();
  const queues = new Map<PersonName, Promise<void>>();
  for (const name of ['Ana', 'Ben', 'Chi', 'Dev', 'Eve'] as const) crowd.set(name, await personOn(line, name));

  const somebody = (name: PersonName) => {
    const someone = crowd.get(name);
    if (!someone) throw new Error(`there is no ${name}`);
    return someone;
  };
  /** Waits for a message about a request that has one of these buttons. */
  async function messageWith(
    someone: Someone,
    of: string,
    buttons: string | readonly string[],
    channels: readonly string[],
  ) {
    const asked = find(of);
    const name = (asked?.act === 'renew' ? cloneOf(asked.of) : nameOf(asked)) ?? of;
    const isIt = (message: Message) =>
      textOf(message).includes(name) && [buttons].flat().some(button => textOf(message).includes(button));
    const seen = () => channels.flatMap(channel => someone.messages(channel)).findLast(isIt);
    return { message: await someone.until(seen, `the card of ${name}`, 2 * patience) };
  }
  const cardOf = (someone: Someone, of: string) =>
    messageWith(someone, of, ['Approve…', readAll], [approvalChannel, databases]);

  /** Reads a request to its last page, where it can be approved. */
  async function readsAll(someone: Someone, card: Parameters<Someone['presses']>[1]): Promise<void> {
    await someone.presses(readAll, card);
    for (let page = 1; ; page++) {
      const isShown = () => pageShown(someone)?.page === page && pageShown(someone);
      const { last } = await someone.until(isShown, `page ${page} of the request`);
      if (last === page) break;
      await someone.presses(`Page ${page + 1} of ${last}…`);
    }
    return submits(someone);
  }

  /** The name of the clone that an act asks for. */
  const cloneOf = (of: string) => {
    const asked = find(of);
    return asked?.act === 'clone' ? cloneName(asked.port) : of;
  };

  /** The name of the workflow that an act runs. */
  const flowOf = (of: string) => {
    const asked = find(of);
    return asked?.act === 'run step' ? asked.workflow : of;
  };

  async function performNow(someone: Someone, act: Act): Promise<void> {
    switch (act.act) {
      case 'sign in':
        return tries(() => signsIn(someone, act), mostSignIns);
      case 'sign out':
        return someone.types(databases, '/db logout');
      case 'wander':
        return wanders(someone, act);
      case 'list':
        return someone.types(databases, '/db list');
      case 'alerts':
        return someone.types(databases, `/db alerts ${act.how}`);
      case 'back up':
        return someone.types(databases, `/db backup ${idOf(act.record)}`);
      case 'back up several': {
        const ids = act.records.map(idOf);
        await opens(someone, `/db backup ${ids.join(', ')}`, ids[0] ?? '');
        return submits(someone, act.twice);
      }
      case 'press alert':
        return someone.presses(act.button, await messageWith(someone, act.of, act.button, [databases]));
      case 'clone':
        await opens(someone, cloneLine(act), mountOf(act.port, act.word));
        return submits(someone, act.twice);
      case 'restore':
        await opens(someone, restoreLine(idOf(act.record), act.first === true), idOf(act.record));
        await someone.submits();
        return confirms(someone, idOf(act.record), act.twice);
      case 'delete':
        await opens(someone, `/db delete ${idOf(act.record)}`, idOf(act.record));
        return confirms(someone, act.record, act.twice);
      case 'tear down':
        await opens(someone, `/db teardown ${idOf(act.record)}`, idOf(act.record));
        // Where the records of a large tree come late, the form begins with its first page.
        if (!('confirm' in fieldsShown(someone))) await someone.submits();
        return confirms(someone, act.record, act.twice);
      case 'renew':
        await opens(someone, `/db renew ${cloneOf(act.of)}`, cloneOf(act.of));
        await someone.submits();
        await someone.until(() => says(someone.sees().views.at(-1)?.view, 'after the one before'), 'the last page');
        if ('confirm' in fieldsShown(someone)) await someone.fills({ confirm: cloneOf(act.of) });
        if ('reason' in fieldsShown(someone)) await someone.fills({ reason });
        return submits(someone);
      case 'decide': {
        const card = await cardOf(someone, act.of);
        if (act.how === 'approve' && textOf(card.message).includes(readAll)) return readsAll(someone, card);
        const presses = () => someone.presses(act.how === 'approve' ? 'Approve…' : 'Deny…', card);
        const clicks = act.twice && act.how === 'approve' ? [presses(), presses()] : [presses()];
        await Promise.any(clicks);
        if (act.how === 'approve') return;
        await someone.fills({ reason });
        return submits(someone, act.twice);
      }
      case 'withdraw':
        return someone.presses('Withdraw', await cardOf(someone, act.of));
      case 'press':
        return someone.presses(act.button, await messageWith(someone, act.of, act.button, [databases]));
      case 'keep':
        return someone.types(databases, `/db lease ${cloneOf(act.of)} until=${momentOf(act.until)}`);
      case 'press lease': {
        const isIt = (message: Message) =>
          [cloneOf(act.of), act.button].every(words => textOf(message).includes(words));
        const seen = () => someone.messages('@dolly').findLast(isIt);
        const message = await someone.until(seen, `the message about ${cloneOf(act.of)}`, leasePatience);
        return someone.presses(act.button, { message });
      }
      case 'schedule':
        return someone.types(
          databases,
          `/db schedule backup ${idOf(act.record)} every=15m zone=UTC${act.byAccount ? ' as=service' : ''}`,
        );
      case 'press schedule': {
        const title = `Backup of ${nameOf(find(act.of))}`;
        const before = someone.messages(databases).length;
        await someone.types(databases, '/db schedules');
        const isIt = (message: Message) => [title, act.button].every(words => textOf(message).includes(words));
        const seen = () => someone.messages(databases).slice(before).findLast(isIt);
        await someone.presses(act.button, { message: await someone.until(seen, `the list with ${title}`) });
        if (act.button !== 'Change…') return;
        await someone.until(() => someone.hasModal(), 'the form of the schedule');
        await someone.fills({ at: changedTime });
        return submits(someone);
      }
      case 'run step': {
        const inputs = {
          workflow: act.workflow,
          person: somebody(act.as).id,
          ...stepInputs(act, idOf(act.record)),
          ...(act.step === 'wait_until' ? {} : { account: act.byAccount === true }),
        };
        const steps = [{ function: act.step, inputs }];
        const workflow = await someone.buildsWorkflow({ name: act.workflow, steps });
        await someone.runsWorkflow(workflow, { channel: databases });
        return;
      }
      case 'answer step': {
        const isIt = (message: Message) =>
          ['Let the workflow', flowOf(act.of), act.button].every(words => textOf(message).includes(words));
        const seen = () => someone.messages('@dolly').findLast(isIt);
        const message = await someone.until(seen, `the question of ${flowOf(act.of)}`, leasePatience);
        return someone.presses(act.button, { message });
      }
      case 'change leave': {
        const words = [flowOf(act.of), `"text":"${act.button}"`];
        const isShown = () => words.every(one => says(someone.sees().home, one));
        const opens = async () => {
          await someone.opensHome();
          return someone.until(isShown, `${flowOf(act.of)} in Home`);
        };
        // An opening may be lost with the power: who sees an old Home opens it once more.
        await opens().catch(opens);
        return someone.presses(act.button, { home: true });
      }
      case 'end tokens':
      case 'forge':
      case 'leave group':
      case 'change':
      case 'break':
      case 'lose clone':
        // These are the operator's.
        return;
    }
  }

  async function perform(act: Act): Promise<void> {
    if (!('who' in act)) return;
    const someone = somebody(act.who);
    // What an earlier command opened too late is closed first.
    if (someone.hasModal()) await someone.cancels(true).catch(() => undefined);
    const deed: Deed = { act, beganAt: Date.now(), isTaken: false };
    deeds.push(deed);
    try {
      await performNow(someone, act);
      deed.isTaken = true;
    } catch (error) {
      deed.why = error instanceof Error ? error.message : String(error);
    }
    deed.endedAt = Date.now();
    // Whatever is still open is closed: people do not leave forms about.
    if (someone.hasModal()) await someone.cancels(true).catch(() => undefined);
  }

  return {
    deeds,
    perform(act) {
      if (!('who' in act)) return Promise.resolve();
      const done = (queues.get(act.who) ?? Promise.resolve()).then(() => perform(act));
      queues.set(act.who, done);
      return done;
    },
    async giveUp() {
      for (const someone of crowd.values())
        for (const message of someone.messages(databases).filter(({ blocks }) => says(blocks, 'Stop checking')))
          await someone.presses('Stop checking', { message }).catch(() => undefined);
    },
  };
}
