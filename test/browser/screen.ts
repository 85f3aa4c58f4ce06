import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Where pictures go: into the README's folder with PICTURES=1, else nowhere. */
const pictures = process.env.PICTURES ? join(import.meta.dirname, 'pictures') : undefined;

/** Sends a message or a command in the open channel. */
export async function say(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message/ });
  await composer.fill(text);
  await composer.press('Enter');
}

/** Takes a picture for the README, if pictures are to be taken. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), animations: 'disabled' });
}
