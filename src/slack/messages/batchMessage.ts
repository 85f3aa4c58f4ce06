import { inRow } from '../../ground/wording.ts';
import { type BatchTarget, targetsOf, toRetry } from '../../jobs/plans/nextOfBatch.ts';
import { isUnsent, type Job, type JobState, type Plan } from '../../store/jobs/rows/job.ts';
import { actionsRow, context, section, sectionsOf } from '../blocks/blocks.ts';
import { cut } from '../blocks/limits.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, message } from '../blocks/message.ts';
import { localTimes, moment } from '../blocks/moments.ts';
import { bold, plain } from '../blocks/mrkdwn.ts';
import { approvalBlocks, byCalendar } from './approval/approvalCard.ts';
import { jobActions } from './jobActions.ts';
import { type CardPart, signInButtons } from './jobButtons.ts';
import { isInPart, isQuiet, type JobWords, sentenceOf, stateShown } from './jobWords.ts';
import { endedAfterwards, mentionAtEnd, type PlanWithJobs } from './planSteps.ts';

/** How a target of a batch stands, the most urgent first, with its sign and its word. */
const standings = {
  failed: [':x:', 'failed'],
  refused: [':no_entry:', 'refused'],
  unsent: [':no_entry:', 'not sent'],
  unconfirmed: [':grey_question:', 'unconfirmed'],
  part: [':checkered_flag:', 'finished in part'],
  finished: [':checkered_flag:', 'finished, result not shown'],
  doubt: [':grey_question:', 'in doubt'],
  held: [':hourglass_flowing_sand:', 'waiting'],
  running: [':hourglass_flowing_sand:', 'under way'],
  awaiting: [':lock:', 'waiting for approval'],
  open: [':white_circle:', 'to come'],
  left: [':leftwards_arrow_with_hook:', 'not begun'],
  succeeded: [':white_check_mark:', 'confirmed'],
} as const satisfies Record<string, readonly [string, string]>;
type TargetStanding = keyof typeof standings;

/** Those of which each target has a line that says why. */
const told: readonly TargetStanding[] = [
  'failed',
  'refused',
  'unsent',
  'unconfirmed',
  'part',
  'finished',
  'doubt',
  'held',
];
/** Max lines of a standing, max characters of each, and max characters of the names in a line. */
const most = { lines: 12, line: 400, names: 900 } as const;

const ofEnds: Partial<Record<JobState, TargetStanding>> = {
  succeeded: 'succeeded',
  finished: 'finished',
  unconfirmed: 'unconfirmed',
  withdrawn: 'left',
  denied: 'unsent',
  void: 'unsent',
  expired: 'unsent',
};

function standingOf({ job, asks }: BatchTarget, batch: Plan): TargetStanding {
  const about = job ?? asks;
  if (!about) return batch.endedAt === null ? 'open' : 'left';
  // The policy refuses, or the service does, and has begun nothing.
  if (about.state === 'failed') return about.sentAt === null ? 'refused' : 'failed';
  if (about.endedAt !== null) return isInPart(about) ? 'part' : (ofEnds[about.state] ?? 'left');
  if (about.state === 'awaiting') return 'awaiting';
  if (!job) return 'open';
  if (job.hold !== null || job.evidence?.doubt) return 'held';
  if (job.state === 'running') return isQuiet(job) ? 'running' : 'doubt';
  return 'running';
}

/** What the message of a batch rests on in several places. */
type SeenBatch = ReturnType<typeof seenOf>;

function seenOf({ plan, jobs }: PlanWithJobs, words: JobWords) {
  const groups = Map.groupBy(targetsOf(plan, jobs), target => standingOf(target, plan));
  const count = `${groups.get('succeeded')?.length ?? 0} of ${plan.steps.length} confirmed`;
  return { plan, jobs, words, groups, count, since: endedAfterwards({ plan, jobs }) };
}

/** A message of a batch that was begun: a card, or the reply when it ends. */
export function batchMessage(shown: PlanWithJobs, words: JobWords, part: CardPart | 'reply'): Content {
  const seen = seenOf(shown, words);
  return part === 'reply' ? replyOf(seen) : cardOf(seen, part);
}

/**
 * The message of a batch that was begun: a pure function of it and its jobs. What is not well stands first, each with its
 * reason; of the others there are the names.
 */
function cardOf(seen: SeenBatch, part: CardPart): Content {
  const { plan, groups, words } = seen;
  const known = [
    ...byCalendar(plan, words),
    section(headOf(seen)),
    ...sectionsOf(linesOf(groups), most.names + 200),
    ...approvalBlocks(plan, words, part),
  ];
  const times = [words.asked, ...(plan.endedAt === null ? [] : [`ended ${moment(plan.endedAt, '{time_secs}')}`])];
  return message([...known, ...actionsRow(buttonsOf(seen), 'job'), context(times.join('  ·  '))], 'all');
}

