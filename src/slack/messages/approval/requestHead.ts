import { keyOf } from '../../../jobs/approval/facts/fact.ts';
import { noDependents } from '../../../jobs/approval/facts/facts.ts';
import { doubtsAbout } from '../../../operations/doubts.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { cut } from '../../blocks/limits.ts';
import { momentAfter } from '../../blocks/moments.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import { describeTarget, doubtLine, factIn, lossAsked, meetingLines } from '../../records/targetWords.ts';
import { type JobWords, quoteOf } from '../jobWords.ts';

/**
 * What an approver must know first, as lines of mrkdwn: who asks for what and why, the harm, what depends on it, and until
 * when to decide. However long one of them is, it takes nothing from the others.
 */
export function requestHead(job: Job, { operation, target, asker, name, phrase }: JobWords): readonly string[] {
  const facts = job.approval?.facts ?? [];
  const beware = factIn(facts, 'beware');
  const isKnown = facts.some(({ label }) => label !== 'Identifier');
  const ofTarget = isKnown ? ` (${describeTarget(facts, target)})` : '';
  const what = job.steps && job.steps.length > 0 ? ` (${job.steps.length} steps)` : ofTarget;
  const loss = lossAsked(operation, job.impact, operation.type === 'plan' && operation.of !== undefined);
  const met = job.impact ? meetingLines(job.impact) : [];
  const harm = operation.warning?.(cut(name, 100), job.values);
  const depends = job.impact?.clones ? '' : dependentsSentence(facts);
  const until = job.approval ? `Decide ${momentAfter('by', job.approval.expiresAt)}.` : '';
  return [
    `:lock: ${asker} asks to *${phrase('asks')}*${what}`,
    quoteOf(job.purpose ?? '', 500),
    ...(beware === undefined ? [] : [`:warning: *Beware*: ${plain(beware, 500)}`]),
    [harm === undefined ? '' : plain(harm, 600), loss, depends, until].filter(Boolean).join(' '),
    ...met.map(line => `•  ${line}`),
    ...doubtsAbout(operation, job.values).map(doubtLine),
  ];
}

/** Max characters of the records that depend on a target in a sentence. */
const maxDependents = 1_900;

function dependentsSentence(facts: readonly Fact[]): string {
  const { value, compared } = dependentsIn(facts) ?? {};
  if (value === undefined || compared === undefined) return '';
  // A record may be called like these words, and is compared by its identifier.
  if (compared === '' && value === noDependents.none) return 'The records show nothing that depends on it.';
  if (value === noDependents.hidden && (compared === '' || compared === value))
    return 'The records do not show whether anything depends on it.';
  const named = plain(value, maxDependents);
  const many = compared.split(' ').length;
  return `:warning: *Depends on it*${named.endsWith('…') ? `, ${many} in all` : ''}: ${named}.`;
}

/** The fact about what depends on a target, with the identifier of each record. */
function dependentsIn(facts: readonly Fact[]): Fact | undefined {
  return facts.find(one => keyOf(one) === 'dependents');
}

/** The keys of the facts that the first lines of a request say in sentences of their own, whole. */
export function toldInHead({ impact, approval }: Job): readonly string[] {
  const dependents = dependentsIn(approval?.facts ?? [])?.value ?? '';
  const isTold = !impact?.clones && !plain(dependents, maxDependents).endsWith('…');
  return isTold ? ['beware', 'dependents'] : ['beware'];
}
