import { useId } from 'preact/hooks';
import { list, readOption, readOptions } from '../blocks.ts';
import type { Use } from '../element-use.ts';
import { OptionText } from './option-text.tsx';

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