/** The reply in the thread when a batch ends: how many are confirmed, and which are not. It mentions the person. */
function replyOf(seen: SeenBatch): Content {
  const { plan, groups, words, since } = seen;
  const others = [...inOrder(groups)].filter(([standing]) => standing !== 'succeeded');
  const lines = others.map(([standing, some]) => `${standings[standing][0]} ${namesOf(standing, some)}`);
  const over = since.length > 0 ? ' The work that was still under way has ended.' : '';
  const text = `${signOf(plan)} ${mentionAtEnd(plan, since, words)}${resultOf(seen)}${words.took}.${over}`;
  return message(sectionsOf([text, ...lines], most.names + 200));
}

function headOf(seen: SeenBatch): string {
  const { plan, count, words } = seen;
  if (plan.state === 'running') return `${signOf(plan)} *${words.phrase('running')}* · ${count}.${words.promise}`;
  return `${signOf(plan)} ${resultOf(seen)}${plan.state === 'withdrawn' ? `\n${words.told(400)}` : ''}`;
}

function resultOf({ plan, count, words }: SeenBatch): string {
  return plan.state === 'succeeded' ? `*${words.phrase('done')}* · all confirmed` : `*${words.title}* · ${count}`;
}

/** Green only where all are confirmed. */
function signOf({ state }: Plan): string {
  return state === 'failed' || state === 'unconfirmed' || state === 'finished' ? ':warning:' : stateShown[state][0];
}

function* inOrder(groups: SeenBatch['groups']) {
  for (const [standing, some] of groups
    .entries()
    .toArray()
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other)))
    yield [standing, some] as const;
}

function rankOf(standing: TargetStanding): number {
  return Object.keys(standings).indexOf(standing);
}

function linesOf(groups: SeenBatch['groups']): readonly string[] {
  return [...inOrder(groups)].flatMap(([standing, some]) => {
    const [sign] = standings[standing];
    if (!told.includes(standing)) return [`${sign} ${namesOf(standing, some)}`];
    const shown = some.slice(0, most.lines).map(target => lineOf(sign, standing, target));
    return some.length > shown.length
      ? [...shown, `${sign} and ${some.length - shown.length} more ${standings[standing][1]}`]
      : shown;
  });
}

function lineOf(sign: string, standing: TargetStanding, { step, job, asks }: BatchTarget): string {
  const about: Job | undefined = job ?? asks;
  const why = about ? localTimes(plain(sentenceOf(about), most.line - 120)) : '';
  return `${sign} ${bold(step.targetName ?? String(step.target), 80)} · ${standings[standing][1]}: ${why}`;
}

/** Some targets in a line: “5 confirmed: crm, shop, …”. */
function namesOf(standing: TargetStanding, some: readonly BatchTarget[]): string {
  const names = some.map(({ step }) => plain(step.targetName ?? String(step.target), 60));
  const count = names.findIndex((_, at) => names.slice(0, at + 1).join(', ').length > most.names);
  const asks = some[0]?.asks;
  const place = standing === 'awaiting' && asks?.approval?.cardPlace ? ` in ${mentionOf(asks.approval.cardPlace)}` : '';
  const listed = inRow(names, count < 0 ? names.length : count);
  return cut(`*${some.length} ${standings[standing][1]}*${place}: ${listed}`, most.names + 200);
}

function buttonsOf({ plan, jobs, groups }: SeenBatch) {
  const look = jobActions.look.button('Check now', plan.id);
  if (plan.state === 'running') {
    const held = jobs.find(({ hold, endedAt }) => endedAt === null && hold === 'sign-in');
    const isLookedAt = groups.has('running') || groups.has('doubt');
    return [
      ...(held ? signInButtons(held.hold, plan) : []),
      ...(isLookedAt ? [look] : []),
      ...(groups.has('open') || jobs.some(isUnsent) ? [jobActions.withdraw.button('Stop the rest', plan.id)] : []),
    ];
  }
  const left = toRetry(plan, jobs).length;
  const word = plan.state === 'withdrawn' ? 'Ask again for' : 'Retry failed:';
  return [
    ...(left > 0 ? [jobActions.retry.button(`${word} ${left}`, plan.id, { style: 'primary' })] : []),
    ...(groups.has('unconfirmed') || groups.has('finished') ? [look] : []),
  ];
}
