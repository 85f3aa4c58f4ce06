import type { Mover } from '../../jobs/parts.ts';
import { inOwnZone, readKeepFor, writeMoment } from '../../operations/requests/keepFor.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import type { Desk, Voice } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { reactTo, reactToForm } from '../../slack/desk/reaction.ts';
import { openView } from '../../slack/desk/views.ts';
import { offerSignIn } from '../../slack/signIn/signIn.ts';
import { leaseId, leases } from '../../store/tables/leases.ts';
import { answerWish, withdrawWish } from './answerWish.ts';
import { keepManyByForm, keptMany, setLeases } from './keepMany.ts';
import {
  bringBack,
  type CountedFrom,
  type LeaseAct,
  type LeaseOutcome,
  type LeaseSetter,
  setLease,
  takeOver,
} from './leaseActs.ts';
import { leaseActions } from './leaseButtons.ts';
import { askByForm, askForm, type ChosenTime, keepForm, setByForm } from './leaseForms.ts';
import { heldBackWords, untilWords } from './leaseMessages.ts';
import { requestLease } from './requestLease.ts';

/** Sets how long clones are kept, and tells whoever sees it. */
export type LeaseKeeper = LeaseSetter & Desk<'homes'>;

/** Reacts to the buttons of leases, and to the form that asks for a time. */
export const leaseReactions = [
  reactTo(leaseActions.keepMade, { perform: openFormOfJob }),
  reactTo(leaseActions.more, { perform: openKeepForm }),
  reactTo(leaseActions.extend, {
    acts: () => true,
    intent: ({ r, k, u }) => `lease ${r} ${u === undefined ? k : `until=${u}`}`,
    perform: (desk: LeaseKeeper, interaction, { r, k, e }) =>
      keepClone(desk, interaction, { record: r, text: k, from: e === undefined ? 'end' : { endsAt: e } }),
  }),
  reactTo(leaseActions.endless, {
    acts: () => true,
    intent: record => `lease ${record} none`,
    perform: (desk: LeaseKeeper, interaction, record) => keepClone(desk, interaction, { record, text: 'none' }),
  }),
  reactTo(leaseActions.bringBack, { acts: () => true, perform: acting(bringBack) }),
  reactTo(leaseActions.takeOver, { acts: () => true, perform: acting(takeOver) }),
  reactTo(leaseActions.grant, { acts: () => true, intent: v => `lease ${v.r} until=${v.u}`, perform: answering(true) }),
  reactTo(leaseActions.decline, { acts: () => true, perform: answering(false) }),
  reactTo(leaseActions.withdraw, {
    acts: () => true,
    perform: async (desk: LeaseKeeper, interaction, { r, n }) =>
      after(desk, r, await withdrawWish(desk, actOf(interaction, r), n)),
  }),
  reactTo(leaseActions.ask, { perform: askForMore }),
  reactTo(leaseActions.signIn, { perform: offerSignIn }),
  reactToForm(setByForm, {
    perform: (desk: LeaseKeeper, interaction, { r, k }) => keepClone(desk, interaction, { record: r, text: k }),
  }),
  reactToForm(keepManyByForm, {
    perform: (desk: LeaseKeeper, interaction, { records, k }) => keepClones(desk, interaction, records, k),
  }),
  // Makes the request that the form asked the reason for.
  reactToForm(askByForm, {
    async perform(desk: Mover, interaction, { r, k, n, why }) {
      await requestLease(desk, actOf(interaction, r), { request: interaction.id, until: k, name: n, why });
      return said('I ask the approvers. Until they decide, its lease stays as it is.');
    },
  }),
];

/** A time as it was typed or clicked, for a record, and the moment from which it counts. */
type KeepRequest = Readonly<{ record: string; text: string; from?: CountedFrom }>;

/** Sets the end of a clone’s lease, and says what came of it. @throws {Failure} `signed-out`, or where it cannot be read */
export async function keepClone(
  desk: LeaseKeeper,
  interaction: Interaction,
  { record, text, from = 'now' }: KeepRequest,
): Promise<Content> {
  const keep = readKeepFor(inOwnZone(text, await desk.people.zoneOf(interaction)));
  if (!keep) return said('I can’t read this time. Please choose again.');
  return after(desk, record, await setLease(desk, actOf(interaction, record), keep, from));
}

