import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { approvalChannel, approvalKeys } from '../journeys/approvals.ts';
import { confirms } from '../journeys/asking.ts';
import { opensForm, quickLine } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, type WorldOptions, world } from '../world.ts';
import { type Failed, plantFailure, reportAlertRows, reportAlerts, turnAlertsOn } from './alerts.ts';
import { noBackups, reportBackups, typesBackup } from './backups.ts';
import { type Batch, batchLine, plantBatch, reportBatches } from './batches.ts';
import { clicks } from './clicks.ts';
import { type Asked, reportForms } from './forms.ts';
import { leasedLine, leasePolicy, reportLeases } from './leases.ts';
import { reportPermissions } from './permissions.ts';
import { plantClone, type Renewal, renewalLine, reportRenewals, submitsRenewal } from './renewals.ts';
import { endsIn, isOver, type Report, type Write } from './report.ts';
import { plantLive, type Restore, reportRestores, restoreLine, submitsRestore } from './restores.ts';
import { evidenceFor } from './rows.ts';
import { nightChannel, type Planned, plantSchedule, reportRuns, reportSchedules } from './schedules.ts';
import { allowsSteps, reportSteps, type Stepped, startsStep } from './steps.ts';
import { plantTree, reportTeardowns, type Teardown } from './teardowns.ts';

/** What is asked for in a round, by a form. */
type Wanted = Asked | Teardown | Renewal | Restore | Batch;

/** The processes on the store: which of them dies in a round, and which comes for it. */
export type Crew = Readonly<{
  options: Partial<WorldOptions>;
  /** The others begin, after the first one. */
  gathers?(earth: World): Promise<void>;
  dies(earth: World): Promise<void>;
  comes(earth: World): Promise<void>;
  /** The others end. */
  leaves?(): Promise<void>;
}>;

/** One process, as it is here. */
export const alone = (store: WorldOptions['store'] = 'embedded'): Crew => ({
  options: { store },
  dies: earth => earth.kill(),
  comes: earth => earth.start(),
});

/** Real time, in milliseconds. */
const longestLife = 1_500;
const longestEnd = 90_000;
/** For each kill the end may take so much longer: Slack takes no more than a message a second in a channel. */
const endOfOne = 1_500;

/**
 * Kills a process of the bot again and again at random moments. Meanwhile people ask for clones, some of them kept for
 * seconds, for deletions, teardowns, renewals, restores, and backups of one database and of several, and approve them; after
 * each kill a schedule is due, a workflow runs, and databases fail or are mended, of which alerts tell; the service is slow at
 * random, and Slack loses answers. Then lets everything come to its end, and counts what is wrong.
 * @param random gives numbers from 0 to 1; the same ones give nearly the same run
 * @param tell hears of the progress, and of what a report with faults is judged by
 */
