import { Fragment } from 'preact';
import { list, readOptionGroups, readOptions } from '../blocks.ts';
import type { Use } from '../element-use.ts';
import { OptionText } from './option-text.tsx';

/** As many as Slack takes as check boxes: all of these are in sight. */
const inSight = 10;

/** Check boxes: any number of options. A menu of several choices is drawn in the same way, with all choices open. */
export function CheckBoxes({ use }: { use: Use }) {
  const { raw } = use.element;
  const chosen = readOptions(Array.isArray(use.value) ? use.value : []);
  const groups = readOptionGroups(list(raw, 'options'), list(raw, 'option_groups'));
  const options = groups.flatMap(group => group.options);
  const toggle = (value: string, isOn: boolean) =>
    use.change(
      options
        .filter(option => (option.value === value ? isOn : chosen.some(one => one.value === option.value)))
        .map(option => option.raw),
    );
  return (
    // biome-ignore lint/a11y/useSemanticElements: the input block has the label of the group.
    <div
      class={options.length > inSight ? 'choices many' : 'choices'}
      role="group"
      aria-labelledby={use.input?.labelId}
      aria-describedby={use.input?.describedBy}
    >
      {groups.map(group => (
        <Fragment key={group.label}>
          {group.label && <b class="choices-title">{group.label}</b>}
          {group.options.map(option => (
            <label key={option.value} class="choice">
              <input
                type="checkbox"
                checked={chosen.some(one => one.value === option.value)}
                onChange={event => toggle(option.value, event.currentTarget.checked)}
              />
              <OptionText option={option} />
            </label>
          ))}
        </Fragment>
      ))}
    </div>
  );
}
