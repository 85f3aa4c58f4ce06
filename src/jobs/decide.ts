import { parseIdentifier } from '../api/identifiers.ts';
import { Failure, isSignedOut, sentence } from '../failure.ts';
import type { Credential } from '../store/credentials.ts';
import type { Job } from '../store/jobs.ts';
import type { Owner } from '../store/vault.ts';
import { approvalsIn, type Decision, decisionsIn, termsIn } from './decisions.ts';
import { factsIn, inspect } from './facts.ts';
import { asked, type Parts } from './parts.ts';
import { allApprovers, comparable } from './policy.ts';
import { reader } from './records.ts';

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
    const credential = await mayDecide(parts, job, click, type);
    return await decidedAs(parts, job, click, type, reason, credential);
  } catch (error) {
    await refuse(parts, job, click, type, sentence(error));
    if (error instanceof Failure && error.kind !== 'signed-out') return { type: 'refused', sentence: error.message };
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
  credential: Credential,
): Promise<Outcome> {
  const login = credential.username;
  // Whoever decides at the same moment changes the row first; then this one looks again.
  for (let current: Job | undefined = job; ; current = await parts.jobs.find(job.id)) {
    if (current?.state !== 'awaiting') return late(parts, current ?? job, click, type);
    const now = parts.clock.now();
    if (isOver(current, now)) {
      await attend(parts, current);
      continue;
    }
    const before: readonly Decision[] = type === 'approved' ? await stillListed(parts, current) : decisionsIn(current);
    const twice = type === 'approved' && (await approvalOf(parts, before, click, credential));
    if (twice) {
      const who = twice.person === click.person ? 'You have' : `Somebody signed in as ${twice.login} has`;
      return refused(parts, job, click, type, `${who} approved this already.`);
    }
    const said = reason === undefined ? {} : { reason };
    const decisions: Decision[] = [...before, { type, person: click.person, login, at: now, ...said }];
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
  if ((await people.isAmong(click, policy.emergency, 'now')) !== true)
    return refused(parts, job, click, event, 'You are not among those whom the policy lets do without approval.');
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

const changedCard = 'This card is not as it was any more. Look at it again, then decide.';

/** The sign-in with which somebody may decide on a job. @throws {Failure} that says why not */
async function mayDecide(parts: Parts, job: Job, click: Click, type: 'approved' | 'denied'): Promise<Credential> {
  const no = (why: string) => new Failure('forbidden', why);
  if (click.digest !== job.digest) throw no(changedCard);
  if (click.person === job.person)
    throw no(
      type === 'approved'
        ? 'You asked for this yourself: another person has to approve it.'
        : 'You asked for this yourself: withdraw it instead.',
    );
  await mustBeListed(parts, job, click);
  const credential = await parts.credentials.find(click);
  if (!credential)
    throw new Failure('signed-out', 'You are not signed in to the service, which those who decide must be.');
  const requester = await parts.credentials.find({ team: job.team, person: job.person });
  if (isSame(credential.username, job.login ?? '') || isSameSignIn(credential, requester))
    throw no(
      `You are signed in to the service as ${credential.username}, as the person who asked: another user has to decide.`,
    );
  await mustRead(parts, job, click, credential, type);
  return credential;
}

/** @throws {Failure} `forbidden` where somebody may not decide, `busy` where Slack does not tell */
async function mustBeListed({ people, policy }: Parts, job: Job, who: Owner): Promise<void> {
  const standing = await people.standingOf(who);
  if (standing === 'unknown')
    throw new Failure('busy', 'Slack does not tell me at the moment who decides on this. Please try again.');
  if (standing !== 'member') throw new Failure('forbidden', 'Only members of this workspace may decide on this.');
  const approvers = approversOf(policy, job);
  if (approvers.length === 0) return;
  const listed = await people.isAmong(who, approvers, 'now');
  if (listed === undefined)
    throw new Failure(
      'busy',
      'Slack does not tell me at the moment who is in the group of approvers. Please try again.',
    );
  if (!listed) throw new Failure('forbidden', 'You are not among those who may decide on this.');
}

/** Who may decide on a job: as it was asked, as long as the policy has not been changed to name others. */
export function approversOf(policy: Parts['policy'], job: Job): readonly string[] {
  const asked = termsIn(job)?.approvers ?? [];
  const known = new Set(allApprovers(policy));
  // Whom the policy names no longer may no longer decide; if it names none of them, it is as if it were asked today.
  const still = asked.filter(id => known.has(id));
  return asked.length > 0 && still.length > 0 ? still : policy.approvers;
}

async function mustRead(
  parts: Parts,
  job: Job,
  click: Click,
  credential: Credential,
  type: 'approved' | 'denied',
): Promise<void> {
  const target = parseIdentifier(job.target);
  if (!target) throw new Error(`job ${job.id} has the target ${job.target}, which is no identifier`);
  const records = reader(call => parts.service.fetch(credential.token, call), parts.mapping);
  try {
    const { record } = await inspect(records, target, asked(job).values);
    const wasSeen = target.noun !== 'snapshot' || factsIn(job).some(({ label }) => label === 'Of');
    if (!record && wasSeen) throw new Failure('missing', `No record shows ${target.text}.`);
  } catch (error) {
    if (isSignedOut(error)) await parts.credentials.drop(click, credential.token, parts.clock.now());
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    if (error.kind === 'missing' && type === 'denied') return;
    const hidden = error.kind === 'missing' || error.kind === 'forbidden';
    throw new Failure(
      'forbidden',
      hidden
        ? `The service does not show you ${target.text}, so you cannot decide on it.`
        : `I could not check that you can read ${target.text}: ${error.message}`,
      { cause: error },
    );
  }
}

/**
 * The decisions with every approval dropped whose giver is no approver any more. @throws {Failure} `busy` where Slack does
 * not tell: what is only not known is not taken back for good
 */
async function stillListed(parts: Parts, job: Job): Promise<readonly Decision[]> {
  return Promise.all(
    decisionsIn(job).map(async one => {
      if (one.type !== 'approved') return one;
      const listed = await mustBeListed(parts, job, { team: job.team, person: one.person }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Failure && error.kind === 'forbidden') return false;
          throw error;
        },
      );
      return listed ? one : { ...one, type: 'dropped' as const };
    }),
  );
}

