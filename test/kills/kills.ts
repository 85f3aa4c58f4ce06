import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { approvalChannel, approvalKeys } from '../journeys/approvals.ts';
import { confirms } from '../journeys/asking.ts';
import { opensForm, quickLine } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { type World, type WorldOptions, world } from '../world.ts';

/** What came of many kills. Everything but `kills` and `asked` should be nought. */
export type Report = {
  kills: number;
  /** Requests that people made and saw taken. */
  asked: number;
  /** Requests that were taken, and of which no message or no end is to be seen. */
  lost: string[];
  /** Requests that the service got twice, or whose message or end stands in Slack twice. */
  doubled: string[];
  /** Requests that came to no end. */
  stuck: string[];
  /** Requests of which people were told what is not so. */
  untrue: string[];
};

/** A request, by what is its own: the port of a clone, or the record of a deletion. */
type Asked = { key: string; kind: 'clone' | 'deletion'; isTaken: boolean };

/** Commands without a form, which all ask for the same: typed, and acknowledged. */
type Commands = { typed: number; taken: number };

/** A request that reached the service, whatever came of it. */
type Write = { url: string; body: string };

/** Real time, in milliseconds. */
const longestLife = 1_500;
const longestEnd = 90_000;

/**
 * Kills the bot's process again and again at random moments, while people ask for clones, deletions and backups and approve them, the
 * service is slow at random, and Slack loses answers; lets everything come to its end, and counts what is wrong.
 * @param random gives numbers from 0 to 1; the same ones give nearly the same run
 */
export async function killAgainAndAgain(
  count: number,
  store: WorldOptions['store'],
  random: () => number,
  tell: (line: string) => void,
): Promise<Report> {
  let isCalm = false;
  const writes: Write[] = [];
  const earth = await world({
    ownProcess: true,
    ...(store ? { store } : {}),
    environment: approvalKeys,
    service: {
      tokenLifetime: 1_000 * 3_600_000,
      async middleware(request, next) {
        if (request.method !== 'GET') writes.push({ url: request.url, body: await request.clone().text() });
        if (!isCalm) await sleep(random() * 150);
        const answer = await next();
        if (!isCalm) await sleep(random() * 150);
        return answer;
      },
    },
  });
  try {
    const ana = await earth.enters('Ana', 'ana');
    const dev = await earth.enters('Dev', 'dev');
    const asked: Asked[] = [];
    const backups: Commands = { typed: 0, taken: 0 };
    const { faults } = earth.playground.slack;
    for (let round = 0; round < count; round++) {
      const wanted = await nextRequest(earth, asked, round);
      asked.push(wanted);
      await opens(ana, wanted);
      if (random() < 0.3)
        faults.add({ method: random() < 0.5 ? 'chat.postMessage' : 'chat.update', kind: 'lose-answer' });
      const killing = sleep(random() * longestLife).then(() => earth.kill());
      const backup = sleep(random() * longestLife).then(() => types(dev, backups));
      const [isTaken] = await Promise.all([submits(ana, wanted), decides(earth, dev), backup, killing]);
      wanted.isTaken = isTaken;
      faults.clear();
      if (ana.hasModal()) await ana.cancels(true).catch(() => undefined);
      await earth.start();
      await earth.clock.advance(4_000);
      if ((round + 1) % 20 === 0) tell(`${round + 1} kills`);
    }
    isCalm = true;
    await comeToAnEnd(earth, ana, dev);
    return reportBackups(earth, report(earth, count, asked, writes), backups, writes);
  } finally {
    await earth.close();
  }
}

async function nextRequest(earth: World, asked: readonly Asked[], round: number): Promise<Asked> {
  const deleted = new Set(asked.filter(({ kind }) => kind === 'deletion').map(({ key }) => key));
  // One whose own job still looks for it must not go away.
  const confirmed = earth
    .cards('#databases')
    .map(card => earth.text(card))
    .filter(text => text.includes('· Confirmed'));
  const own = [...earth.service.service.estate.databases.values()].find(
    ({ name, id }) => /^shop-4\d{3}$/.test(name) && !deleted.has(id) && confirmed.some(text => text.includes(id)),
  );
  return round % 2 === 1 && own
    ? { key: own.id, kind: 'deletion', isTaken: false }
    : { key: String(4_000 + round), kind: 'clone', isTaken: false };
}

async function opens(ana: Someone, { key, kind }: Asked): Promise<void> {
  await opensForm(ana, '#databases', kind === 'clone' ? quickLine(Number(key)) : `/db delete ${key}`);
}

/** Submits what is open, and tells whether the person saw it taken. */
async function submits(ana: Someone, { key, kind }: Asked): Promise<boolean> {
  try {
    if (kind === 'deletion') await confirms(ana, key);
    else if ((await ana.submits()).open) return false;
    return true;
  } catch {
    return false;
  }
}

