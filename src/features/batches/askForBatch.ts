import type { RecordView } from '../../api/reading/recordView.ts';
import { Failure, sentence } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { within } from '../../ground/remembered.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import { inRow } from '../../ground/wording.ts';
import { mayNeedApproval } from '../../jobs/approval/policy/verdict.ts';
import { check } from '../../jobs/newJob.ts';
import type { Mover } from '../../jobs/parts.ts';
import { catalogue, jobOperation } from '../../operations/catalogue.ts';
import { isBackup } from '../../operations/databases.ts';
import { targetNouns, type WriteOperation } from '../../operations/operation.ts';
import { batchNameOf, batchSteps, isForBatches } from '../../operations/plans/batch.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { byName, listIsCut, matches, noneAmong } from '../../records/find.ts';
import { isDeleted } from '../../records/recordReader.ts';
import { type Content, notice, said } from '../../slack/blocks/blocks.ts';
import { plain } from '../../slack/blocks/limits.ts';
import { sayWhyToApprovers, whyBlock } from '../../slack/blocks/reasonInput.ts';
import { mustBeAllowed } from '../../slack/desk/admission.ts';
import type { Desk, Doorkeeper, Voice } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { faultAt, noteInstead, onSubmit } from '../../slack/desk/submission.ts';
import { mustOpenForms } from '../../slack/desk/views.ts';
import { keepJob, storedLate, storeFault, takenBefore } from '../../slack/forms/submit/keepJob.ts';
import type { AskedForSeveral } from '../../slack/house.ts';
import { lookInModal, type ShownInModal } from '../../slack/shortcuts/lookInModal.ts';
import type { Command } from '../../slack/words/commandWords.ts';
import type { Owner } from '../../store/vault.ts';
import { lateDatabases } from '../protection/lateDatabases.ts';
import { batchModal, batchPage, choicePage, firstBlock, operationOfPage, waitingPage, whatBlock } from './batchPage.ts';
import { type Eligible, eligibleOf, targetsNamed } from './batchTargets.ts';

/** Reads what a batch may be about, and opens its page. */
export type BatchAsker = Voice & Desk<'records' | 'things' | 'policy'>;

/** What a batch may be about, or the answer in place of a page; or why it could not be read. */
type ReadEligibles =
  | Readonly<{ targets: readonly Eligible[]; notes?: readonly string[] }>
  | Readonly<{ answer: Content }>;
type Eligibles = ReadEligibles | Readonly<{ error: unknown }>;

/** The time for which a command waits to be answered by a message rather than by a page, in milliseconds: a trigger lives for 3 s. */
const patience = 1_500;

/** Takes a command whose words name several records: opens the page that shows all of them. */
export async function takeSeveral(desk: BatchAsker, interaction: Interaction, asked: AskedForSeveral) {
  const { team, person } = interaction;
  const owner = { team, person };
  const { operation, words } = asked;
  if (await asksForLate(desk, owner, asked))
    return openBatchPage(desk, interaction, operation, lateOnes(desk, owner, operation));
  if (words.length < 2 && !words[0]?.includes(',')) return undefined;
  const named = await targetsNamed(desk, owner, asked);
  if (named.type === 'one') return undefined;
  if (named.type === 'fault') return said(`:warning: ${named.sentence}`);
  return openBatchPage(desk, interaction, operation, Promise.resolve({ targets: named.targets }));
}

/** What `late` means for a backup, where nothing is called so. */
export async function meantByLate(desk: BatchAsker, owner: Owner, asked: AskedForSeveral) {
  return (await asksForLate(desk, owner, asked)) ? lateOnes(desk, owner, asked.operation) : undefined;
}

async function asksForLate({ records }: BatchAsker, owner: Owner, { operation, words }: AskedForSeveral) {
  const isLate = words.length === 1 && words[0]?.toLowerCase() === 'late' && isBackup(operation);
  return isLate && (await records.of(owner).find('late', targetNouns(operation))).type === 'none';
}

/**
 * Answers `several [words]`: the page on which databases and clones with all these words are ticked.
 * @throws {FormNeeded} where there is no trigger, and what the reading of the records throws
 */
export function chooseSeveral(
  desk: BatchAsker,
  interaction: Interaction,
  { words: [, ...words] }: Command,
): Promise<Content | 'form'> {
  const { team, person } = interaction;
  return openBatchPage(desk, interaction, undefined, fittingOnes(desk, { team, person }, words));
}

/** The databases and clones that have all of the words, as this person sees them. */
async function fittingOnes({ records }: BatchAsker, owner: Owner, words: readonly string[]): Promise<Eligibles> {
  const list = await records.of(owner).list(['live', 'clone']);
  const fitting = await mapInSlices(list.records, one => (matches(one, words) && !isDeleted(one) ? [one] : []));
  const sorted = await sortInSlices(fitting.flat(), byName);
  if (sorted.length === 0) return { answer: said(noneAmong('No databases or clones match these words', list)) };
  const left = sorted.length - mostSteps;
  const notes = [
    ...(left > 0 ? [`${left} more match: use words to find them.`] : []),
    ...(list.cut ? [listIsCut] : []),
  ];
  return { targets: sorted.slice(0, mostSteps).map(eligibleOf), notes };
}

