import { z } from 'zod';

/*
 * A plan is all that people do and all that breaks, drawn before the run (drawing.ts) and kept as JSON. Its seed feeds what
 * is left to chance during the run: one stream for each purpose. So to take an act out changes nothing else. Times are
 * milliseconds since the begin.
 */

const at = z.number().nonnegative();
const length = z.number().positive();
const twice = z.boolean();
const person = z.enum(['Ana', 'Ben', 'Chi', 'Dev', 'Eve']);
export type PersonName = z.output<typeof person>;
const button = z.enum(['Withdraw', 'Check now', 'Stop checking', 'Stop after this step', 'Go on from here']);
/** The buttons on messages of leases, which stand in direct messages. */
const leaseButton = z.enum(['1 day longer', 'Keep', 'Bring it back', 'Set this end', 'Leave it as it is']);

/** How a request is forged: see forge.ts. */
export const forgeries = [
  'unsigned',
  'other team',
  'other release',
  'other site',
  'again',
  'much later',
  'old',
] as const;

const alertButton = z.enum(['I’m on it']);

/** What somebody does, or what happens at the service. `of` names another act. */
const Act = z.discriminatedUnion('act', [
  /** With `presses`, they press the link, too, of which Slack tells. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('sign in'),
    who: person,
    as: z.string(),
    presses: z.boolean().optional(),
  }),
  z.object({ at, id: z.string(), act: z.literal('sign out'), who: person }),
  /** With `twice`, what was filled in is submitted twice at the same time. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('clone'),
    who: person,
    port: z.number(),
    word: z.string(),
    twice,
    /** The time until which it is to be kept, to the minute. */
    until: at.optional(),
  }),
  z.object({ at, id: z.string(), act: z.literal('back up'), who: person, record: z.string() }),
  z.object({
    at,
    id: z.string(),
    act: z.literal('restore'),
    who: person,
    record: z.string(),
    twice,
    first: z.boolean().optional(),
  }),
  z.object({ at, id: z.string(), act: z.literal('delete'), who: person, record: z.string(), twice }),
  z.object({
    at,
    id: z.string(),
    act: z.literal('decide'),
    who: person,
    of: z.string(),
    how: z.enum(['approve', 'deny']),
    twice,
  }),
  z.object({ at, id: z.string(), act: z.literal('withdraw'), who: person, of: z.string() }),
  /** Somebody presses a button on the message of their own request. */
  z.object({ at, id: z.string(), act: z.literal('press'), who: person, of: z.string(), button }),
  /**
   * Somebody deletes a record with all that depends on it: in the begin, that is one clone, or so `many`, whose long names
   * differ at their ends. Such a request has no room on a card.
   */
  z.object({
    at,
    id: z.string(),
    act: z.literal('tear down'),
    who: person,
    record: z.string(),
    twice,
    many: z.number().optional(),
  }),
  /** Somebody makes a clone of another person anew. */
  z.object({ at, id: z.string(), act: z.literal('renew'), who: person, of: z.string() }),
  /** Somebody sets how long a clone is kept; `null`: without an end. */
  z.object({ at, id: z.string(), act: z.literal('keep'), who: person, of: z.string(), until: at.nullable() }),
  /** Somebody presses a button on a message about the lease of a clone. */
  z.object({ at, id: z.string(), act: z.literal('press lease'), who: person, of: z.string(), button: leaseButton }),
  /** Somebody puts the backup of a record on a schedule. `byAccount`: with the service account, which others approve. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('schedule'),
    who: person,
    record: z.string(),
    byAccount: z.boolean().optional(),
  }),
  z.object({
    at,
    id: z.string(),
    act: z.literal('press schedule'),
    who: person,
    of: z.string(),
    button: z.enum(['Pause', 'Resume', 'Change…', 'Delete…', 'Run now']),
  }),
  /** Somebody runs a workflow of one step in the name of a person. One workflow on one record needs one leave. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('run step'),
    who: person,
    as: person,
    step: z.enum(['back_up', 'renew', 'refresh', 'clone', 'wait_until']),
    workflow: z.string(),
    record: z.string(),
    byAccount: z.boolean().optional(),
  }),
  /** That person answers the message that asks for their leave. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('answer step'),
    who: person,
    of: z.string(),
    button: z.enum(['Allow', 'Don’t allow']),
  }),
  /** They change their mind in Home. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('change leave'),
    who: person,
    of: z.string(),
    button: z.enum(['Revoke', 'Allow']),
  }),
  z.object({ at, id: z.string(), act: z.literal('list'), who: person }),
  /**
   * Somebody types words, if any, and then presses what they see: each pick is a number from 0 to 1, the `action_id` of a
   * button (with `#first`, of the first such one; with a dot before it, what an `action_id` ends in), `submit`, `wait`, or a
   * field and what is filled in, with `=` between. A clone that comes of it gets the port. They wait so long for a button.
   */
  z.object({
    at,
    id: z.string(),
    act: z.literal('wander'),
    who: person,
    words: z.string().optional(),
    picks: z.array(z.union([z.number(), z.string()])),
    port: z.number(),
    patience: length.optional(),
  }),
  /** A clone that somebody asked for is stopped at the service, or is gone there. */
  z.object({ at, id: z.string(), act: z.literal('lose clone'), of: z.string(), how: z.enum(['stop', 'remove']) }),
  /** Somebody turns the alerts of the channel on or off. */
  z.object({ at, id: z.string(), act: z.literal('alerts'), who: person, how: z.enum(['on', 'off']) }),
  /** Somebody backs up several databases at once, by one page. */
  z.object({
    at,
    id: z.string(),
    act: z.literal('back up several'),
    who: person,
    records: z.array(z.string()).min(2),
    twice,
  }),
  /** A database fails at the service, or works again. */
  z.object({ at, id: z.string(), act: z.literal('break'), record: z.string(), how: z.enum(['fail', 'mend']) }),
  /** Somebody presses a button on the message of an incident that names a database. */
  z.object({ at, id: z.string(), act: z.literal('press alert'), who: person, of: z.string(), button: alertButton }),
  z.object({ at, id: z.string(), act: z.literal('end tokens'), as: z.string() }),
  /** Somebody sends the last click, or a sign-in, once more, in a way in which Slack or a browser never would. */
  z.object({ at, id: z.string(), act: z.literal('forge'), how: z.enum(forgeries) }),
  /** Somebody is no longer among those who may approve. */
  z.object({ at, id: z.string(), act: z.literal('leave group'), approver: person }),
  z.object({
    at,
    id: z.string(),
    act: z.literal('change'),
    record: z.string(),
    how: z.enum(['rename', 'move', 'remake', 'depend', 'snapshot']),
  }),
]);
export type Act = z.output<typeof Act>;
export type ActOf<Name extends Act['act']> = Extract<Act, { act: Name }>;

