import { inRow } from '../../ground/wording.ts';
import { type HeldClone, heldClonesOf } from '../../jobs/approval/people/holder.ts';
import { type Deciders, whoCanNow } from '../../jobs/approval/people/whoCanNow.ts';
import type { Judge } from '../../jobs/parts.ts';
import { allJobsOf } from '../../jobs/plans/turn.ts';
import { isPlan, type Job, type JobIn } from '../../store/jobs/rows/job.ts';
import { Overtaken } from '../../store/overtaken.ts';
import { type Content, said } from '../blocks/message.ts';
import { bold } from '../blocks/mrkdwn.ts';
import type { Desk } from '../desk/desk.ts';
import { callOfHolder } from '../messages/approval/approvalCard.ts';
import { holderEnding, holderMessage } from '../messages/approval/holderMessages.ts';
import { type CardView, jobMessage, type MessagePart } from '../messages/jobMessage.ts';
import { describeJob } from '../messages/jobWords.ts';
import { planMessage } from '../messages/planMessage.ts';
import { outlookMessage } from '../messages/whoDecides.ts';
import { closedPlace } from './closedPlaceWords.ts';

/** What there is to tell of a job, and who is concerned. It is read anew each time: people are told what is so by then. */
export type JobNews = Readonly<{
  /**
   * The words of a part of a job's messages. `person` is the one whom it goes to, of a part that goes to one alone.
   * @throws {Overtaken} where the part is about a request that waits, and it waits no more
   */
  words(job: Job, part: MessagePart, person?: string): Promise<Content>;
  /** Tells whoever asked that the card went to them directly: `refusal` is what Slack said of their channel. */
  detour(job: Job, refusal: unknown): Content;
  deciders(job: JobIn<'awaiting'>): Promise<Deciders>;
  /** The clones that a job deletes and that others hold than whoever asked. */
  held(job: Job): Promise<readonly HeldClone[]>;
}>;

/** Reads what there is to tell of jobs. */
export type NewsReader = Judge &
  Desk<'jobs' | 'credentials' | 'audit' | 'names' | 'clock'> &
  Readonly<{ house: Readonly<{ offers: NonNullable<CardView['offers']> }> }>;

export function readNews(reader: NewsReader): JobNews {
  const { policy, people, names, house } = reader;
  const deciders: JobNews['deciders'] = job => whoCanNow(reader, job);
  const held: JobNews['held'] = async job => heldClonesOf(reader, job, await jobsOfPlan(reader, job));
  return {
    ...{ deciders, held },
    async words(job, part, person = job.person) {
      if (part === 'outlook') {
        if (job.state !== 'awaiting') throw new Overtaken();
        return outlookMessage(job, await deciders(job));
      }
      const asker = bold((await people.nameOf(job)) ?? job.person, 80);
      const view = { hasGlass: policy.emergency.length > 0, asker, names, offers: house.offers };
      if ((part === 'call' || part === 'objection') && job.state === 'awaiting') {
        const { calls } = await deciders(job);
        const { approval } = job;
        const called = { ...job, approval: { ...approval, terms: { ...approval.terms, approvers: [...calls] } } };
        return part === 'call' ? jobMessage(called, part, view) : callOfHolder(called, await objectors(reader, job));
      }
      if (part === 'objection') throw new Overtaken();
      if (part === 'holder' || part === 'holder:end') {
        const own = (await held(job)).filter(one => one.person === person);
        return part === 'holder' ? holderMessage(job, own, asker) : holderEnding(job, own, asker);
      }
      const isWhole = part === 'card' || part === 'approval' || part === 'reply';
      if (!isPlan(job) || !isWhole) return jobMessage(job, part, view);
      return planMessage({ plan: job, jobs: await jobsOfPlan(reader, job) }, part, view);
    },
    detour(job, refusal) {
      const { is, mend } = closedPlace(refusal);
      return said(`${is}, so I sent you the message of *${describeJob(job).title}* directly. ${mend}`);
    },
  };
}

/** The jobs of a plan; none of any other job, and none where another release wrote one of them. */
async function jobsOfPlan(reader: Desk<'jobs'>, job: Job): Promise<readonly Job[]> {
  return isPlan(job) ? ((await allJobsOf(reader, job.id)) ?? []) : [];
}

/** The names of those who hold what a request deletes and object, without mentions: their own word rings nobody of them. */
async function objectors({ people }: Judge, { team, approval }: Job): Promise<string> {
  const all = approval?.terms.objections ?? [];
  const names = await Promise.all(
    all.map(async ({ person }) => bold((await people.nameOf({ team, person })) ?? person, 80)),
  );
  return inRow(names, names.length);
}
