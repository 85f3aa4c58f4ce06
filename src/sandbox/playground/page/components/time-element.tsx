import { naming, type Use } from '../element-use.ts';

/** Pickers of a day and of a time: the browser's own fields, which hold the same texts as Slack's. */
export function TimeElement({ use }: { use: Use }) {
  const type = use.element.type === 'datepicker' ? 'date' : 'time';
  return (
    <input
      {...naming(use)}
      class="text-field moment"
      type={type}
      value={typeof use.value === 'string' ? use.value : ''}
      onChange={event => use.change(event.currentTarget.value || null)}
    />
  );
}