export async function killAgainAndAgain(
  count: number,
  crew: Crew,
  random: () => number,
  tell: (line: string) => void,
): Promise<Report> {
  let isCalm = false;
  const writes: Write[] = [];
  const earth = await world({
    ownProcess: true,
    ...crew.options,
    environment: { ...approvalKeys, POLICY_FILE: policyFile() },
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
    await crew.gathers?.(earth);
    const ana = await earth.enters('Ana', 'ana');
    const dev = await earth.enters('Dev', 'dev');
    const asked: Asked[] = [];
    const teardowns: Teardown[] = [];
    const renewals: Renewal[] = [];
    const restores: Restore[] = [];
    const batches: Batch[] = [];
    const planned: Planned[] = [];
    const failed: Failed[] = [];
    const stepped: Stepped[] = [];
    await turnAlertsOn(ana, earth);
    const backups = noBackups(earth);
    const { faults } = earth.playground.slack;
    for (let round = 0; round < count; round++) {
      const wanted = wish(earth, asked, round);
      if ('records' in wanted) teardowns.push(wanted);
      else if ('record' in wanted) renewals.push(wanted);
      else if ('database' in wanted) restores.push(wanted);
      else if ('targets' in wanted) batches.push(wanted);
      else asked.push(wanted);
      await opens(ana, wanted);
      if (random() < 0.3)
        faults.add({ method: random() < 0.5 ? 'chat.postMessage' : 'chat.update', kind: 'lose-answer' });
      const killing = sleep(random() * longestLife).then(() => crew.dies(earth));
      const backup = sleep(random() * longestLife).then(() => typesBackup(dev, backups));
      const [isTaken] = await Promise.all([
        submits(ana, wanted),
        decides(earth, dev),
        allowsSteps(ana),
        backup,
        killing,
      ]);
      wanted.isTaken = isTaken;
      faults.clear();
      if (ana.hasModal()) await ana.cancels(true).catch(() => undefined);
      planned.push(await plantSchedule(earth, round));
      await plantFailure(earth, failed, round);
      await crew.comes(earth);
      stepped.push(await startsStep(ana, earth, round));
      await earth.clock.advance(4_000);
      if ((round + 1) % 20 === 0) tell(`${round + 1} kills`);
    }
    isCalm = true;
    const ports = asked.filter(({ kind }) => kind === 'leased').map(({ key }) => Number(key));
    const reported = () => {
      const result = reportForms(ana, earth, { kills: count, asked }, writes);
      reportTeardowns(earth, result, teardowns, writes);
      reportRenewals(earth, result, renewals, writes);
      reportRestores(ana, earth, result, restores, writes);
      reportBatches(earth, result, batches, writes);
      reportLeases(ana, earth, result, ports, writes);
      reportBackups(dev, earth, result, backups, writes);
      reportSchedules(earth, result, planned, writes);
      reportAlerts(earth, result, failed);
      reportSteps(ana, earth, result, stepped, writes);
      return result;
    };
    await comeToAnEnd(earth, [ana, dev], reported, longestEnd + count * endOfOne);
    const report = reported();
    await Promise.all([earth.stop(), crew.leaves?.()]);
    await reportPermissions(earth, report);
    await reportRuns(earth, report, planned);
    await reportAlertRows(earth, report, failed);
    for (const line of await evidenceFor(earth, report, writes)) tell(line);
    return report;
  } finally {
    await crew.leaves?.();
    await earth.close();
  }
}

function policyFile(): string {
  const file = join(scratchFolder('kills'), 'policy.yml');
  writeFileSync(file, leasePolicy);
  return file;
}

/** What is asked for in a round. */
function wish(earth: World, asked: readonly Asked[], round: number): Wanted {
  switch (round % 7) {
    case 2:
      return plantTree(earth, `tree${round}`);
    case 3:
      return plantClone(earth, 7_000 + round);
    case 4:
      return { key: `${6_000 + round}`, name: `shop-${6_000 + round}`, kind: 'leased', isTaken: false };
    case 5:
      return plantLive(earth, `back${round}`);
    case 6:
      return plantBatch(earth, `batch${round}`);
    default:
      return nextRequest(earth, asked, round);
  }
}

function nextRequest(earth: World, asked: readonly Asked[], round: number): Asked {
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
    ? { key: own.id, name: own.name, kind: 'deletion', isTaken: false }
    : { key: String(4_000 + round), name: `shop-${4_000 + round}`, kind: 'clone', isTaken: false };
}

async function opens(ana: Someone, wanted: Wanted): Promise<void> {
  await opensForm(ana, '#databases', lineOf(wanted)).catch(error => {
    const said = JSON.stringify([ana.sees().views, ana.messages('#databases').slice(-2)]);
    throw new Error(`${lineOf(wanted)}: ${said}`, { cause: error });
  });
}

function lineOf(wanted: Wanted): string {
  if ('records' in wanted) return `/db teardown ${wanted.name}`;
  if ('record' in wanted) return renewalLine(wanted);
  if ('database' in wanted) return restoreLine(wanted);
  if ('targets' in wanted) return batchLine(wanted);
  const { kind, key } = wanted;
  if (kind === 'deletion') return `/db delete ${key}`;
  return kind === 'clone' ? quickLine(Number(key)) : leasedLine(Number(key));
}

/** Submits what is open, and tells whether the person saw it taken. */
async function submits(ana: Someone, wanted: Wanted): Promise<boolean> {
  try {
    if ('records' in wanted) await confirms(ana, wanted.name);
    else if ('record' in wanted) await submitsRenewal(ana);
    else if ('database' in wanted) await submitsRestore(ana, wanted);
    else if ('kind' in wanted && wanted.kind === 'deletion') await confirms(ana, wanted.key);
    else if ((await ana.submits()).open) return false;
    return true;
  } catch {
    return false;
  }
}

/** Approves the newest card that waits, if there is one. */
async function decides(earth: World, dev: Someone): Promise<void> {
  const card = waiting(earth).at(-1);
  if (card) await clicks(dev, 'Approve', card);
}

function waiting(earth: World): StoredMessage[] {
  return earth.cards(approvalChannel).filter(card => earth.text(card).includes('Approve…'));
}

/**
 * Waits until all that is told is over and nothing is missing, for so many milliseconds at most: a job has no card before
 * the service accepted it. The last of the people approves.
 */
async function comeToAnEnd(
  earth: World,
  people: readonly [Someone, Someone],
  reported: () => Report,
  longest: number,
): Promise<void> {
  const open = () =>
    earth.cards('#databases').filter(card => !isOver(earth.text(card)) || endsIn(earth, card).length === 0);
  const isComplete = () => open().length === 0 && reported().lost.length + reported().stuck.length === 0;
  for (const end = Date.now() + longest; !isComplete() && Date.now() < end; await sleep(300)) {
    await earth.clock.advance(2_000);
    await decides(earth, people[1]);
    await allowsSteps(people[0]);
    if (Date.now() < end - longest / 2) continue;
    // What may never have arrived is looked for until its time is over; here people have had enough, each of their own.
    const everywhere = [...open(), ...earth.cards(nightChannel.name)];
    for (const person of people)
      for (const card of [...everywhere, ...person.messages('@dolly')])
        if (earth.text(card).includes('may or may not have been accepted')) await clicks(person, 'Stop checking', card);
  }
}
