import { useId } from 'preact/hooks';
import { isJson, list, type Option, readOption, readOptions } from '../blocks.ts';
import type { Use } from '../element-use.ts';
import { Text } from './mrkdwn-text.tsx';

/** Radio buttons: one option, or none. */
export function RadioButtons({ use }: { use: Use }) {
  const chosen = readOption(use.value)?.value;
  const name = useId();
  return (
    <div
      class="choices"
      role="radiogroup"
      aria-labelledby={use.input?.labelId}
      aria-describedby={use.input?.describedBy}
    >
      {readOptions(list(use.element.raw, 'options')).map(option => (
        <label key={option.value} class="choice">
          <input type="radio" name={name} checked={option.value === chosen} onChange={() => use.change(option.raw)} />
          <OptionText option={option} />
        </label>
      ))}
    </div>
  );
}

/** Checkboxes: any number of options, kept in the order in which they stand. */
export function Checkboxes({ use }: { use: Use }) {
  const options = readOptions(list(use.element.raw, 'options'));
  const chosen = new Set((Array.isArray(use.value) ? use.value : []).filter(isJson).map(option => option.value));
  const toggled = (value: string): unknown[] =>
    options.filter(option => chosen.has(option.value) !== (option.value === value)).map(option => option.raw);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would need a legend, and the label stands in the input block
    <div class="choices" role="group" aria-labelledby={use.input?.labelId} aria-describedby={use.input?.describedBy}>
      {options.map(option => (
        <label key={option.value} class="choice">
          <input
            type="checkbox"
            checked={chosen.has(option.value)}
            onChange={() => use.change(toggled(option.value))}
          />
          <OptionText option={option} />
        </label>
      ))}
    </div>
  );
}

function OptionText({ option }: { option: Option }) {
  return (
    <span class="choice-text">
      <Text text={option.text} />
      {option.description && (
        <span class="choice-description">
          <Text text={option.description} />
        </span>
      )}
    </span>
  );
}