/** What is late now by this person’s sign-in; what is disabled or not visible is only named. */
async function lateOnes(desk: BatchAsker, owner: Owner, operation: WriteOperation): Promise<ReadEligibles> {
  const { late, disabled, unseen, among } = await lateDatabases(desk, owner, operation.name);
  const rest = late.length - mostSteps;
  const notes = [
    ...(rest > 0 ? [`${rest} more are late: ask again once these are done.`] : []),
    ...named('Late, but disabled', disabled),
    ...named('Not visible in the records, so nobody knows whether they are late', unseen),
  ];
  if (late.length === 0)
    return { answer: said([noneAmong('Nothing is late that you could back up', among), ...notes].join('\n')) };
  return { targets: late.slice(0, mostSteps).map(eligibleOf), notes: [...notes, ...(among.cut ? [listIsCut] : [])] };
}

/** Max names in a note. */
const mostNamed = 30;

function named(lead: string, records: readonly RecordView[]): readonly string[] {
  const names = records.map(({ name, id }) => plain(name ?? id.text, 60));
  return records.length === 0 ? [] : [`${lead}: ${inRow(names, mostNamed)}.`];
}

/**
 * Opens the page of a batch, or answers by a message where there is nothing to show.
 * @throws {FormNeeded} where there is no trigger, and what the reading of the records throws
 */
async function openBatchPage(
  desk: BatchAsker,
  interaction: Interaction,
  operation: WriteOperation | undefined,
  candidates: Promise<Eligibles>,
): Promise<Content | 'form'> {
  const { channel, thread } = interaction;
  const place = { channel, ...(thread === undefined ? {} : { thread }) };
  const known = candidates.catch((error: unknown) => ({ error }));
  const quick = await within(desk.clock, patience, known);
  if (quick && 'error' in quick) throw quick.error;
  if (quick && 'answer' in quick) return quick.answer;
  mustOpenForms(interaction);
  const operations = operation ? [operation] : catalogue.filter(isForBatches);
  const asksWhy = operations.some(one => mayNeedApproval(desk.policy, one));
  const shown = (found: Eligibles): ShownInModal => {
    if ('error' in found) return instead(said(`:warning: ${sentence(found.error)}`));
    if ('answer' in found) return instead(found.answer);
    const { targets, notes = [] } = found;
    const view = operation
      ? batchPage(operation, place, targets, { asksWhy, notes })
      : choicePage(place, targets, { operations, asksWhy, notes });
    return { view, content: said(tooSlow) };
  };
  const instead = (content: Content): ShownInModal => ({ view: notice('Nothing to do', content.text), content });
  const answer = await lookInModal(desk, interaction, {
    work: known.then(shown),
    waiting: isLate => waitingPage(operation, place, isLate),
  });
  return answer ?? 'form';
}

const tooSlow = 'Slack could not open the page in time. Nothing was sent; please ask again.';

/** Keeps a batch that was submitted: one job where a single target was left. */
export const batchSubmission = onSubmit(
  batchModal,
  async (desk: Mover & Doorkeeper & Desk<'log'>, { team, person, carried, fields }) => {
    const owner = { team, person };
    const single = operationOfPage(carried, fields.operation);
    const batch = single && jobOperation(batchNameOf(single));
    if (!single || !batch)
      return noteInstead('Too old', 'This page was opened in another version. Run the command again.');
    await mustBeAllowed(desk, { ...owner, channel: carried.channel }, single);
    const [first, ...others] = fields.targets;
    if (!first) return faultAt(firstBlock, 'Tick at least one.');
    const strange = fields.targets.find(({ id }) => !check(single, { [single.target]: id }).ok);
    const block = carried.operation === '' ? whatBlock : firstBlock;
    if (strange) return faultAt(block, `${strange.name} is not for this: untick it, or choose something else.`);
    if (!canBeRead(fields.why) && mayNeedApproval(desk.policy, single)) return faultAt(whyBlock, sayWhyToApprovers);
    const labels = Object.fromEntries(fields.targets.map(({ id, name }) => [id, name]));
    const values = { [single.target]: first.id };
    const steps = batchSteps(single, Object.keys(labels), labels);
    const asked = others.length === 0 ? { operation: single } : { operation: batch, steps };
    const kept = await keepJob(desk, { owner, metadata: { ...carried, labels }, values, ...asked }, fields.why || null);
    if (!kept) throw new Failure('busy', storeFault);
    if (kept === 'late') return faultAt(block, storedLate);
    if (kept === 'other') return faultAt(block, takenBefore);
    return { type: 'closed' };
  },
);