/** Likewise for several clones. @throws {Failure} `signed-out` */
export async function keepClones(
  desk: LeaseKeeper,
  interaction: Interaction,
  records: Parameters<typeof setLeases>[2],
  text: string,
): Promise<Content> {
  const keep = readKeepFor(inOwnZone(text, await desk.people.zoneOf(interaction)));
  if (!keep) return said('I can’t read this time. Please choose again.');
  const { team, person, channel } = interaction;
  const all = await setLeases(desk, { team, person, channel }, records, keep);
  const owners = all.flatMap(([, outcome]) => (outcome.type === 'set' ? outcome.lease.person : []));
  for (const owner of new Set(owners)) await desk.homes.ask({ team, person: owner });
  return keptMany(all);
}

function acting(act: (desk: LeaseSetter, who: LeaseAct) => Promise<LeaseOutcome>) {
  return async (desk: LeaseKeeper, interaction: Interaction, record: string) =>
    after(desk, record, await act(desk, actOf(interaction, record)));
}

function answering(isGranted: boolean) {
  return async (
    desk: LeaseKeeper,
    interaction: Interaction,
    { r, n, u }: Readonly<{ r: string; n: string; u: string }>,
  ) => after(desk, r, await answerWish(desk, actOf(interaction, r), { id: n, isGranted, until: u }));
}

function actOf({ team, person, channel }: Interaction, record: string): LeaseAct {
  return { team, person, channel, record };
}

/** Tells the outcome of an act. */
async function after(desk: Desk<'homes'>, record: string, outcome: LeaseOutcome): Promise<Content> {
  if (outcome.type === 'refused') return said(plain(outcome.sentence, 500));
  if (outcome.type === 'set') {
    const { team, person, name, endsAt } = outcome.lease;
    await desk.homes.ask({ team, person });
    const then = endsAt === null ? '' : endWords(outcome);
    return said(`:hourglass: ${bold(name ?? record, 100)} is kept ${untilWords(endsAt)}.${then}`);
  }
  if (outcome.type !== 'too long') {
    const { name, person } = outcome.lease;
    const called = bold(name ?? record, 100);
    if (outcome.type === 'asked')
      return said(
        `What happens at the end of ${called} uses the sign-in of ${mentionOf(person)}, so I asked them first. Until they agree, it stays as it was.`,
        [leaseActions.withdraw.button('Withdraw', { r: record, n: outcome.question })],
      );
    const rest =
      outcome.type === 'declined' ? 'I tell the person who asked for that' : `I no longer ask ${mentionOf(person)}`;
    return said(`${called} stays as it was, and ${rest}.`);
  }
  const { endsAt, most, name, terms } = outcome;
  const ruled = terms.rule === null ? '' : ` (${plain(terms.rule, 200)})`;
  const limit = most === undefined ? 'wants an end for each clone' : `lets you keep it ${untilWords(most)}`;
  const asking = [leaseActions.ask.button('Ask for approval…', { r: record, k: writeMoment(endsAt) })];
  return said(
    `The policy ${limit}${ruled}. ${bold(name, 100)} stays as it was. Keeping it longer needs approval.`,
    asking,
  );
}

/** Says what the word of whoever set the end means for a clone that Dolly did not make. */
function endWords({ lease, terms }: Extract<LeaseOutcome, { type: 'set' }>): string {
  if (terms?.isHeldBack) return ` ${heldBackWords}`;
  if (lease.job !== null || !terms?.mayAct) return '';
  return ` Because you are an approver, the policy then ${terms.end === 'delete' ? 'stops and deletes' : 'stops'} it.`;
}

/** Opens the form that asks why a clone should be kept for longer than the policy allows. */
async function askForMore(desk: Voice & Desk<'things'>, interaction: Interaction, { r, k }: ChosenTime) {
  const name = (await desk.things.find(leases, leaseId(interaction.team, r)))?.name ?? r;
  await openView(desk, interaction, askForm({ r, k, n: name, channel: interaction.channel }));
  return undefined;
}

async function openFormOfJob(desk: Voice & Desk<'jobs' | 'things'>, interaction: Interaction, id: string) {
  const job = await desk.jobs.find(id);
  const record = job && job.state !== 'unreadable' && job.team === interaction.team ? job.claimed : null;
  if (record === null) return said('I can’t find the clone of this job.');
  return openKeepForm(desk, interaction, record);
}

async function openKeepForm(desk: Voice & Desk<'things'>, interaction: Interaction, record: string) {
  const lease = await desk.things.find(leases, leaseId(interaction.team, record));
  const endsAt = lease && lease.state !== 'ended' ? lease.endsAt : undefined;
  const view = keepForm(record, lease?.name ?? record, { channel: interaction.channel, endsAt });
  await openView(desk, interaction, view);
  return undefined;
}
