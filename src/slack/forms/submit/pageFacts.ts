import { type Identifier, typedIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import { guardedFor } from '../../../jobs/approval/people/maker.ts';
import { mayNeedApproval } from '../../../jobs/approval/policy/verdict.ts';
import { askedPlan, judgePlan } from '../../../jobs/plans/checkPlan.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import { teardownOf } from '../../../operations/plans/teardownAndRenew.ts';
import type { TreeNode } from '../../../operations/plans/tree.ts';
import type { UnfitSnapshot } from '../../../records/snapshots.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Desk } from '../../desk/desk.ts';
import { type Beforehand, knownBeforehand } from '../fill/beforehand.ts';
import { unfitSnapshots } from '../fill/formFacts.ts';
import type { PageReader } from '../formDesk.ts';
import type { CheckedForm, Metadata } from '../formState.ts';
import { readTeardown, type SeenTeardown, seenTeardown, stepsByValues } from '../plans/formSteps.ts';

/** A form that is complete, to be confirmed on its last page. */
export type FormToConfirm = CheckedForm & Readonly<{ metadata: Metadata }>;

/** What a last page shows beside its form. `known` and `parts` are left out where they are late. */
export type PageFacts = Readonly<{
  /** The operation as this person does it. */
  operation: JobOperation;
  /** Whether the policy may ask for a reason. */
  mayAskWhy: boolean;
  known: Beforehand | undefined;
  parts: PageParts | undefined;
}>;

/** What a last page says about steps, as far as it could be read. */
export type PageParts = Readonly<{
  /** Why nothing of it could be read. */
  unread?: string;
  /** Why the steps would be refused as the records are now: nobody would be asked to approve them. */
  refusal?: string | undefined;
  /** The steps that follow from the values of the form. */
  steps?: readonly PlanStep[] | undefined;
  unfit?: readonly UnfitSnapshot[];
  below?: readonly Below[];
  seen?: SeenTeardown | undefined;
}>;

/** A record that depends on a target, or the target itself. */
export type Below = TreeNode & Pick<RecordView, 'state'>;

/** Reads what a last page shows: what is there before `late`. */
export async function readPageFacts(
  desk: PageReader,
  form: FormToConfirm,
  late?: Promise<unknown>,
): Promise<PageFacts> {
  const { owner, inputs, values } = form;
  const inTime = <T>(reading: Promise<T>) => Promise.race([reading, ...(late ? [late.then(() => undefined)] : [])]);
  const asked = guardedFor(desk, owner, form.operation, inputs[form.operation.target] ?? '');
  const operation = (await inTime(asked)) ?? form.operation;
  const [known, parts] = await Promise.all([
    inTime(knownBeforehand(desk, owner, operation, values)),
    inTime(readParts(desk, form)),
  ]);
  return { operation, mayAskWhy: mayNeedApproval(desk.policy, operation), known, parts };
}

/**
 * Reads the tree of a teardown, the clones in the way of a renewal, and what depends on a record whose deletion would be
 * refused.
 */
async function readParts(desk: PageReader, form: FormToConfirm): Promise<PageParts | undefined> {
  const { owner, operation } = form;
  const target = typedIdentifier(form.inputs[operation.target] ?? '');
  if (!target) return undefined;
  const makes = operation.type === 'plan' ? operation.makes : undefined;
  try {
    const byValues = stepsByValues(form);
    const seen = makes === 'teardown' ? await seenTeardown(desk, form, desk.clock.now()) : undefined;
    const isInTheWay = makes === 'renewal' || (operation.type === 'write' && operation.deletes === true);
    const below = isInTheWay ? await dependentsBelow(desk, owner, target) : [];
    // The loss by a restore tells it, too.
    const unfit = makes === 'renewal' ? await unfitSnapshots(desk, form) : [];
    const plan = byValues.type === 'plan' ? byValues : { operation, steps: seen?.teardown.steps ?? [] };
    const refusal = await refusalOf(desk, { ...form, operation: plan.operation }, plan.steps);
    return { refusal, steps: byValues.type === 'plan' ? plan.steps : undefined, unfit, below, seen };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, operation: operation.name }, 'a last page is shown without its steps');
    return { unread: error.message };
  }
}

async function refusalOf(desk: PageReader, { owner, operation, values }: CheckedForm, steps: readonly PlanStep[]) {
  const session = steps.length > 0 ? await desk.records.session(owner) : undefined;
  if (!session) return undefined;
  const judged = await judgePlan(desk, askedPlan(operation, { ...owner, values, steps }), session);
  return 'reason' in judged ? judged.reason : undefined;
}

async function dependentsBelow(desk: Desk<'jobs' | 'keepersOf' | 'records'>, owner: Owner, target: Identifier) {
  if (!teardownOf(target)) return [];
  const { teardown, recordOf } = await readTeardown(desk, owner, target, { leftOut: [], notBefore: 0 });
  return [...teardown.tree.nodes.values()].map((node): Below => ({ ...node, state: recordOf(node.id)?.state }));
}
