import type { Button } from '@slack/types';
import type { Page } from '../../store/jobs/reading.ts';

/** The buttons to the pages beside this one, as far as there are any. */
export function turnButtons(
  { page, all, size }: Page<unknown>,
  buttonTo: (page: number, label: string) => Button,
): Button[] {
  const previous = page > 0 ? [buttonTo(page - 1, 'Previous')] : [];
  const next = (page + 1) * size < all ? [buttonTo(page + 1, 'Next')] : [];
  return [...previous, ...next];
}
