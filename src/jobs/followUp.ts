import { Failure, nothingBut, StoreTrouble } from '../ground/failure.ts';
import type { RecordReader } from '../records/recordReader.ts';
import type { Session } from '../records/records.ts';
import type { Step } from '../store/jobs/changing.ts';
import type { Looked } from '../store/jobs/queue/looks.ts';
import type { Job, RunningJob } from '../store/jobs/rows/job.ts';
import type { Credential } from '../store/tables/credentials.ts';
import type { Owner } from '../store/vault.ts';
import { advance, transitionOf } from './advance.ts';
import { eventOfFailedLook, eventOfLook, eventWithoutSignIn, extension } from './afterLook.ts';
import { type LookParts, learnFrom, lookAtRecords } from './evidence/gather.ts';
import type { JobEvent } from './machine/transitions.ts';
import type { LookTime } from './nextLook.ts';
import { claimsOnce, overlapsAmong } from './overlaps.ts';
import type { Mover, Parts } from './parts.ts';
import { type KnownLook, type LookMemory, nextOfSame, questionsIn } from './sameLook.ts';

/**
 * One follow-up of a person's jobs. `inVain` has the jobs without news and the times of their next looks; `steps` has
 * the others' steps, which are written at the end. `ends` has the steps that are written at once, while the next jobs
 * are looked at.
 */
type FollowUp = LookTime &
  Readonly<{
    credential: Credential;
    records: RecordReader;
    inVain: Looked[];
    steps: Step[];
    ends: Map<string, Promise<Job | undefined>>;
  }>;

/** Follows jobs up to their ends. */
export type Follower = Mover &
  Parts<'records' | 'vocabulary' | 'stateAnswers' | 'policy' | 'log' | 'meter'> &
  Readonly<{ memory: LookMemory }>;

/** What is due of one sign-in: jobs, and looks at jobs whose rows were not read. */
type DueOfOne = Readonly<{ jobs: readonly RunningJob[]; known: readonly KnownLook[] }>;

/**
 * Looks at the records for one person's running jobs, with that person's token: each list is read once for all of them.
 * Each job is then proved, failed, unconfirmed, or due again; a known one of which all is as it was is due again at once.
 * Adds the jobs without news to `inVain`, since one statement notes those of many people.
 */
export async function followUp(parts: Follower, owner: Owner, { jobs, known }: DueOfOne, inVain: Looked[]) {
  const session = await parts.records.session(owner, { jobs: jobs.length + known.length });
  const whole = async (some: readonly KnownLook[]) => [
    ...jobs,
    ...(await parts.jobs.lookedAt(
      some.map(({ look }) => look),
      parts.clock.now(),
    )),
  ];
  if (!session) {
    const running = await whole(known);
    return forEach(parts, running, job => advance(parts, job, eventWithoutSignIn(job, parts.clock.now())));
  }
  const here = begin(parts, session, inVain);
  const news = () => here.records.answers() + here.ends.size;
  const overlapping = overlapsAmong(parts.jobs, [...jobs, ...known], news);
  const looker = { ...parts, jobs: { ...parts.jobs, overlapping, claimsOn: claimsOnce(parts.jobs, news) } };
  const running = await whole(await leaveOut(looker, here, known));
  try {
    await forEach(parts, running, job => look(looker, here, job));
  } finally {
    // The results for the other jobs are kept even where the look for one job failed.
    await forEach(parts, running, async job => here.ends.get(job.id));
    await parts.jobs.applyAll(here.steps, here.at);
    // A list that could not be read was reported where it was needed.
    await learnFrom(
      parts,
      owner.team,
      parts.vocabulary.of(owner.team).isDue() ? await here.records.listed().catch(() => []) : [],
    );
  }
}

/** Leaves out looks at jobs of which all is as it was, and gives the others. */
async function leaveOut(parts: Follower, here: FollowUp, known: readonly KnownLook[]): Promise<readonly KnownLook[]> {
  const left: KnownLook[] = [];
  for (const one of known) {
    // A service that does not answer is told of by the look.
    const dueAt = await nextOfSame(parts, here, one).catch(nothingBut());
    if (dueAt === undefined) left.push(one);
    else {
      parts.meter.count('looks', { operation: one.operation });
      parts.memory.goOn(one);
      here.inVain.push({ job: one, dueAt });
    }
  }
  return left;
}