/** The approval, among these, of the same person or the same user of the service. */
async function approvalOf(
  { credentials }: Parts,
  decisions: readonly Decision[],
  { team, person }: Owner,
  credential: Credential,
): Promise<Decision | undefined> {
  for (const one of decisions) {
    if (one.type !== 'approved') continue;
    if (one.person === person || isSame(one.login, credential.username)) return one;
    if (isSameSignIn(credential, await credentials.find({ team, person: one.person }))) return one;
  }
  return undefined;
}

/**
 * The approvals of a job that hold for what is sent now: those of `approvers`, whom the policy names today, none of whom
 * is signed in as the one whose sign-in it runs with. @throws {Failure} `busy` where Slack does not tell
 */
export async function approvalsThatHold(
  { people, credentials }: Parts,
  job: Job,
  approvers: readonly string[],
  runsAs: Credential,
): Promise<readonly Decision[]> {
  const held = approvalsIn(job).map(async one => {
    const who = { team: job.team, person: one.person };
    if (isSame(one.login, runsAs.username) || isSameSignIn(runsAs, await credentials.find(who))) return [];
    const listed = approvers.length === 0 || (await people.isAmong(who, approvers));
    if (listed === undefined) throw new Failure('busy', 'Slack does not tell me at the moment who may approve this.');
    return listed ? [one] : [];
  });
  return (await Promise.all(held)).flat();
}

function count(decisions: readonly Decision[]): number {
  return decisions.filter(({ type }) => type === 'approved').length;
}

function isOver(job: Job, now: number): boolean {
  return job.expiresAt !== null && now >= job.expiresAt;
}

/** Whether two names are of one user of the service, as far as names tell. */
function isSame(one: string, other: string): boolean {
  return comparable(one) === comparable(other);
}

function isSameSignIn(one: Credential, other: Credential | undefined): boolean {
  return other !== undefined && (isSame(one.username, other.username) || one.token === other.token);
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
  const { id, team, person, operation, target, targetName } = job;
  await audit.add({
    ...{ team, person, operation, target, targetName, job: id },
    ...actorOf(click, login),
    at: clock.now(),
    event: 'refused',
    detail: `${what}: ${why}`,
  });
}
