import type { KnownBlock, MultiStaticSelect, PlainTextOption } from '@slack/types';
import type { Identifier } from '../../../api/identifiers.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import type { TreeNode } from '../../../operations/plans/tree.ts';
import { inputAction } from '../../blocks/action.ts';
import { context, input, option, section, sectionsOf } from '../../blocks/blocks.ts';
import { cut, limits, plain } from '../../blocks/limits.ts';
import { doubtLines } from './doubtLines.ts';
import { faultOfTeardown, leaveOutBlock, type SeenTeardown } from './formSteps.ts';
import { treeLines } from './treeLines.ts';

/** Max lines and sections of a tree, and max sections of doubts: beyond that, nobody reads it. */
const max = { sections: 30, doubts: 8, groups: 5 } as const;
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
    return `${verb}${plain(targetName ?? String(target), 60)}`;
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
  const chosen = choices.filter(({ value }) => value !== undefined && leftOut.includes(value));
  const groups = Array.from({ length: Math.ceil(choices.length / limits.options) }, (_, group) =>
    choices.slice(group * limits.options, (group + 1) * limits.options),
  );
  const element: MultiStaticSelect = {
    type: 'multi_static_select',
    action_id: inputAction,
    placeholder: { type: 'plain_text', text: 'Nothing: all of it goes' },
    ...(groups.length > 1
      ? {
          option_groups: groups.map((options, group) => ({
            label: {
              type: 'plain_text',
              text: `${group * limits.options + 1}–${group * limits.options + options.length}`,
            },
            options: [...options],
          })),
        }
      : { options: [...choices] }),
    ...(chosen.length > 0 ? { initial_options: chosen } : {}),
  };
  const stays = teardown.kept.size > 0 ? ` ${teardown.kept.size} of ${teardown.tree.nodes.size} stay.` : '';
  const hint = `What is on a branch stays with it, and so does what it depends on.${stays}`;
  return input(leaveOutBlock, 'Leave out', element, { optional: true, dispatch_action: true, hint });
}
