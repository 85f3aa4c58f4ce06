import type { ActionsBlock } from '@slack/types';
import { z } from 'zod';
import type { Page } from '../../store/jobs/reading.ts';
import { asJson, defineAction } from '../blocks/action.ts';
import { actionsRow } from '../blocks/blocks.ts';
import { turnButtons } from '../records/turnButtons.ts';

/* The lists of a Home stand in pages. */

const at = z.int().min(0).catch(0);

/** The current page of each list of a Home, from 0. */
export const Pages = z
  .object({ underWay: at, approvals: at, ended: at, clones: at })
  .catch({ underWay: 0, approvals: 0, ended: 0, clones: 0 });
export type Pages = z.infer<typeof Pages>;

/** A button that turns one list to another page. It carries the pages of all lists after that. */
export const turnHome = defineAction('home.page', asJson(Pages));

/** A title with the current range of rows: "Clones · 9–16 of 37". */
export function pagedTitle(title: string, { all, page, size, rows }: Page<unknown>): string {
  const first = page * size + 1;
  const last = first + rows.length - 1;
  const shown = first === last ? `${last}` : `${first}–${last}`;
  return all > size ? `${title} · ${shown} of ${all}` : title;
}

const listNames = {
  underWay: 'what is under way',
  approvals: 'what waits for your approval',
  ended: 'recent jobs',
  clones: 'clones',
} as const satisfies Record<keyof Pages, string>;

/** The buttons to the pages beside this one. Each carries the pages of all lists after it is pressed. */
export function pager(name: keyof Pages, page: Page<unknown>, pages: Pages): ActionsBlock[] {
  const turns = turnButtons(page, (to, label) => ({
    ...turnHome.button(label, { ...pages, [name]: to }, { suffix: label.toLowerCase() }),
    accessibility_label: `${label} page of ${listNames[name]}`,
  }));
  return actionsRow(turns, `${name}:pages`);
}
