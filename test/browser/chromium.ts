import { createServer } from 'node:net';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { inject } from 'vitest';
import { type World, world } from '../world.ts';

/** The browser of this run, as one of its users sees it: closed, it leaves the others their windows. */
export function startBrowser(): Promise<Browser> {
  return chromium.connect(inject('browser'));
}

/** One person's browser window, `height` pixels high. It is as patient as a busy machine needs. */
export async function openWindow(browser: Browser, height = 840): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: { width: 1240, height },
    timezoneId: 'UTC',
    locale: 'en-GB',
  });
  context.setDefaultTimeout(120_000);
  return context;
}

/** A world whose sign-in page a browser reaches. Another program may take the port that was free; then there are more. */
export async function worldWithPage(environment: Record<string, string> = {}, tries = 5): Promise<World> {
  const port = await freePort();
  return world({ environment: { ...environment, PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` } }).catch(
    (error: unknown) => {
      if (tries === 0 || !String(error).includes('EADDRINUSE')) throw error;
      return worldWithPage(environment, tries - 1);
    },
  );
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
