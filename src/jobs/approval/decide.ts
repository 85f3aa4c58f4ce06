import { Failure, sentence } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { about, type Job } from '../../store/tables/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Parts } from '../parts.ts';
import { mayDecide, stillListed, untold } from './approvers.ts';
import { approvalsIn, type Decision, decisionsIn, termsIn } from './decisions.ts';
import { approvalOf, type Decider } from './twoPeople.ts';

/** Who clicks, where, and on a card of which digest. */
export type Click = Owner & Readonly<{ channel: string; digest: string }>;

/**
 * What came of a click: it counted, it came too late for what the job is now, or it is refused. Whoever clicks gets one
 * of these, and the audit trail has the click in each case.
 */
export type Outcome =
  | Readonly<{ type: 'counted'; job: Job }>
  | Readonly<{ type: 'late'; job: Job }>
  | Readonly<{ type: 'refused'; sentence: string }>;

/**
 * One person's approval. The last that is needed lets the job go on; what is then sent is checked once more against what
 * was approved (gate.ts). @throws {Failure} `signed-out` where a sign-in is what is missing
 */
export function approve(parts: Parts, job: Job, click: Click): Promise<Outcome> {
  return decided(parts, job, click, 'approved', undefined);
}

/** One person's no, which is enough. @throws {Failure} `signed-out` where a sign-in is what is missing */
export function deny(parts: Parts, job: Job, click: Click, reason: string): Promise<Outcome> {
  return decided(parts, job, click, 'denied', reason);
}

async function decided(
  parts: Parts,
  job: Job,
  click: Click,
  type: 'approved' | 'denied',
  reason: string | undefined,
): Promise<Outcome> {
  if (job.state !== 'awaiting') return late(parts, job, click, type);
  try {
    if (click.digest !== job.digest) throw new Failure('forbidden', changedCard);
    const decider = await mayDecide(parts, job, click, type);
    return await decidedAs(parts, job, click, type, reason, decider);
  } catch (error) {
    const why = error instanceof Failure && error.kind === 'busy' ? undecided(error.message) : sentence(error);
    await refuse(parts, job, click, type, why);
    if (error instanceof Failure && error.kind !== 'signed-out') return { type: 'refused', sentence: why };
    throw error;
  }
}

/** @throws {Failure} where it is not known whether earlier approvals still count */
async function decidedAs(
  parts: Parts,
  job: Job,
  click: Click,
  type: 'approved' | 'denied',
  reason: string | undefined,
  decider: Decider,
): Promise<Outcome> {
  const login = decider.credential.username;
  // Whoever decides at the same moment changes the row first; then this one looks again.
  for (let current: Job | undefined = job; ; current = await parts.jobs.find(job.id)) {
    if (current?.state !== 'awaiting') return late(parts, current ?? job, click, type);
    const now = parts.clock.now();
    if (isOver(current, now)) {
      await attend(parts, current);
      continue;
    }
    const before: readonly Decision[] = type === 'approved' ? await stillListed(parts, current) : decisionsIn(current);
    const twice = type === 'approved' && (await approvalOf(parts, before, click, decider));
    if (twice) {
      const who = twice.person === click.person ? 'You have' : `Somebody signed in as ${twice.login} has`;
      return refused(parts, job, click, type, `${who} approved this already.`);
    }
    const said = reason === undefined ? {} : { reason };
    const { identity } = decider;
    const decisions: Decision[] = [...before, { type, person: click.person, login, identity, at: now, ...said }];
    const [many, needed] = [count(decisions), termsIn(current)?.approvals ?? 1];
    const to = type === 'denied' ? 'denied' : many >= needed ? 'approved' : 'awaiting';
    const change = {
      denied: { endedAt: now, dueAt: null, reason: `It was denied: ${reason}` },
      approved: { dueAt: now },
      awaiting: {},
    }[to];
    const by = {
      ...actorOf(click, login),
      event: to === 'awaiting' ? 'approved in part' : to,
      detail: reason ?? `${many} of ${needed} approvals`,
    };
    const moved = await parts.jobs.decide(current, JSON.stringify(decisions), to, change, now, by);
    if (!moved) continue;
    parts.tell();
    return { type: 'counted', job: moved };
  }
}