const bot = z.number().int().min(0);
/** Where a process is met, or whichever comes first: at the `skip`-th such point, of those `on` such an errand. */
const met = {
  point: z.enum(['statement', 'request', 'answer', 'timer']),
  side: z.enum(['before', 'after']),
  on: z.enum(['all', 'writes', 'service', 'service writes']),
  skip: bot,
};

/**
 * What breaks. A fault of a process or a message waits from `at` on for the point that it names, or for the message; it
 * passes `skip` of them first.
 */
const Fault = z.discriminatedUnion('fault', [
  /** The process dies and is started again after `down`; with `power`, what was only lightly committed is gone. */
  z.object({ at, fault: z.literal('kill'), bot: bot.optional(), ...met, down: length, power: z.boolean() }),
  z.object({ at, fault: z.literal('restart'), bot, down: length }),
  z.object({ at, fault: z.literal('freeze'), bot: bot.optional(), ...met, ms: length }),
  z.object({ at, fault: z.literal('clock'), bot, by: z.number() }),
  /** Messages to somebody get lost: they never arrive, or are done and the answer is lost. */
  z.object({
    at,
    fault: z.literal('lose'),
    to: z.enum(['slack', 'service', 'bot']),
    what: z.enum(['request', 'answer']),
    writes: z.boolean(),
    /** A method of Slack's alone; empty: any. */
    method: z.string().optional(),
    isSilent: z.boolean(),
    skip: bot,
    times: z.number().int().positive(),
  }),
  z.object({ at, fault: z.literal('slow'), to: z.enum(['slack', 'service', 'bot']), ms: length, lasts: length }),
  z.object({ at, fault: z.literal('away'), to: z.enum(['slack', 'service']), lasts: length }),
  /** Slack answers with a word of refusal, or asks to wait. */
  z.object({
    at,
    fault: z.literal('refuse'),
    word: z.string(),
    method: z.string(),
    skip: bot,
    times: z.number().int().positive(),
  }),
  /** The service answers with an error of this status, and did nothing. */
  z.object({
    at,
    fault: z.literal('error'),
    status: z.number().int(),
    writes: z.boolean(),
    skip: bot,
    times: z.number().int().positive(),
  }),
  /** The disk of the store is full, or the store is away. */
  z.object({ at, fault: z.literal('store'), how: z.enum(['full', 'away']), lasts: length }),
  /** A commit is done, and its answer is lost. */
  z.object({ at, fault: z.literal('unknown commit'), skip: bot, times: z.number().int().positive() }),
  /**
   * The store is as it was `by` milliseconds before. `standby`: another server has taken over, and did not have all of it; all
   * connections break, and the bots go on. `restored`: a backup was put back while no bot ran, which they are told.
   */
  z.object({ at, fault: z.literal('go back'), by: length, how: z.enum(['standby', 'restored']) }),
  /** A request that changes something comes later than its sender waits. No sender can do right then. */
  z.object({ at, fault: z.literal('late'), ms: length, skip: bot }),
]);
export type Fault = z.output<typeof Fault>;
export type FaultOf<Name extends Fault['fault']> = Extract<Fault, { fault: Name }>;

export const Plan = z.object({
  seed: z.string(),
  /** The number of bots; more than one share their store. */
  bots: z.number().int().min(1).max(3),
  store: z.enum(['embedded', 'shared']),
  /** Whether approvals have a channel of their own. */
  approvalChannel: z.boolean(),
  /** Whether a rule of the policy ends clones. */
  leases: z.boolean().optional(),
  /** How many people must approve, where that is not one; Eve may, too, then. */
  approvals: z.number().optional(),
  /** Whether it is a tour: people use all that there is, under a policy of its own, and little breaks. */
  tour: z.enum(['leases', 'approvals', 'pairs']).optional(),
  /** Whether there is a service account. */
  account: z.boolean().optional(),
  /** The seed of the dialect that the service speaks, where that is not the sandbox's own (drawnService.ts). */
  dialect: z.string().optional(),
  /** From then on nothing breaks any more. */
  quietFrom: at,
  acts: z.array(Act),
  faults: z.array(Fault),
});
export type Plan = z.output<typeof Plan>;

/** A plan that is kept, with the invariant that it broke and the acts that it must reach to show anything. */
export const KeptPlan = Plan.extend({ shows: z.string(), reaches: z.array(z.string()) });
