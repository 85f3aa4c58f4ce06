import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Locator, Page } from 'playwright-core';
import { vi } from 'vitest';

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

/**
 * Takes a picture for the README, if pictures are to be taken; into the folder LOOKS, if it is set, also one in the dark
 * and one as wide as a phone, for whoever looks at them.
 */
export async function picture(page: Page, name: string): Promise<void> {
  const take = (folder: string, file: string) =>
    page.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled' });
  if (pictures !== undefined) {
    mkdirSync(pictures, { recursive: true });
    await take(pictures, name);
  }
  const { LOOKS } = process.env;
  const size = page.viewportSize();
  if (!LOOKS || !size) return;
  await page.emulateMedia({ colorScheme: 'dark' });
  await take(LOOKS, `${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 380, height: size.height });
  await take(LOOKS, `${name}-phone`);
  await page.setViewportSize(size);
}

/** Lists all that axe finds hard to use on the page as it is now, by rule and place. */
export async function barriers(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
