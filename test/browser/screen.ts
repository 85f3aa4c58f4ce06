import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { few } from '../whole.ts';

/** Where pictures go: into the README's folder with PICTURES=1, else nowhere. */
const pictures = process.env.PICTURES ? join(import.meta.dirname, 'pictures') : undefined;

/** Sends a message or a command in the open channel. */
export async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message/ });
  await composer.fill(text);
  await composer.press('Enter');
}

/** Types into a picker of a form and takes the first option that has the words. */
export async function choose(page: Page, form: Locator, block: string, words: string): Promise<void> {
  const field = form.locator(`[data-block-id="${block}"], [data-block-id^="${block}:"]`);
  const list = page.getByRole('listbox');
  // A form that is redrawn at this moment, since another field changed, closes a list that was just opened.
  await vi.waitFor(
    async () => {
      if (!(await list.isVisible())) {
        await field.getByRole('combobox').click();
        await list.waitFor({ timeout: 1_000 });
        // What was typed into the list that closed is still there.
        await page.keyboard.press('ControlOrMeta+a');
        await page.keyboard.type(words);
      }
      await list.getByRole('option').filter({ hasText: words }).first().click({ timeout: 3_000 });
    },
    { timeout: 20_000 },
  );
}

/** How a page is looked at: light and dark, wide and as narrow as a phone. */
const modes = [
  ['light', 1_240],
  ['dark', 1_240],
  ['light', 380],
  ['dark', 380],
] as const;

/** In `npm test` each page is seen in either colour and at either width; in `npm run whole` in all four. */
const seen = few(modes, (_, at) => at === 0 || at === 3);

/**
 * Looks at the page as it is now in these modes: nothing is cut off at the side, and axe finds no barrier. Pictures go into
 * the folder LOOKS, if it is set, for whoever looks at them.
 */
export async function looks(page: Page, name: string): Promise<void> {
  const size = page.viewportSize() ?? { width: 1_240, height: 840 };
  for (const [colorScheme, width] of seen) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: size.height });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    expect(await barriers(page), `${name}, ${colorScheme}, ${width}`).toEqual([]);
    const { LOOKS } = process.env;
    const path = LOOKS && join(LOOKS, `${name}-${colorScheme}-${width}.png`);
    if (path) await page.screenshot({ path, animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(size);
}

/** Takes a picture for the README, if pictures are to be taken; with LOOKS, it is also looked at in all modes. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
  }
  if (process.env.LOOKS) await looks(page, name);
}

/** Lists all that axe finds hard to use on the page as it is now, by rule and place. */
export async function barriers(page: Page): Promise<readonly string[]> {
  // The page keeps axe, whose text is half a megabyte, and tells what breaks a rule alone: both take longer than its rules.
  const isThere = await page.evaluate(() => 'axe' in window);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) });
  // There are no frames of other sites, for which axe would open a page of its own each time.
  const { violations } = await axe
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
