import { parseIdentifier } from '../../api/identifiers.ts';
import { Failure } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { mayNeedApproval } from '../../jobs/approval/policy/verdict.ts';
import { marksOfName } from '../../jobs/approval/sameAsShown.ts';
import { check } from '../../jobs/newJob.ts';
import type { Mover } from '../../jobs/parts.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import { batchNameOf, batchSteps, togetherNouns } from '../../operations/plans/batch.ts';
import { isOneOf } from '../../records/find.ts';
import { sayWhyToApprovers, whyBlock } from '../../slack/blocks/reasonInput.ts';
import { mustBeAllowed } from '../../slack/desk/admission.ts';
import type { Desk, Doorkeeper } from '../../slack/desk/desk.ts';
import { faultAt, keep, type ModalAnswer, noteInstead, onSubmit, type Submitter } from '../../slack/desk/submission.ts';
import { keepJob, storedLate, storeFault, takenBefore } from '../../slack/forms/submit/keepJob.ts';
import { fillModal } from '../../slack/shortcuts/lookInModal.ts';
import { keepManyByForm, keptTime } from '../leases/keepMany.ts';
import { type BatchAsker, pageLook, targetsShown } from './askForBatch.ts';
import {
  batchModal,
  countBlock,
  firstBlock,
  mostDeleted,
  operationOfPage,
  waitingPage,
  whatBlock,
} from './batchPage.ts';

type BatchSubmit = Submitter & NonNullable<ReturnType<typeof batchModal.read>>;
type Fault = readonly [block: string, sentence: string];

/**
 * Takes a page that was submitted, and keeps its batch: one job where a single target was left. What is to be deleted comes
 * to a page of its own first, and the end of leases is no request to the service.
 */
export const batchSubmission = onSubmit(
  batchModal,
  async (desk: BatchAsker & Mover & Doorkeeper & Desk<'log'>, page): Promise<ModalAnswer> => {
    const { team, person, carried, fields } = page;
    const isChosen = carried.operation === '';
    const time = isChosen ? keptTime(fields.operation ?? '') : undefined;
    if (time !== undefined) {
      const fault = faultOfTargets(page, id => isOneOf(parseIdentifier(id), ['clone']));
      return fault ? faultAt(...fault) : keep(keepManyByForm, { records: fields.targets, k: time });
    }
    const single = operationOfPage(carried, fields.operation);
    const batch = single && jobOperation(batchNameOf(single));
    if (!single || !batch)
      return noteInstead('Too old', 'You opened this page in another version of Dolly. Run the command again.');
    await mustBeAllowed(desk, { team, person, channel: carried.channel }, single);
    const isFit = (id: string) =>
      check(single, { [single.target]: id }).ok && isOneOf(parseIdentifier(id), togetherNouns(single));
    const isHarmChosen = single.deletes === true && isChosen;
    const fault =
      faultOfTargets(page, isFit) ??
      (single.deletes ? faultOfDeletions(page) : undefined) ??
      (isHarmChosen ? undefined : faultOfReason(desk, single, page));
    if (fault) return faultAt(...fault);
    return isHarmChosen ? askToDelete(desk, single, page) : keepBatch(desk, { single, batch }, page);
  },
);

function blockOf({ carried }: BatchSubmit): string {
  return carried.operation === '' ? whatBlock : firstBlock;
}

function faultOfTargets(page: BatchSubmit, isFit: (id: string) => boolean): Fault | undefined {
  const { targets } = page.fields;
  if (targets.length === 0) return [firstBlock, 'Tick at least one.'];
  const strange = targets.find(({ id }) => !isFit(id));
  return strange && [blockOf(page), `This cannot be done to ${strange.name}: untick it, or choose something else.`];
}

function faultOfReason({ policy }: Desk<'policy'>, single: WriteOperation, { fields }: BatchSubmit): Fault | undefined {
  return !canBeRead(fields.why) && mayNeedApproval(policy, single) ? [whyBlock, sayWhyToApprovers] : undefined;
}

/** What is wrong with deletions: too many, or another number of them than was typed on their page. */
function faultOfDeletions(page: BatchSubmit): Fault | undefined {
  const { carried, fields } = page;
  const { targets, count } = fields;
  if (targets.length > mostDeleted)
    return [blockOf(page), `You can delete at most ${mostDeleted} at a time: untick some.`];
  if (carried.operation === '' || count === String(targets.length)) return undefined;
  return [countBlock, `${targets.length} are ticked: type ${targets.length} to delete all of them.`];
}

/** Shows what was ticked to be deleted on a page of its own, in place of the page on which it was ticked. */
function askToDelete(
  desk: BatchAsker,
  single: WriteOperation,
  { team, person, viewId, carried, fields }: BatchSubmit,
): ModalAnswer {
  const { channel, thread } = carried;
  const place = { channel, ...(thread === undefined ? {} : { thread }) };
  const known = targetsShown(desk, { team, person }, single, fields.targets).catch((error: unknown) => ({ error }));
  const look = pageLook(desk, single, place, known);
  return {
    type: 'shown',
    view: waitingPage(single, place, false),
    after: () => fillModal(desk, { team, id: viewId }, look),
  };
}

/** Keeps the request. Of what is deleted it says what it was: another record under the same identifier stays. */
async function keepBatch(
  desk: Mover & Desk<'log'>,
  { single, batch }: Readonly<{ single: WriteOperation; batch: NonNullable<ReturnType<typeof jobOperation>> }>,
  page: BatchSubmit,
): Promise<ModalAnswer> {
  const { team, person, carried, fields } = page;
  const owner = { team, person };
  const labels = Object.fromEntries(fields.targets.map(({ id, name }) => [id, name]));
  const ids = Object.keys(labels);
  const values = { [single.target]: ids[0] ?? '' };
  const asked = ids.length === 1 ? { operation: single } : { operation: batch, steps: batchSteps(single, ids, labels) };
  const marks = single.deletes && {
    asShown: Object.fromEntries(
      ids.map(id => [id, { ...marksOfName(id, labels)[id], ...madeAtOf(carried, id) }] as const),
    ),
  };
  const form = { owner, metadata: { ...carried, labels }, values, ...asked, ...marks };
  const kept = await keepJob(desk, form, fields.why || null);
  if (!kept) throw new Failure('busy', storeFault);
  if (kept === 'late') return faultAt(blockOf(page), storedLate);
  if (kept === 'other') return faultAt(blockOf(page), takenBefore);
  return { type: 'closed' };
}

function madeAtOf({ made = {} }: BatchSubmit['carried'], id: string) {
  const madeAt = made[id];
  return madeAt === undefined ? {} : { madeAt };
}
