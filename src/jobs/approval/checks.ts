import type { Identifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { notSignedIn } from '../../records/records.ts';
import type { Owner } from '../../store/vault.ts';
import type { Parts } from '../parts.ts';
import type { Finding } from './facts/findings.ts';
import type { Inspection } from './facts/inspection.ts';
import type { Inquiry, Question } from './inquiry.ts';
import { checkDependents, checkEnvironment, checkSnapshots, checkState } from './policy/serviceRules.ts';
import { type ApprovalVerdict, forbiddenBy } from './policy/verdict.ts';

type Check = Readonly<{
  /** When the sending makes the check: `never` where its findings are hints that stop nothing. */
  sending: 'always' | 'unlessAllowed' | 'never';
  find(inquiry: Inquiry): Promise<readonly Finding[]>;
}>;

/**
 * The checks, in the order in which a request meets them. `why` makes all of them; the sending goes to the first stop.
 */
const checks: readonly Check[] = [
  { sending: 'always', find: checkSignIn },
  { sending: 'unlessAllowed', find: checkTarget },
  { sending: 'always', find: checkPolicy },
  { sending: 'unlessAllowed', find: checkApproval },
  { sending: 'never', find: checkState },
  { sending: 'unlessAllowed', find: checkEnvironment },
  { sending: 'unlessAllowed', find: checkDependents },
  { sending: 'never', find: checkSnapshots },
  { sending: 'never', find: checkJobs },
];

/** Makes every check of a request, and sends nothing but reads. @throws {Failure} `signed-out` */
export async function examine(inquiry: Inquiry): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const { find } of checks) found.push(...(await find(inquiry)));
  return found;
}

/**
 * Makes the checks of a request up to the first one that stops it; `undefined` where none does.
 * @throws {Failure} where the records that a check rests on were not read
 */
export async function findObstacle(inquiry: Inquiry): Promise<Finding | undefined> {
  for (const { sending, find } of checks) {
    if (sending === 'never') continue;
    if (sending === 'unlessAllowed' && (await inquiry.verdict()).type === 'allow') continue;
    const obstacle = (await find(inquiry)).find(({ stops }) => stops !== undefined);
    if (obstacle?.cause) throw obstacle.cause;
    if (obstacle) return obstacle;
  }
  return undefined;
}

/** Checks whether the person is signed in. */
export async function checkSignIn({ credential }: Pick<Question, 'credential'>): Promise<readonly Finding[]> {
  return credential
    ? [{ gate: 'signIn', result: 'passed', sentence: `You are signed in as ${credential.username}.` }]
    : [{ gate: 'signIn', result: 'failed', sentence: notSignedIn().message, stops: 'refused' }];
}

/**
 * Checks whether the target can be read. A failure stops the request only where the policy does not simply allow it.
 */
async function checkTarget({ target, name, reading, verdict }: Inquiry): Promise<readonly Finding[]> {
  const seen = await reading();
  if (!target || !seen) return [];
  if (!(seen instanceof Failure)) return [shownTarget(target, name, seen)];
  const { type } = await verdict();
  const rests =
    type === 'open' ? 'and the policy’s answer depends on it' : 'so nobody could see what they would approve';
  const isNeeded = type === 'open' || type === 'approve';
  if (seen.kind === 'missing')
    return [
      isNeeded
        ? { gate: 'target', result: 'failed', sentence: `No record shows ${target.text}, ${rests}.`, stops: 'refused' }
        : { gate: 'target', result: 'hidden', sentence: `No record shows ${target.text}; I use it as typed.` },
    ];
  if (seen.kind === 'forbidden' && isNeeded) {
    const sentence = `Your sign-in cannot read ${target.text}, ${rests}.`;
    return [{ gate: 'target', result: 'failed', sentence, stops: 'refused' }];
  }
  const sentence = `${nameAndId(target, name)}. I could not read everything about it: ${seen.message}`;
  return [{ gate: 'target', result: 'hidden', sentence, ...(isNeeded ? { stops: 'unknown', cause: seen } : {}) }];
}

function shownTarget(target: Identifier, name: string | undefined, { record }: Inspection): Finding {
  if (!record)
    return { gate: 'target', result: 'hidden', sentence: `I see no record of ${target.text}; I use it as typed.` };
  const called = record.id.text === target.text ? (record.name ?? name) : name;
  return { gate: 'target', result: 'passed', sentence: `${nameAndId(target, called)}.` };
}