/** Lets a job run without approval in an emergency, if the policy lets this person; loudly. */
export async function breakGlass(parts: Parts, job: Job, click: Click, reason: string): Promise<Outcome> {
  const { jobs, policy, people, clock } = parts;
  const event = 'break glass';
  if (job.state !== 'awaiting') return late(parts, job, click, event);
  if (click.digest !== job.digest) return refused(parts, job, click, event, changedCard);
  if (job.person !== click.person)
    return refused(parts, job, click, event, 'Only the person who asked for it can run it without approval.');
  const [listed, standing] = await Promise.all([
    people.isAmong(click, policy.emergency, 'now'),
    people.standingOf(click, 'now'),
  ]);
  if (listed === undefined) return refused(parts, job, click, event, undecided(untold(policy.emergency)));
  if (standing === 'unknown')
    return refused(parts, job, click, event, undecided('Slack does not tell at the moment whether you are a member.'));
  if (!listed || standing !== 'member')
    return refused(parts, job, click, event, 'You are not among those whom the policy lets do without approval.');
  if (!canBeRead(reason))
    return refused(parts, job, click, event, 'Say why, in words that can be read: everybody concerned is told.');
  const credential = await parts.credentials.find(click);
  if (!credential) {
    const why = 'You are not signed in to the service.';
    await refuse(parts, job, click, event, why);
    throw new Failure('signed-out', why);
  }
  const now = clock.now();
  if (isOver(job, now)) {
    await attend(parts, job);
    return late(parts, (await jobs.find(job.id)) ?? job, click, event);
  }
  const by = { ...actorOf(click, credential.username), event: 'glass broken', detail: reason };
  const moved = await jobs.decide(job, job.decisions, 'approved', { emergency: reason, dueAt: now }, now, by);
  if (!moved) {
    const current = await jobs.find(job.id);
    // Somebody decided meanwhile, which need not have ended it.
    return current?.state === 'awaiting'
      ? breakGlass(parts, current, click, reason)
      : late(parts, current ?? job, click, event);
  }
  parts.tell();
  return { type: 'counted', job: moved };
}

/** Turns away a click that only the person who asked may make. */
export function onlyRequester(parts: Parts, job: Job, click: Click, what: string): Promise<Outcome> {
  return refused(parts, job, click, what, 'Only the person who asked for it can do this.');
}

/** An `awaiting` job whose time has come: reminds those who may decide, or ends it. */
export async function attend({ jobs, policy, clock, tell }: Parts, job: Job): Promise<void> {
  const now = clock.now();
  const until = job.expiresAt ?? now;
  if (now >= until) {
    const given = approvalsIn(job).length;
    const reason = `Nobody decided in time${given > 0 ? `, beyond ${given} of ${termsIn(job)?.approvals} approvals` : ''}. Nothing was sent.`;
    await jobs.move(job.id, 'awaiting', 'expired', { reason, endedAt: now, dueAt: null }, now);
  } else {
    const pause = policy.reminders[job.reminders + 1];
    const dueAt = pause === undefined ? until : Math.min(now + pause, until);
    await jobs.note(job.id, 'awaiting', { reminders: job.reminders + 1, dueAt }, true, now);
  }
  tell();
}

/** What could not be told at the moment is a no, and no more than that. */
function undecided(why: string): string {
  return why.includes('Nothing was decided') ? why : `${why} Nothing was decided; please try again.`;
}

const changedCard = 'This card is not as it was any more. Look at it again, then decide.';

function count(decisions: readonly Decision[]): number {
  return decisions.filter(({ type }) => type === 'approved').length;
}

function isOver(job: Job, now: number): boolean {
  return job.expiresAt !== null && now >= job.expiresAt;
}

function actorOf(click: Click, login: string | null) {
  return { actor: click.person, login, channel: click.channel };
}

async function late(parts: Parts, job: Job, click: Click, what: string): Promise<Outcome> {
  await refuse(parts, job, click, what, `too late: it is ${job.state}`);
  return { type: 'late', job };
}

async function refused(parts: Parts, job: Job, click: Click, what: string, why: string): Promise<Outcome> {
  await refuse(parts, job, click, what, why);
  return { type: 'refused', sentence: why };
}

/** Writes a click to the trail that changed nothing. */
async function refuse({ audit, credentials, clock }: Parts, job: Job, click: Click, what: string, why: string) {
  const login = (await credentials.find(click))?.username ?? null;
  await audit.add({
    ...about(job),
    ...actorOf(click, login),
    at: clock.now(),
    event: 'refused',
    detail: `${what}: ${why}`,
  });
}
