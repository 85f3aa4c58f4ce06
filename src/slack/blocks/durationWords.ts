import { day, hour, minute, second } from '../../ground/durations.ts';

/** A duration in its two greatest units, never rounded up: `42 s`, `3 min 20 s`, `2 h 5 min`, `3 days 4 h`. */
export function tookWords(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < second) return 'under 1 s';
  const parts = [
    [Math.floor(length / day), 'days'],
    [Math.floor((length % day) / hour), 'h'],
    [Math.floor((length % hour) / minute), 'min'],
    [Math.floor((length % minute) / second), 's'],
  ] as const;
  const first = parts.findIndex(([many]) => many > 0);
  return parts
    .slice(first, first + 2)
    .flatMap(([many, unit]) => (many > 0 ? [`${many} ${many === 1 && unit === 'days' ? 'day' : unit}`] : []))
    .join(' ');
}

/** A number with commas between thousands. */
export function grouped(number: number): string {
  return number.toLocaleString('en');
}