function nameAndId({ text }: Identifier, name: string | undefined): string {
  return name === undefined || name === text ? text : `${name} is ${text}`;
}

async function checkPolicy({ target, verdict }: Inquiry): Promise<readonly Finding[]> {
  const found = await verdict();
  switch (found.type) {
    case 'open': {
      const sentence = 'The policy’s answer depends on the target, which was not read.';
      // Without a target, the form asks for it first.
      return [{ gate: 'policy', result: 'hidden', sentence, stops: target ? 'unknown' : undefined }];
    }
    case 'forbid':
      return [{ gate: 'policy', result: 'failed', sentence: forbiddenBy(found), stops: 'refused' }];
    case 'allow':
      return [{ gate: 'policy', result: 'passed', sentence: `It needs no approval: ${found.rule}.` }];
    case 'approve':
      return [{ gate: 'policy', result: 'passed', sentence: `It is allowed with approval: ${found.rule}.` }];
  }
}

type Judged = Pick<Inquiry, 'owner' | 'reason' | 'parts' | 'verdict'>;

/** Checks whether a request that needs approval has a reason, and whether enough people could approve it. */
export async function checkApproval({ owner, reason, parts, verdict }: Judged): Promise<readonly Finding[]> {
  const found = await verdict();
  if (found.type !== 'approve') return [];
  if (reason === null || (reason !== undefined && !canBeRead(reason))) {
    const sentence = `This needs approval (${found.rule}), and therefore a reason: ask again and say why.`;
    return [{ gate: 'approval', result: 'failed', sentence, stops: 'refused' }];
  }
  const { approvals, approvers, lifetime } = found;
  const { people, policy, clock } = parts;
  const others = await countTooFew(parts, owner, found);
  const mayBreakGlass = await people.isAmong(owner, policy.emergency, others === undefined ? undefined : 'now');
  const terms = { approvals, approvers, until: clock.now() + lifetime, mayBreakGlass: mayBreakGlass === true };
  if (others !== undefined) {
    const listed =
      others === 0
        ? 'nobody but you is listed'
        : `only ${others === 1 ? 'one other person is' : `${others} other people are`} listed`;
    const needed = `${approvals === 1 ? 'One approval is' : `${approvals} approvals are`} needed, and ${listed}`;
    // Nobody is refused because Slack does not tell who may break the glass.
    if (mayBreakGlass !== false) return [{ gate: 'approval', result: 'waits', sentence: `${needed}.`, terms }];
    const sentence = `${needed}: ask whoever runs me to list others.`;
    return [{ gate: 'approval', result: 'failed', sentence, terms, stops: 'refused' }];
  }
  const sentence = `${approvals === 1 ? 'One other person has' : `${approvals} other people have`} to approve it.`;
  return [{ gate: 'approval', result: 'waits', sentence, terms }];
}

/** Counts the approvers beside the requester where they are certainly too few; `undefined` where they may suffice. */
async function countTooFew(
  { people }: Parts<'people'>,
  { team, person }: Owner,
  { approvals, approvers }: ApprovalVerdict,
): Promise<number | undefined> {
  const count = async (now?: 'now') => {
    const members = await Promise.all(approvers.map(id => people.membersOf(team, [id], now)));
    // Slack shows no members of a group that it does not tell about.
    const isKnown = approvers.length > 0 && members.every(some => some.length > 0);
    return isKnown ? new Set(members.flat().filter(id => id !== person)).size : undefined;
  };
  const isTooFew = (others: number | undefined) => others !== undefined && others < approvals;
  // Nobody is refused because of a group that was read some minutes ago.
  if (!isTooFew(await count())) return undefined;
  const others = await count('now');
  return isTooFew(others) ? others : undefined;
}

/**
 * Checks whether anything else is under way on the target. Only people who see a record learn of others' work on it.
 */
async function checkJobs({ owner, target, reading, parts }: Inquiry): Promise<readonly Finding[]> {
  const seen = await reading();
  if (!target || !seen || seen instanceof Failure) return [];
  const jobs = await parts.jobs.openOn(owner.team, target.text);
  if (jobs.length > 0)
    return [{ gate: 'jobs', result: 'failed', sentence: 'Something else is under way on it:', jobs }];
  const state = seen.record?.id.text === target.text ? seen.record.state : undefined;
  return [
    state?.class === 'busy'
      ? { gate: 'jobs', result: 'failed', sentence: `The service is working on it: it is ${state.word}.` }
      : { gate: 'jobs', result: 'passed', sentence: 'I have nothing else under way on it.' },
  ];
}
