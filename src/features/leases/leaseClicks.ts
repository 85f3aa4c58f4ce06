import type { Mover } from '../../jobs/parts.ts';
import { readKeepFor, writeMoment } from '../../operations/keepFor.ts';
import { type Content, said } from '../../slack/blocks/blocks.ts';
import { bold, plain } from '../../slack/blocks/limits.ts';
import type { Desk, Greeter, Voice } from '../../slack/desk/desk.ts';
import { reactTo, reactToForm } from '../../slack/desk/reaction.ts';
import type { Use } from '../../slack/desk/use.ts';
import { openView } from '../../slack/desk/views.ts';
import { signedInAlready, signInOffer } from '../../slack/signIn/signIn.ts';
import { answerWish } from './answerWish.ts';
import { leaseId, leases } from './lease.ts';
import {
  bringBack,
  type CountedFrom,
  type LeaseAct,
  type LeaseOutcome,
  type LeaseSetter,
  requestLease,
  setLease,
  takeOver,
} from './leaseActs.ts';
import { leaseActions } from './leaseButtons.ts';
import { askByForm, askForm, type ChosenTime, keepForm, setByForm } from './leaseForms.ts';
import { untilWords } from './leaseMessages.ts';

/** Sets how long clones are kept, and tells whoever sees it. */
export type LeaseKeeper = LeaseSetter & Desk<'tell' | 'homes' | 'wake'>;

/** Reacts to the buttons of leases, and to the form that asks for a time. */
export const leaseReactions = [
  reactTo(leaseActions.keepMade, { perform: openFormOfJob }),
  reactTo(leaseActions.more, {
    perform: (desk: Voice & Desk<'things'>, use, record) => openKeepForm(desk, use, record),
  }),
  reactTo(leaseActions.extend, {
    acts: () => true,
    intent: ({ r, k, u }) => `lease ${r} ${u === undefined ? k : `until=${u}`}`,
    perform: (desk: LeaseKeeper, use, { r, k, e }) =>
      keepClone(desk, use, { record: r, text: k, from: e === undefined ? 'end' : { endsAt: e } }),
  }),
  reactTo(leaseActions.endless, {
    acts: () => true,
    intent: record => `lease ${record} none`,
    perform: (desk: LeaseKeeper, use, record) => keepClone(desk, use, { record, text: 'none' }),
  }),
  reactTo(leaseActions.bringBack, { acts: () => true, perform: acting(bringBack) }),
  reactTo(leaseActions.takeOver, { acts: () => true, perform: acting(takeOver) }),
  reactTo(leaseActions.grant, {
    acts: () => true,
    intent: ({ r, u }) => `lease ${r} until=${u}`,
    perform: (desk: LeaseKeeper, use, { r, n }) => answered(desk, use, { record: r, id: n, isGranted: true }),
  }),
  reactTo(leaseActions.decline, {
    acts: () => true,
    perform: (desk: LeaseKeeper, use, { r, n }) => answered(desk, use, { record: r, id: n, isGranted: false }),
  }),
  reactTo(leaseActions.ask, { perform: askForMore }),
  reactTo(leaseActions.signIn, {
    perform: async (desk: Greeter & Desk<'credentials'>, use) =>
      signInOffer(desk, use, null, await signedInAlready(desk, use)),
  }),
  reactToForm(setByForm, {
    perform: (desk: LeaseKeeper, use, { r, k }) => keepClone(desk, use, { record: r, text: k }),
  }),
  // Makes the request that the form asked the reason for.
  reactToForm(askByForm, {
    async perform(desk: Mover & Desk<'wake'>, use, { r, k, n, why }) {
      await requestLease(desk, actOf(use, r), { request: use.id, until: k, name: n, why });
      desk.wake();
      desk.tell();
      return said('I ask those who approve. Until they decide, its lease stays as it is.');
    },
  }),
];

/** A time as it was typed or clicked, for a record, and the moment from which it counts. */
export type KeepRequest = Readonly<{ record: string; text: string; from?: CountedFrom }>;

