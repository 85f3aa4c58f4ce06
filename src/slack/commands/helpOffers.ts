import { allApprovers } from '../../jobs/approval/policy/rules.ts';
import type { Judge } from '../../jobs/parts.ts';
import { catalogue, formOperation, jobOperation } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import type { Owner } from '../../store/vault.ts';
import { allowedOperations } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { OwnCommand } from '../house.ts';
import type { Allows } from '../records/recordBlocks.ts';

/** A command that the help shows: an operation, or one of Dolly's own. */
export type HelpOffer = Operation | OwnCommand;

/** What the help offers first: commands in all, those by what a person did before, and the jobs that tell that. */
const most = { offers: 6, before: 4, jobs: 200 } as const;

/** What people do most who have not done anything yet, by the names of operations and the words of own commands. */
const usual = [
  'login',
  'approvals',
  'database.list',
  'clone.create',
  'status',
  'database.backup',
  'jobs',
  'stats',
  'doctor',
];

/** Reads what a person may be offered. */
export type OfferReader = Judge & Desk<'jobs' | 'credentials' | 'house' | 'log'>;

/**
 * The six commands that help a person most: a sign-in where it is missing, approvals where they approve, what they asked
 * for most before, and what most people begin with. Nothing that the policy forbids to them is among them. What cannot
 * be learned in time is left out, since the help must always come.
 */
export async function offersTo(desk: OfferReader, { team, person }: Owner): Promise<readonly HelpOffer[]> {
  const owner = { team, person };
  const orElse =
    <T>(instead: T) =>
    (error: unknown): T => {
      desk.log.info({ error, person }, 'the help goes without what could not be read');
      return instead;
    };
  const approvers = allApprovers(desk.policy);
  const [isSignedIn, isApprover, before, isAllowed] = await Promise.all([
    desk.credentials.has(owner).catch(orElse(true)),
    approvers.length === 0 ? false : desk.people.isAmong(owner, approvers).catch(orElse(undefined)),
    desk.jobs.lastAsked(owner, most.jobs).catch(orElse<readonly string[]>([])),
    allowedOperations(desk, owner).catch(orElse(() => true)),
  ]);
  return chooseOffers(desk.house.commands, { isSignedIn, isApprover: isApprover === true, before, isAllowed });
}

/** What is known of a person; `before` are the operations that they asked for, the latest first. */
type KnownPerson = Readonly<{ isSignedIn: boolean; isApprover: boolean; before: readonly string[]; isAllowed: Allows }>;

/** Chooses the commands. */
export function chooseOffers(own: readonly OwnCommand[], known: KnownPerson): readonly HelpOffer[] {
  const { isSignedIn, isApprover, before, isAllowed } = known;
  const left = [...(isSignedIn ? ['login'] : []), ...(isApprover ? [] : ['approvals'])];
  const beginning = usual.filter(name => !left.includes(name));
  const first = beginning.filter(name => name === 'login' || name === 'approvals');
  const asked = new Map<string, number>();
  for (const name of before) {
    const operation = jobOperation(name);
    const form = operation && formOperation(operation).name;
    if (form !== undefined) asked.set(form, (asked.get(form) ?? 0) + 1);
  }
  // A sort keeps the order of equals: of those that were asked for as often, the latest comes first.
  const often = [...asked].toSorted(([, one], [, other]) => other - one).map(([name]) => name);
  const offer = (name: string): HelpOffer[] => {
    const operation = catalogue.find(entry => entry.name === name);
    if (operation) return operation.type === 'read' || isAllowed(operation) ? [operation] : [];
    return own.filter(({ word }) => word === name);
  };
  const wanted = often.flatMap(offer).slice(0, most.before);
  return [...new Set([...first.flatMap(offer), ...wanted, ...beginning.flatMap(offer)])].slice(0, most.offers);
}
