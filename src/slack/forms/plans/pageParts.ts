import type { Button, KnownBlock } from '@slack/types';
import { type Identifier, typedIdentifier } from '../../../api/identifiers.ts';
import { Failure } from '../../../ground/failure.ts';
import { inRow } from '../../../ground/wording.ts';
import { askedPlan, judgePlan } from '../../../jobs/plans/checkPlan.ts';
import { nameOfStep } from '../../../jobs/plans/stepWords.ts';
import { leftOutIn } from '../../../jobs/plans/teardownNow.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import type { Field } from '../../../operations/operation.ts';
import { backUpField } from '../../../operations/plans/backUpFirst.ts';
import { isBrought, type PlanStep } from '../../../operations/plans/plan.ts';
import { teardownOf } from '../../../operations/plans/teardownAndRenew.ts';
import type { Owner } from '../../../store/vault.ts';
import { section } from '../../blocks/blocks.ts';
import { plain } from '../../blocks/limits.ts';
import type { Desk } from '../../desk/desk.ts';
import { operationAction } from '../../words/commandActions.ts';
import type { PageReader } from '../formDesk.ts';
import type { CheckedForm } from '../formState.ts';
import { digestOfSteps, seenTeardown, stepsByValues } from './formSteps.ts';
import { readTeardown, type SeenTeardown } from './readTeardown.ts';
import { leaveOutBlock, teardownBlocks } from './teardownPage.ts';

/** The part of a last page that is about the steps of a plan. */
export type PageParts = Readonly<{
  blocks: readonly KnownBlock[];
  offers: readonly Button[];
  /** The digest of the steps that the page shows. */
  seen?: string | undefined;
}>;

type Asked = Pick<CheckedForm, 'owner' | 'operation' | 'inputs' | 'values' | 'metadata'>;

/** The fields that a form asks for on its last page, since it opens there. */
export function lastPageFields({ operation, inputs }: Pick<Asked, 'operation' | 'inputs'>): readonly Field[] {
  const backup = backUpField(operation);
  const noun = typedIdentifier(inputs[operation.target] ?? '')?.noun;
  const isHere = operation.type === 'write' && operation.deletes && backup && noun && backup.targets?.includes(noun);
  return operation.fields.filter(field => field.name === leaveOutBlock || (isHere && field === backup));
}

/**
 * Reads what a last page says about the steps: the tree of a teardown, the clones in the way of a renewal, and the
 * teardown in place of a deletion that would be refused. What cannot be read is said, or left out.
 */
export async function pageParts(desk: PageReader, asked: Asked): Promise<PageParts> {
  const { owner, operation } = asked;
  const target = typedIdentifier(asked.inputs[operation.target] ?? '');
  if (!target) return { blocks: [], offers: [] };
  try {
    const plan = stepsByValues(asked);
    const steps =
      plan.type === 'plan'
        ? [...(await obstacleBlocks(desk, { ...asked, operation: plan.operation }, plan.steps)), stepsBlock(plan.steps)]
        : [];
    if (operation.type === 'write')
      return { blocks: steps, offers: operation.deletes ? await teardownOffers(desk, owner, target) : [] };
    if (operation.makes === 'renewal') {
      const { blocks, offers } = await renewalParts(desk, owner, target);
      return { blocks: [...steps, ...blocks], offers };
    }
    if (operation.makes !== 'teardown') return { blocks: [], offers: [] };
    const seen = await seenTeardown(desk, asked, desk.clock.now());
    const blocks = seen
      ? [
          ...(await obstacleBlocks(desk, asked, seen.teardown.steps)),
          ...teardownBlocks(seen, target, leftOutIn(asked.values.leaveOut)),
        ]
      : [];
    return { blocks, offers: [], seen: seen && digestOfSteps(seen.teardown.steps) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, operation: operation.name }, 'a last page is shown without its steps');
    const lines = operation.type === 'plan' ? [section(`:no_entry: ${plain(error.message, 600)}`)] : [];
    return { blocks: lines, offers: [] };
  }
}

/** Says why a plan would be refused as the records are now: nobody would be asked to approve it. */
async function obstacleBlocks(desk: PageReader, { owner, operation, values }: Asked, steps: readonly PlanStep[]) {
  const session = steps.length > 0 ? await desk.records.session(owner) : undefined;
  if (!session) return [];
  const judged = await judgePlan(desk, askedPlan(operation, { ...owner, values, steps }), session);
  return 'reason' in judged ? [section(`:no_entry: *It would be refused now.* ${plain(judged.reason, 600)}`)] : [];
}

/** The steps that follow from the values of a form, in the order in which they are done. */
function stepsBlock(steps: readonly PlanStep[]): KnownBlock {
  const lines = steps.map((step, at) => `${at + 1}. ${plain(`${nameOfStep(step)}${fromSnapshot(step)}`, 200)}`);
  return section(`One after the other, each once the one before is confirmed:\n${lines.join('\n')}`);
}

/** The snapshot that a step starts from, where its operation takes one. */
function fromSnapshot({ operation, values, labels }: PlanStep): string {
  const field = writeOperation(operation)?.fields.find(({ role }) => role === 'snapshot');
  if (!field) return '';
  const snapshot = values[field.name];
  if (snapshot === undefined) return ', from the latest snapshot';
  if (isBrought(snapshot)) return `, from the snapshot of step ${snapshot.step + 1}`;
  return `, from the snapshot ${labels[String(snapshot)] ?? snapshot}`;
}

async function renewalParts(
  desk: Desk<'jobs' | 'keepersOf' | 'records'>,
  owner: Owner,
  target: Identifier,
): Promise<PageParts> {
  const tree = await dependentsBelow(desk, owner, target);
  const names = tree.flatMap(({ id, name }) => (id === target.text ? [] : [plain(name ?? id, 60)]));
  if (names.length === 0) return { blocks: [], offers: [] };
  const verb = names.length === 1 ? 'depends' : 'depend';
  const line = `:no_entry: The service will refuse this: ${inRow(names, 5)} ${verb} on it, and a renewal does not bring them back.`;
  return { blocks: [section(line)], offers: offersFor(target, names.length + 1) };
}

async function teardownOffers(desk: PageReader, owner: Owner, target: Identifier): Promise<readonly Button[]> {
  return offersFor(target, (await dependentsBelow(desk, owner, target)).length);
}

async function dependentsBelow(desk: Desk<'jobs' | 'keepersOf' | 'records'>, owner: Owner, target: Identifier) {
  if (!teardownOf(target)) return [];
  const { teardown }: SeenTeardown = await readTeardown(desk, owner, target, { leftOut: [], notBefore: 0 });
  return [...teardown.tree.nodes.values()];
}

/** The button that asks for the deletion of a record with all that depends on it; none where nothing does. */
function offersFor(target: Identifier, many: number): readonly Button[] {
  const operation = teardownOf(target);
  if (!operation || many < 2) return [];
  const label = many === 2 ? 'Delete both, in order…' : `Delete all ${many}, in order…`;
  return [operationAction(operation).button(label, target.text, { style: 'danger' })];
}
