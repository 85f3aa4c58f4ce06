import type { KnownBlock, PlainTextOption } from '@slack/types';
import type { Identifier } from '../../../api/identifiers.ts';
import { inRow } from '../../../ground/wording.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import type { DependentTree, Doubt, TreeNode } from '../../../operations/plans/tree.ts';
import { context, input, option, section, sectionsOf } from '../../blocks/blocks.ts';
import { chooseSome, example } from '../../blocks/inputs.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { recordNamed } from '../../blocks/mrkdwn.ts';
import { faultOfTeardown, leaveOutBlock, type SeenTeardown } from './formSteps.ts';
import { treeLines } from './treeLines.ts';

/** Max lines and sections of a tree, max sections of doubts, and max records that one of them names. */
const max = { sections: 30, doubts: 8, groups: 5, named: 6 } as const;
/** Up to this many deletions are named in their order. */
const mostNamed = 8;

/** The part of a teardown's last page that shows the tree, what goes in which order, what stays, and what is in doubt. */
export function teardownBlocks(
  seen: SeenTeardown,
  target: Identifier,
  leftOut: readonly string[],
): readonly KnownBlock[] {
  const { teardown, notes } = seen;
  const choices = branchOptions(teardown.tree.nodes.values(), target);
  return [
    ...sectionsOf(treeLines(teardown, notes)).slice(0, max.sections),
    // Of a record alone, the tree says it all.
    ...(teardown.tree.nodes.size > 1 || teardown.steps.length !== 1 ? [section(orderText(teardown.steps))] : []),
    ...(choices.length > 0 ? [leaveOutInput(choices, seen, leftOut)] : []),
    ...doubtLines(teardown.tree, seen)
      .slice(0, max.doubts)
      .map(line => context(cut(`:grey_question: ${line}`, 1_500))),
  ];
}

/** Says what is done in which order. */
function orderText(steps: readonly PlanStep[]): string {
  const fault = faultOfTeardown(steps);
  if (fault !== undefined) return `:no_entry: ${fault}`;
  const verbs = { 'environment.enable': 'enable ', 'environment.disable': 'disable ' };
  const names = steps.map(({ operation, targetName, target }) => {
    const verb = Object.entries(verbs).find(([name]) => name === operation)?.[1] ?? '';
    return `${verb}${recordNamed(String(target), targetName ?? undefined)}`;
  });
  const [last] = names.slice(-1);
  const many = steps.filter(({ operation }) => operation.endsWith('.delete')).length;
  const what = many === 1 ? '*1 deletion*' : `*${many} deletions*, clones first`;
  return names.length > mostNamed ? `${what}; last: ${last}.` : `${what}: ${names.join(' → ')}.`;
}

function branchOptions(nodes: Iterable<TreeNode>, target: Identifier): readonly PlainTextOption[] {
  return [...nodes]
    .filter(({ id }) => id !== target.text)
    .map(({ id, name }) => option(id, name ?? id, name === undefined ? undefined : id))
    .slice(0, max.groups * limits.options);
}

/** The input that asks what stays. Its change redraws the page. */
function leaveOutInput(choices: readonly PlainTextOption[], { teardown }: SeenTeardown, leftOut: readonly string[]) {
  const groups = Array.from({ length: Math.ceil(choices.length / limits.options) }, (_, group) =>
    choices.slice(group * limits.options, (group + 1) * limits.options),
  );
  const { options: all, ...select } = chooseSome('multi_static_select', choices, leftOut);
  const option_groups = groups.map((options, group) => {
    const first = group * limits.options;
    return { label: { type: 'plain_text' as const, text: `${first + 1}–${first + options.length}` }, options };
  });
  const options = groups.length > 1 ? { option_groups } : { options: all };
  const element = { ...select, ...example('Nothing: delete everything'), ...options };
  const stays = teardown.kept.size > 0 ? ` ${teardown.kept.size} of ${teardown.tree.nodes.size} stay.` : '';
  const hint = `If something stays, so does its whole branch and everything it depends on.${stays}`;
  return input(leaveOutBlock, 'Leave out', element, { optional: true, dispatch_action: true, hint });
}

/** Says what the records do not show of a tree: a sentence of mrkdwn for each kind of doubt. */
function doubtLines(
  { doubts, nodes }: DependentTree,
  seen: Pick<SeenTeardown, 'isCut' | 'recordOf'>,
): readonly string[] {
  const called = (id: string) => recordNamed(id, nodes.get(id)?.name ?? seen.recordOf(id)?.name);
  const some = (ids: readonly string[]) => inRow(ids.map(called), max.named);
  const pairs = (type: 'hidden' | 'unclear') =>
    doubts.flatMap(doubt => (doubt.type === type && 'of' in doubt ? [doubt] : []));
  const groups = (type: Doubt['type']) =>
    doubts.flatMap(doubt => (doubt.type === type && 'ids' in doubt ? [doubt.ids] : []));
  const [hidden, unclear] = [pairs('hidden'), pairs('unclear')];
  const namedBy = (pairs: typeof hidden) => some([...new Set(pairs.map(({ of }) => of))]);
  const notShown = `${some(hidden.map(({ id }) => id))}: named by ${namedBy(hidden)}, but not shown to you. Whatever still exists stays, and then the service refuses to delete what it depends on.`;
  const notSaid = `${some(unclear.map(({ id }) => id))}: the records do not say whether it depends on ${namedBy(unclear)}. It stays.`;
  const is = (many: number) => (many === 1 ? 'is' : 'are');
  return [
    ...(hidden.length > 0 ? [notShown] : []),
    ...(unclear.length > 0 ? [notSaid] : []),
    ...groups('sourceless').map(
      ids =>
        `${some(ids)}: ${ids.length === 1 ? 'its record shows' : 'their records show'} no source. Any that depend on this stay, and then the service refuses to delete it.`,
    ),
    ...groups('placeless').map(
      ids =>
        `${some(ids)}: ${ids.length === 1 ? 'its record shows' : 'their records show'} no environment. Any that are on this one stay, and then the service may refuse to delete it.`,
    ),
    ...groups('circle').map(
      ids => `According to their records, ${some(ids)} depend on each other, so the order is a guess.`,
    ),
    ...groups('copies').map(
      ids => `${some(ids)} ${is(ids.length)} physical, so ${ids.length === 1 ? 'it stays' : 'they stay'}.`,
    ),
    ...(seen.isCut ? ['The list of databases was cut short, so there may be more.'] : []),
  ];
}
