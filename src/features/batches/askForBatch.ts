import type { ModalView } from '@slack/types';
import { sentence } from '../../ground/failure.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import { within } from '../../ground/within.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import { mayNeedApproval } from '../../jobs/approval/policy/verdict.ts';
import { catalogue } from '../../operations/catalogue.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import { isForBatches, togetherNouns } from '../../operations/plans/batch.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { byName, listIsCut, matches, type NamedList, noneAmong } from '../../records/find.ts';
import { isDeleted } from '../../records/recordReader.ts';
import { notice, option } from '../../slack/blocks/blocks.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { code } from '../../slack/blocks/mrkdwn.ts';
import type { Desk, Voice } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { mustOpenForms } from '../../slack/desk/views.ts';
import type { AskedForSeveral, MeantTogether } from '../../slack/house.ts';
import { operationLabel } from '../../slack/records/recordBlocks.ts';
import { lookInModal, type ModalLook, type ShownInModal } from '../../slack/shortcuts/lookInModal.ts';
import { type Command, takeInput } from '../../slack/words/commandText.ts';
import type { Owner } from '../../store/vault.ts';
import { clonesByEnd, keptInWords } from '../leases/clonesByEnd.ts';
import { keepChoices } from '../leases/keepMany.ts';
import { batchPage, choicePage, mostDeleted, waitingPage } from './batchPage.ts';
import { type Eligible, eligibleOf, targetsNamed } from './batchTargets.ts';

/** Reads what a batch may be about, and opens its page. */
export type BatchAsker = Voice & Desk<'records' | 'things' | 'policy' | 'people' | 'house'>;

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
  const meant = await desk.house.meantBy(undefined, owner, asked);
  if (meant) return openBatchPage(desk, interaction, operation, meantOnes(meant));
  if (words.length < 2 && !words[0]?.includes(',')) return undefined;
  const named = await targetsNamed(desk, owner, asked);
  if (named.type === 'one') return undefined;
  if (named.type === 'several')
    return openBatchPage(desk, interaction, operation, targetsShown(desk, owner, operation, named.targets));
  // Words may name what is deleted alone: its form says what it found.
  return operation.deletes ? undefined : said(`:warning: ${named.sentence}`);
}

/** Some targets as their page shows them: of what is to be deleted, with what tells each from later records. */
export async function targetsShown(
  { records }: BatchAsker,
  owner: Owner,
  operation: WriteOperation,
  targets: readonly Eligible[],
): Promise<Eligibles> {
  if (!operation.deletes) return { targets };
  if (targets.length > mostDeleted) return { answer: said(tooMany) };
  const list = await records.of(owner).list(togetherNouns(operation));
  const listed = new Map(list.records.map(record => [record.id.text, eligibleOf(record)]));
  return { targets: targets.map(one => listed.get(one.id) ?? one) };
}

const tooMany = `You can delete at most ${mostDeleted} at a time. Nothing was sent.`;

/**
 * Answers `several [words]`: the page on which databases and clones with all these words are ticked; with `show=clones` that
 * of clones, those that end first at the top, on which they are kept longer and deleted, too.
 * @throws {FormNeeded} where there is no trigger, and what the reading of the records throws
 */
export async function chooseSeveral(
  desk: BatchAsker,
  interaction: Interaction,
  { words: [, ...words], inputs }: Command,
): Promise<Content | 'form'> {
  const { text: show } = takeInput(inputs, 'show');
  if (show !== undefined && show.trim().toLowerCase() !== 'clones')
    return said(`${code(`show=${show}`, 60)} shows nothing here. Use ${code('several show=clones')}.`);
  const { team, person } = interaction;
  return show === undefined
    ? openBatchPage(desk, interaction, 'any', fittingOnes(desk, { team, person }, words))
    : openBatchPage(desk, interaction, 'clones', endingOnes(desk, { team, person }, words));
}

/** The databases and clones that have all of the words, as this person sees them. */
async function fittingOnes({ records }: BatchAsker, owner: Owner, words: readonly string[]): Promise<Eligibles> {
  const list = await records.of(owner).list(['live', 'clone']);
  const fitting = await mapInSlices(list.records, one => (matches(one, words) && !isDeleted(one) ? [one] : []));
  const found = await sortInSlices(fitting.flat(), byName);
  return manyOrNone(found.map(eligibleOf), list, 'No databases or clones match these words');
}