function begin({ clock }: Parts<'clock'>, { credential, records }: Session, inVain: Looked[]): FollowUp {
  // People's looks spread over the time, so that they do not all meet the service at once.
  const spread = 0.8 + 0.4 * Math.random();
  return { credential, records, at: clock.now(), spread, inVain, steps: [], ends: new Map() };
}

/** Does something for each job. A defect that one job meets must not stop the others. */
async function forEach({ log }: Parts<'log'>, jobs: readonly RunningJob[], act: (job: RunningJob) => Promise<unknown>) {
  for (const job of jobs)
    await act(job).catch((error: unknown) => {
      if (error instanceof StoreTrouble) throw error;
      log.error({ job: job.id, error }, 'a job could not be followed up');
    });
}

/**
 * Looks at the records for one job. A job that ends, or has to wait for a sign-in, takes that step at once; other
 * results are written with those of the whole follow-up.
 */
async function look(parts: Follower, here: FollowUp, given: RunningJob): Promise<void> {
  parts.meter.count('looks', { operation: given.operation });
  const job = await withTime(parts, here, given);
  here.records.used();
  const looked = await lookAsSender(parts, here, job).catch((error: unknown) => ({ error }));
  const isRead = 'result' in looked;
  const event = isRead ? eventOfLook(job, looked.result, here) : eventOfFailure(parts, here, job, looked.error);
  if (event.type === 'noChange') {
    const [answers, questions] = [here.records.used(), isRead ? questionsIn(looked.reading) : []];
    const { at, credential } = here;
    if (answers && questions) parts.memory.remember(job, { at, signInAt: credential.since, answers, questions });
    here.inVain.push({ job, dueAt: event.nextAt });
  } else if (event.type === 'seen') here.steps.push(...stepsOf(job, event, here.at));
  else {
    const written = advance(parts, job, event, 'applyAlong');
    here.ends.set(job.id, written);
    // It is awaited after the looks for the other jobs; until then, nobody hears of its failure.
    written.catch(() => undefined);
  }
}

/**
 * Looks with the sign-in of the user whom the job was sent as: another one may not see what is there, or see more.
 * @throws {Failure} where the person is signed in as another user, or the records cannot be read
 */
async function lookAsSender(parts: LookParts, { credential, records }: FollowUp, job: RunningJob) {
  if (!isSender(credential, job)) {
    const who = job.runsAs === 'service' ? 'the service account is' : 'you are';
    throw new Failure('forbidden', `${who} signed in as ${credential.username}, but this was sent as ${job.login}.`);
  }
  return lookAtRecords(parts, job, records);
}

/** Whether a sign-in is that of the user as whom a job was sent. */
export function isSender({ username, identity }: Credential, { login }: Pick<Job, 'login'>): boolean {
  const names = [username, ...(identity?.names ?? [])].map(name => name.toLowerCase());
  return login === null || names.includes(login.toLowerCase());
}

/** Gives more time to a job that nobody could look at for long. */
async function withTime(parts: Mover, { at }: FollowUp, job: RunningJob): Promise<RunningJob> {
  const event = extension(job, at);
  const later = event && (await advance(parts, job, event));
  // The row of a job that was looked at in vain does not count its looks (looks.ts).
  return later?.state === 'running' ? { ...later, looks: job.looks, taken: job.taken } : job;
}

/** The event for records that could not be read. @throws an error that is no failure of the service */
function eventOfFailure({ clock, log }: Follower, here: FollowUp, job: RunningJob, error: unknown): JobEvent {
  if (!(error instanceof Failure)) throw error;
  if (error.kind === 'signed-out') return eventWithoutSignIn(job, clock.now());
  log.warn({ person: job.person, job: job.id, error }, 'could not look at the records');
  return eventOfFailedLook(job, error, here);
}

function stepsOf(job: RunningJob, event: JobEvent, now: number): Step[] {
  const transition = transitionOf(job, event, now);
  return transition ? [{ job, transition }] : [];
}
