import { differenceInCalendarDays, format, formatDistance } from 'date-fns';

/** The Date of a message's ts (`1712345678.000100`, seconds since the epoch). */
export function dateOfTs(ts: string): Date {
  return new Date(Number(ts) * 1000);
}

/** `9:41 AM`, in local time. */
export function clockTime(date: Date): string {
  return format(date, 'h:mm a');
}

/** The heading of a day among messages: `Today`, `Yesterday`, `Tuesday, February 18th`. */
export function dayHeading(date: Date, now: Date): string {
  const near = nearDay(date, now);
  if (near) return near.charAt(0).toUpperCase() + near.slice(1);
  const pattern = date.getFullYear() === now.getFullYear() ? 'EEEE, MMMM do' : 'EEEE, MMMM do, yyyy';
  return format(date, pattern);
}

/** `Tuesday, February 18th, 2014 at 6:39:42 AM`, for a title that shows on hover. */
export function fullTime(date: Date): string {
  return format(date, "EEEE, MMMM do, yyyy 'at' h:mm:ss a");
}

function nearDay(date: Date, now: Date): string | undefined {
  const days = differenceInCalendarDays(date, now);
  if (days === 0) return 'today';
  if (days === -1) return 'yesterday';
  return days === 1 ? 'tomorrow' : undefined;
}

/** Slack's date tokens and the pattern of each. */
const PATTERNS: Readonly<Record<string, string>> = {
  date_num: 'yyyy-MM-dd',
  date_slash: 'MM/dd/yyyy',
  date: 'MMMM do, yyyy',
  date_short: 'MMM d, yyyy',
  date_long: 'EEEE, MMMM do, yyyy',
  time: 'h:mm a',
  time_secs: 'h:mm:ss a',
};

/** A date as `<!date^…>` asks for it; tokens that Slack doesn't know stay as they are. Times are local. */
export function formatDate(date: Date, pattern: string, now: Date): string {
  const text = pattern.replaceAll(/\{(\w+)\}/g, (whole, token: string) => {
    if (token === 'ago') return formatDistance(date, now, { addSuffix: true });
    const pretty = token.endsWith('_pretty');
    const dates = PATTERNS[pretty ? token.slice(0, -'_pretty'.length) : token];
    if (!dates) return whole;
    return (pretty ? nearDay(date, now) : undefined) ?? format(date, dates);
  });
  return /^\{\w+_pretty\}/.test(pattern) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
