import type { Button } from '@slack/types';
import { typedIdentifier } from '../../../api/identifiers.ts';
import { Failure, nothingBut } from '../../../ground/failure.ts';
import { examine } from '../../../jobs/approval/checks.ts';
import { certainGates, type Finding, type Gate, gates } from '../../../jobs/approval/facts/findings.ts';
import { openInquiry } from '../../../jobs/approval/inquiry.ts';
import { holdersByRecord } from '../../../jobs/approval/people/holder.ts';
import { isOwnYoungClone, ownCloneRule } from '../../../jobs/approval/policy/ownClone.ts';
import { marksOfTarget } from '../../../jobs/approval/sameAsShown.ts';
import { deleteDatabase } from '../../../operations/databases.ts';
import type { JobOperation, Values } from '../../../operations/operation.ts';
import { notSignedIn } from '../../../records/records.ts';
import type { Impact, ShownMarks } from '../../../store/jobs/rows/data.ts';
import type { Owner } from '../../../store/vault.ts';
import { mentionDeciders, mentionOf } from '../../blocks/mentionPeople.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import { describeTarget, factIn } from '../../records/targetWords.ts';
import type { PageReader } from '../formDesk.ts';

/** A request before it is made, as its last page describes it, in mrkdwn. */
export type Beforehand = Readonly<{
  /** What the target is. */
  what: string;
  /** Who must approve, or why nobody has to; empty where that is not known. */
  approval: string;
  /** Whether its person may do it alone, since it is their own young clone. */
  isFree?: boolean;
  /** A misleading name, and the obstacles that will stop the request (`error`): a sentence of mrkdwn each. */
  warnings: readonly Readonly<{ level: 'warning' | 'error'; text: string }>[];
  /** Whether it would be refused before the service is asked. */
  isRefused?: boolean;
  /** The loss by a restore, and the things around it, as far as they are shown. */
  impact?: Impact | undefined;
  /** What tells the target from other records that have its identifier later, as far as it was read. */
  asShown?: ShownMarks;
  /** Buttons that lead to what would work instead. */
  offers?: readonly Button[];
}>;

/** Describes a request by the records and the policy. What cannot be read is left out. */
export async function knownBeforehand(
  desk: PageReader,
  owner: Owner,
  operation: JobOperation,
  values: Values,
): Promise<Beforehand | undefined> {
  const target = typedIdentifier(String(values[operation.target] ?? ''));
  if (!target) return undefined;
  try {
    const session = await desk.records.session(owner);
    if (!session) throw notSignedIn();
    const { credential, records } = session;
    const inquiry = openInquiry(desk, { owner, credential, operation, values, target, records });
    const seen = await inquiry.reading();
    const isRead = seen !== undefined && !(seen instanceof Failure);
    const facts = isRead ? seen.facts : [];
    const verdict = await inquiry.verdict();
    const isFree = verdict.type === 'allow' && verdict.rule === ownCloneRule;
    const isReady = isRead && verdict.type === 'approve' && operation.name === deleteDatabase.name;
    const hint = isReady && (await isOwnYoungClone(desk, owner, records, seen)) ? readyRule : '';
    const beware = factIn(facts, 'beware');
    const findings = await examine(inquiry);
    const impact = await inquiry.impact().catch(nothingBut('signed-out'));
    // What the service would say to the steps of a plan is judged step by step (pageFacts.ts).
    const isJudged = (gate: Gate) => operation.type === 'write' || gates[gate].of === 'dolly';
    const against = findings.filter(
      ({ gate, result, stops }) =>
        isJudged(gate) && (stops === 'refused' || (result === 'failed' && certainGates.has(gate))),
    );
    const asShown = isRead ? await marksOfTarget(records, target, seen.record) : {};
    return {
      ...(isRead ? { asShown } : {}),
      what: `${describeTarget(facts, target)} (${code(target.text)}).${await holderSentence(desk, owner, operation, asShown)}`,
      approval: isFree
        ? `Nobody has to approve: ${ownCloneRule}.`
        : `${findings.map(finding => approvalSentence(finding, owner.person)).join('')}${hint}`,
      isFree,
      isRefused: against.some(({ stops }) => stops === 'refused'),
      impact,
      warnings: [
        ...(beware === undefined ? [] : [{ level: 'warning' as const, text: plain(beware, 600) }]),
        ...against.map(({ gate, sentence }) => {
          const by = certainGates.has(gate) ? 'The service will refuse this' : 'This will not be sent';
          return { level: 'error' as const, text: `${by}: ${plain(sentence, 600)}` };
        }),
      ],
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, operation: operation.name }, 'a last page is shown without what the records say');
    return { what: `${code(target.text)}.`, approval: '', warnings: [] };
  }
}

/** Names the rule that would free this, to those who run Dolly. */
const readyRule =
  ' With the line `ownClones: free` in the policy file, you could delete a clone of your own without approval for a day after making it.';

/** Says whose the clone is that a request deletes. */
async function holderSentence(
  desk: PageReader,
  { team, person }: Owner,
  { deletes }: JobOperation,
  asShown: ShownMarks,
): Promise<string> {
  const [holder] = deletes ? (await holdersByRecord(desk, team, asShown)).values() : [];
  if (holder === undefined) return '';
  return holder === person ? ' You hold it.' : ` ${mentionOf(holder)} holds it.`;
}

function approvalSentence({ terms, stops }: Finding, person: string): string {
  if (!terms || stops) return '';
  const others = terms.approvers.filter(id => id !== person);
  const many = terms.approvals;
  if (others.length === 0)
    return `${many === 1 ? 'Another person' : `${many} other people`} who can sign in to the service must approve.`;
  return `${many === 1 ? 'One' : many} of ${mentionDeciders(others)} must approve.`;
}
