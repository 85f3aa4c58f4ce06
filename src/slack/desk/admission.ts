import { Failure } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import { forbiddenBy, possibleVerdicts, subjectOf } from '../../jobs/approval/policy/verdict.ts';
import type { Judge } from '../../jobs/parts.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { notSignedIn } from '../../records/records.ts';
import { isAccount } from '../../store/serviceOwner.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk, Doorkeeper } from './desk.ts';

/**
 * Lets only members of the workspace go on, and people whom the configuration admits. Every listener calls this first.
 * If Slack does not answer in time, its answer of the last day counts. Without one, whoever only asks goes on: Slack's
 * trouble must not stop people. What `acts` waits until Slack tells. Takes at most a second, which leaves time for an ack or
 * a form. Who `signs in` is let in by what Slack says now, for which Dolly waits longer: a sign-in outlives a guest's stay.
 * @throws {Failure} `forbidden`; `busy` where Slack does not tell
 */
export async function mustBeAdmitted(
  desk: Desk<'people' | 'log'>,
  { team, person }: Owner,
  what: 'asks' | 'acts' | 'signs in' = 'asks',
): Promise<void> {
  // No id of Slack's is its name. Whoever could make one up must not act with the service account, Slack silent or not.
  if (isAccount({ team, person })) throw new Failure('forbidden', strangers.outsider);
  const owner = { team, person };
  const signsIn = what === 'signs in';
  const standing = await (signsIn ? desk.people.standingOf(owner, 'now', patience) : desk.people.standingOf(owner));
  switch (standing) {
    case 'member':
      return;
    case 'unknown':
      if (what !== 'asks')
        throw new Failure(
          'busy',
          'Slack cannot tell me at the moment whether you are a member here, so I did nothing. Please try again.',
        );
      desk.log.info({ person, team }, 'let in to ask, although Slack did not tell whether they are a member');
      return;
    default:
      desk.log.info({ person, team, standing }, 'refused, being no member of the workspace');
      throw new Failure('forbidden', strangers[standing]);
  }
}

/** How long a sign-in waits for Slack, in milliseconds. */
const patience = 5_000;

const strangers = {
  guest: 'Guests of this workspace cannot use me. My operator can allow guests.',
  outsider: 'Only members of this workspace can use me. My operator can allow your workspace.',
} as const;

/** Lets only people go on who are signed in, and gives their sign-in. @throws {Failure} `signed-out` */
export async function mustBeSignedIn(desk: Desk<'credentials'>, { team, person }: Owner): Promise<Credential> {
  const credential = await desk.credentials.find({ team, person });
  if (!credential) throw notSignedIn();
  return credential;
}

/**
 * Tells of each operation whether this person may ask for it: no rule of the policy forbids it to them for every
 * target. It decides what is offered; {@link mustBeAllowed} decides what is taken.
 */
export async function allowedOperations(
  desk: Judge,
  { team, person }: Owner,
): Promise<(operation: JobOperation) => boolean> {
  const { isOneOf } = await subjectOf(desk, { team, person }, { name: '' });
  return operation => possibleVerdicts(desk.policy, { operation, isOneOf }).some(({ type }) => type !== 'forbid');
}

/**
 * Refuses an operation that the policy forbids to this person for every target, before a form is filled in vain. The
 * refusal goes to the trail.
 * @throws {Failure} `forbidden`
 */
export async function mustBeAllowed(
  desk: Doorkeeper,
  { team, person, channel }: Owner & { channel: string },
  operation: JobOperation,
): Promise<void> {
  const owner = { team, person };
  const possible = possibleVerdicts(desk.policy, await subjectOf(desk, owner, operation));
  const [verdict] = possible;
  if (!possible.every(({ type }) => type === 'forbid')) return;
  const by = await actorOf(desk, owner, channel);
  const entry = { ...by, team, person, operation: operation.name, event: 'forbidden', detail: verdict.rule };
  await desk.audit.add({ ...entry, at: desk.clock.now() });
  throw new Failure('forbidden', `${forbiddenBy(verdict)} Nothing was sent.`);
}
