import type { Message } from '../../src/sandbox/playground/protocol.ts';
import type { Someone } from '../person.ts';
import { begin } from './cast.ts';
import { addresses } from './faults.ts';
import type { Act, ActOf } from './plan.ts';

/* What people type, fill in and submit, and the words by which they know what a message is about. */

/** How often they type a line that opens a form, where Slack says that this failed. */
const mostTypings = 2;

/** The channel in which people work. */
export const databases = '#databases';
/** Why they do it. */
export const reason = 'It is not needed any more.';

/** What stands in every message about a request, and in no other one. */
export function nameOf(asked: Act | undefined): string | undefined {
  if (asked && 'record' in asked) return asked.record;
  return asked?.act === 'clone' ? mountOf(asked.port, asked.word) : undefined;
}

export const says = (blocks: unknown, words: string) => JSON.stringify(blocks ?? null).includes(words);

/** The words that fill the whole form of a clone. */
export function cloneLine({ port, word, until }: ActOf<'clone'>): string {
  const kept = until === undefined ? '' : ` keepFor=${momentOf(until)}`;
  return `/clone shop port=${port} mountBase=${mountOf(port, word)} targetEnvironment=HOST_ENVIRONMENT-4 install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8${kept}`;
}

/** A time of the world as people type it, to the minute. */
export function momentOf(time: number | null): string {
  return time === null ? 'none' : new Date(begin + time).toISOString().slice(0, 16);
}

/** The time of one run of a schedule that was changed: each quarter of an hour becomes so many minutes later. */
export const changedTime = '00:05';

/** The name that the service gives the clone on a port. */
export const cloneName = (port: number) => `shop-${port}`;

export const mountOf = (port: number, word: string) => `/mnt/c${port}${word === '' ? '' : `-${word}`}`;

/** @param isPlan whether a backup is made first */
export function restoreLine(id: string, isPlan: boolean): string {
  return `/restore ${id} objectType=MYSQL_SERVER_RECOVERY_PARAMS backUpFirst=${isPlan}`;
}

/** What the step of a workflow works on, as its maker fills it in. */
export function stepInputs(
  { step, workflow }: ActOf<'run step'>,
  id: string,
): Readonly<Record<string, string | number>> {
  const there = { channel: '{{channel}}' };
  if (step === 'wait_until') return { record: id, until: 'ok', hours: 1 };
  if (step !== 'clone') return { database: id, ...there };
  const port = 7_900 + workflow.length + workflow.charCodeAt(workflow.length - 1);
  const host = {
    targetEnvironment: 'HOST_ENVIRONMENT-4',
    install: 'MYSQL_INSTALL-2',
    environmentUser: 'ENVIRONMENT_USER-8',
  };
  return { sourceDatabase: id, port, mountBase: `/mnt/c${port}`, ...host, ...there };
}

/** Does something, and tries again after a while where that fails: without it, little is left of a plan. */
export async function tries(deed: () => Promise<void>, most: number): Promise<void> {
  for (let count = 1; ; count++) {
    const failed = await deed().then(
      () => undefined,
      (error: unknown) => ({ error }),
    );
    if (!failed) return;
    if (count === most) throw failed.error;
    await new Promise(resolve => setTimeout(resolve, 5_000));
  }
}

export async function signsIn(someone: Someone, { as, presses }: ActOf<'sign in'>): Promise<void> {
  const before = someone.messages(databases).length;
  await someone.types(databases, '/db login');
  const isOffer = ({ blocks }: Message) => says(blocks, '/login/');
  const offer = await someone.until(() => someone.messages(databases).slice(before).find(isOffer), 'the offer');
  if (presses) await someone.presses('Sign in', { message: offer }).catch(() => undefined);
  const path = /\/login\/[\w-]+/.exec(JSON.stringify(offer.blocks))?.[0] ?? '';
  const answer = await fetch(`http://${addresses.bot}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ username: as, password: passwordOf(as) }),
  });
  if (!answer.ok) throw new Error(`the page answered ${answer.status}`);
}

/** The password of a user of the sandbox's service. */
export const passwordOf = (username: string) => `${username}-password`;

export function fieldsShown(someone: Someone): Readonly<Record<string, true>> {
  const { view } = someone.sees().views.at(-1) ?? {};
  return Object.fromEntries(
    [...JSON.stringify(view ?? {}).matchAll(/"block_id":"(\w+)/g)].map(([, id = '']) => [id, true]),
  );
}

/** Types a line and waits until the form is there that it opens: `about` stands in it, and in none that comes late. */
export async function opens(someone: Someone, line: string, about: string): Promise<void> {
  await tries(() => someone.types(databases, line), mostTypings);
  const isIt = (view: unknown) => says(view, '"submit":{') && says(view, about);
  await someone.until(() => isIt(someone.sees().views.at(-1)?.view), `the form of ${line}`);
}

/** Submits what is open, once more where Slack says that this failed, and only while the form is the same. */
export async function submits(someone: Someone, twice = false): Promise<void> {
  const top = () => someone.sees().views.at(-1)?.id;
  const own = top();
  for (let tries = 0; ; tries++) {
    const [first, second] = [someone.submits(), twice ? someone.submits() : undefined];
    const { errors, error, open } = await first;
    await second;
    if (!open) return;
    const why = `${error} ${JSON.stringify(errors)}`;
    if (error === '' || tries === 2) throw new Error(`not taken: ${why}`);
    await new Promise(resolve => setTimeout(resolve, 2_000));
    if (top() === undefined) return;
    // A form that a command typed before has opened late takes the place of this one.
    if (top() !== own) throw new Error(`not taken, and another form came: ${why}`);
  }
}

export async function confirms(someone: Someone, name: string, twice: boolean): Promise<void> {
  await someone.until(() => 'confirm' in fieldsShown(someone), 'the last page');
  await someone.fills({ confirm: name });
  if ('reason' in fieldsShown(someone)) await someone.fills({ reason });
  await submits(someone, twice);
}