/** Asks for a backup, which needs no form; a command that meets a dead bot is lost, as in Slack, which says so. */
async function types(dev: Someone, backups: Commands): Promise<void> {
  backups.typed += 1;
  await dev.types('#databases', '/db backup orders').then(
    () => {
      backups.taken += 1;
    },
    () => undefined,
  );
}

/** Approves the newest card that waits, if there is one; a click that meets a dead bot is lost, as in Slack. */
async function decides(earth: World, dev: Someone): Promise<void> {
  const card = waiting(earth).at(-1);
  const message = card && dev.messages(approvalChannel).find(({ ts }) => ts === card.ts);
  if (message) await dev.presses('Approve', { message }).catch(() => undefined);
}

function waiting(earth: World): StoredMessage[] {
  return earth.cards(approvalChannel).filter(card => earth.text(card).includes('· Waits for approval'));
}

const isOver = (text: string) =>
  /· (Confirmed|Finished, result not shown|Failed|Unconfirmed|Denied|Approval void|Withdrawn|Expired)/.test(text);

async function comeToAnEnd(earth: World, ana: Someone, dev: Someone): Promise<void> {
  const open = () =>
    earth.cards('#databases').filter(card => !isOver(earth.text(card)) || earth.replies(card).length === 0);
  for (const end = Date.now() + longestEnd; open().length > 0 && Date.now() < end; await sleep(300)) {
    await earth.clock.advance(2_000);
    await decides(earth, dev);
    // What may never have arrived is looked for until its time is over; here a person has had enough.
    for (const card of open().filter(one => earth.text(one).includes('may have been accepted or not'))) {
      const message = ana.messages('#databases').find(({ ts }) => ts === card.ts);
      if (message && Date.now() > end - longestEnd / 2)
        await ana.presses('Stop looking', { message }).catch(() => undefined);
    }
  }
}

function report(earth: World, kills: number, asked: readonly Asked[], all: readonly Write[]): Report {
  const result: Report = { kills, asked: 0, lost: [], doubled: [], stuck: [], untrue: [] };
  const { databases } = earth.service.service.estate;
  for (const { key, kind, isTaken } of asked) {
    // Whole: one number begins like another one.
    const whole = new RegExp(kind === 'clone' ? `/mnt/c${key}\\b` : `\\b${key}\\b`);
    const isIn = (text: string) => whole.test(text);
    const what = kind === 'clone' ? /Virtual clone/ : /Deletion/;
    const cards = earth.cards('#databases').filter(card => isIn(earth.text(card)) && what.test(earth.text(card)));
    const writes = all.filter(({ url, body }) =>
      kind === 'clone' ? body.includes(`"port":${key}`) : url.endsWith(`/database/delete?input=${key}`),
    );
    const name = `${kind} ${key}`;
    if (isTaken) result.asked += 1;
    const [card] = cards;
    if (isTaken && !card) result.lost.push(`${name}: no message`);
    if (cards.length > 1) result.doubled.push(`${name}: ${cards.length} messages`);
    if (writes.length > 1) result.doubled.push(`${name}: sent ${writes.length} times`);
    if (!card) continue;
    const [text, replies] = [earth.text(card), earth.replies(card).length];
    if (!isOver(text)) result.stuck.push(`${name}: ${text.split('\n')[0]}`);
    else if (replies === 0) result.lost.push(`${name}: no reply`);
    if (replies > 1) result.doubled.push(`${name}: ${replies} replies`);
    const isThere = [...databases.values()].some(({ id, port }) =>
      kind === 'clone' ? String(port) === key : id === key,
    );
    if (text.includes('· Confirmed') && isThere !== (kind === 'clone') && !wasDeleted(earth, key, kind))
      result.untrue.push(`${name}: ${text.split('\n')[0]}`);
  }
  return result;
}

/** The same of commands: each that was acknowledged has its message, and no message is sent for more than once. */
function reportBackups(earth: World, result: Report, { typed, taken }: Commands, all: readonly Write[]): Report {
  const cards = earth.cards('#databases').filter(card => earth.text(card).includes('Backup of orders'));
  const sent = all.filter(({ url }) => url.endsWith('/database/sync')).length;
  result.asked += taken;
  if (cards.length < taken) result.lost.push(`backups: ${taken} taken, ${cards.length} messages`);
  if (cards.length > typed) result.doubled.push(`backups: ${typed} typed, ${cards.length} messages`);
  if (sent > cards.length) result.doubled.push(`backups: ${cards.length} messages, sent ${sent} times`);
  for (const card of cards) {
    const [text, replies] = [earth.text(card), earth.replies(card).length];
    if (!isOver(text)) result.stuck.push(`backup: ${text.split('\n')[0]}`);
    else if (replies !== 1) (replies === 0 ? result.lost : result.doubled).push(`backup: ${replies} replies`);
  }
  return result;
}

/** A clone that was confirmed may have been deleted since. */
function wasDeleted(earth: World, key: string, kind: Asked['kind']): boolean {
  return (
    kind === 'clone' && earth.cards('#databases').some(card => earth.text(card).includes(`Deletion of shop-${key}`))
  );
}
