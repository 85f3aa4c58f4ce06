import { format } from 'date-fns';
import { naming, type Use } from '../element-use.ts';

const LOCAL = "yyyy-MM-dd'T'HH:mm";

/** Date, time, and both: the browser's own pickers, which everybody knows how to use by keyboard. */
export function DateElement({ use }: { use: Use }) {
  const { type } = use.element;
  if (type === 'datetimepicker') {
    const shown = typeof use.value === 'number' ? format(new Date(use.value * 1000), LOCAL) : '';
    return (
      <input
        {...naming(use)}
        class="text-field date-field"
        type="datetime-local"
        value={shown}
        onChange={event => {
          const time = new Date(event.currentTarget.value).getTime();
          use.change(Number.isNaN(time) ? null : Math.floor(time / 1000));
        }}
      />
    );
  }
  return (
    <input
      {...naming(use)}
      class="text-field date-field"
      type={type === 'timepicker' ? 'time' : 'date'}
      value={typeof use.value === 'string' ? use.value : ''}
      onChange={event => use.change(event.currentTarget.value || null)}
    />
  );
}