/** Sets the end of a clone’s lease, and says what came of it. @throws {Failure} `signed-out`, or where it cannot be read */
export async function keepClone(
  desk: LeaseKeeper,
  use: Use,
  { record, text, from = 'now' }: KeepRequest,
): Promise<Content> {
  const keep = readKeepFor(text);
  if (!keep) return said('I do not know this time any more. Please choose again.');
  return after(desk, record, await setLease(desk, actOf(use, record), keep, from));
}

function acting(act: (desk: LeaseSetter, who: LeaseAct) => Promise<LeaseOutcome>) {
  return async (desk: LeaseKeeper, use: Use, record: string) =>
    after(desk, record, await act(desk, actOf(use, record)));
}

async function answered(
  desk: LeaseKeeper,
  use: Use,
  { record, ...answer }: Readonly<{ record: string; id: string; isGranted: boolean }>,
): Promise<Content> {
  return after(desk, record, await answerWish(desk, actOf(use, record), answer));
}

function actOf({ team, person, channel }: Use, record: string): LeaseAct {
  return { team, person, channel, record };
}

/** Tells the outcome of an act, and starts the work that follows from it. */
async function after(desk: Desk<'tell' | 'homes' | 'wake'>, record: string, outcome: LeaseOutcome): Promise<Content> {
  if (outcome.type === 'refused') return said(plain(outcome.sentence, 500));
  if (outcome.type === 'set') {
    const { team, person, name, endsAt } = outcome.lease;
    await desk.homes.ask({ team, person });
    desk.wake();
    desk.tell();
    return said(`:hourglass: ${bold(name ?? record, 100)} is kept ${untilWords(endsAt)}.`);
  }
  if (outcome.type === 'asked' || outcome.type === 'declined') {
    desk.tell();
    const { name, person } = outcome.lease;
    const called = bold(name ?? record, 100);
    return said(
      outcome.type === 'asked'
        ? `The end of ${called} acts with the sign-in of <@${person}>, so I asked them whether they want it so. Until they say yes, it stays as it was.`
        : `${called} stays as it was, and whoever wished it hears of that.`,
    );
  }
  const { endsAt, most, name, terms } = outcome;
  const ruled = terms.rule === null ? '' : ` (${plain(terms.rule, 200)})`;
  const limit = most === undefined ? 'wants an end for each clone' : `lets you keep it ${untilWords(most)}`;
  const asking = [leaseActions.ask.button('Ask for approval…', { r: record, k: writeMoment(endsAt) })];
  return said(
    `The policy ${limit}${ruled}. ${bold(name, 100)} stays as it was. More needs the approval of others.`,
    asking,
  );
}

/** Opens the form that asks why a clone should be kept for longer than the policy allows. */
async function askForMore(desk: Voice & Desk<'things'>, use: Use, { r, k }: ChosenTime): Promise<undefined> {
  const name = (await desk.things.find(leases, leaseId(use.team, r)))?.name ?? r;
  await openView(desk, use, askForm({ r, k, n: name, channel: use.channel }));
  return undefined;
}

/** Opens the form of a lease. */
type LeaseFormOpener = Voice & Desk<'jobs' | 'things'>;

async function openFormOfJob(desk: LeaseFormOpener, use: Use, id: string): Promise<Content | undefined> {
  const job = await desk.jobs.find(id);
  const record = job && job.state !== 'unreadable' && job.team === use.team ? job.claimed : null;
  if (record === null) return said('I do not know the clone of this job any more.');
  return openKeepForm(desk, use, record);
}

async function openKeepForm(desk: Voice & Desk<'things'>, use: Use, record: string): Promise<undefined> {
  const lease = await desk.things.find(leases, leaseId(use.team, record));
  const endsAt = lease && lease.state !== 'ended' ? lease.endsAt : undefined;
  const view = keepForm(record, lease?.name ?? record, { channel: use.channel, endsAt });
  await openView(desk, use, view);
  return undefined;
}