/** The clones that have all of the words, those that end first at the top, each with the end of its lease. */
async function endingOnes(desk: BatchAsker, owner: Owner, words: readonly string[]): Promise<Eligibles> {
  const { rows, list } = await clonesByEnd(desk, owner, words);
  const zone = zoneOrUtc(await desk.people.zoneOf(owner));
  const found = rows.flatMap(({ record, lease }) => {
    const { about, ...one } = eligibleOf(record);
    return isDeleted(record) ? [] : [{ ...one, about: [keptInWords(lease, zone), about].filter(Boolean).join(' · ') }];
  });
  return manyOrNone(found, list, 'No clones match these words');
}

function manyOrNone(found: readonly Eligible[], list: NamedList, none: string): ReadEligibles {
  if (found.length === 0) return { answer: said(noneAmong(none, list)) };
  const rest = found.length - mostSteps;
  const notes = [
    ...(rest > 0 ? [`${rest} more match: use words to find them.`] : []),
    ...(list.cut ? [listIsCut] : []),
  ];
  return { targets: found.slice(0, mostSteps), notes };
}

/** The records that a word means together; what is not among them is only named. */
async function meantOnes(read: () => Promise<MeantTogether>): Promise<ReadEligibles> {
  const { records, notes, none } = await read();
  if (none !== undefined) return { answer: said([none, ...notes].join('\n')) };
  return { targets: records.map(eligibleOf), notes };
}

/** What a page asks for: one operation, or one of several that is chosen there: for any records, or for clones. */
type AskedFor = WriteOperation | 'any' | 'clones';

/**
 * Opens the page of a batch, or answers by a message where there is nothing to show.
 * @throws {FormNeeded} where there is no trigger, and what the reading of the records throws
 */
async function openBatchPage(
  desk: BatchAsker,
  interaction: Interaction,
  asked: AskedFor,
  candidates: Promise<Eligibles>,
): Promise<Content | 'form'> {
  const { channel, thread } = interaction;
  const place = { channel, ...(thread === undefined ? {} : { thread }) };
  const known = candidates.catch((error: unknown) => ({ error }));
  const quick = await within(desk.clock, patience, known);
  if (quick && 'error' in quick) throw quick.error;
  if (quick && 'answer' in quick) return quick.answer;
  mustOpenForms(interaction);
  return (await lookInModal(desk, interaction, pageLook(desk, asked, place, known))) ?? 'form';
}

/** The look for what stands on a page, and the page meanwhile. */
export function pageLook(desk: BatchAsker, asked: AskedFor, place: PagePlace, known: Promise<Eligibles>): ModalLook {
  const instead = (content: Content): ShownInModal => ({ view: notice('Nothing to do', content.text), content });
  const shown = (found: Eligibles): ShownInModal => {
    if ('error' in found) return instead(said(`:warning: ${sentence(found.error)}`));
    if ('answer' in found) return instead(found.answer);
    const { targets, notes = [] } = found;
    return { view: viewOf(desk, asked, place, targets, notes), content: said(tooSlow) };
  };
  const operation = typeof asked === 'string' ? undefined : asked;
  return { work: known.then(shown), waiting: isLate => waitingPage(operation, place, isLate) };
}

type PagePlace = Readonly<{ channel: string; thread?: string }>;

function viewOf(
  { policy }: BatchAsker,
  asked: AskedFor,
  place: PagePlace,
  targets: readonly Eligible[],
  notes: readonly string[],
): ModalView {
  if (typeof asked !== 'string')
    return batchPage(asked, place, targets, { asksWhy: mayNeedApproval(policy, asked), notes });
  const isClones = (one: WriteOperation) => togetherNouns(one).every(noun => noun === 'clone');
  const together = catalogue.filter(isForBatches);
  const fitting = together.filter(one => (asked === 'clones' ? isClones(one) : !one.deletes));
  const operations = fitting.toSorted((one, other) => Number(one.deletes ?? false) - Number(other.deletes ?? false));
  // The reason for deletions is asked for on their own page.
  const asksWhy = operations.some(one => !one.deletes && mayNeedApproval(policy, one));
  const choices = operations.map(one => option(one.name, operationLabel(one)));
  return choicePage(place, targets, {
    choices: [...(asked === 'clones' ? keepChoices : []), ...choices],
    ...{ asksWhy, notes },
  });
}

const tooSlow = 'Slack could not open the page in time. Nothing was sent; please ask again.';
