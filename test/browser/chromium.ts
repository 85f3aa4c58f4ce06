import { createServer } from 'node:net';
import sparticuz from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium } from 'playwright-core';
import { type World, world } from '../world.ts';

/**
 * Starts a headless browser: the Chromium that comes from the npm registry on Linux x64, elsewhere the system's Chrome.
 * @throws Error that says what is missing
 */
export async function startBrowser(): Promise<Browser> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return chromium.launch({ executablePath: await sparticuz.executablePath(), args: sparticuz.args, headless: true });
  }
  return chromium.launch({ channel: 'chrome', headless: true }).catch((cause: unknown) => {
    throw new Error('The browser tests need Google Chrome on this kind of machine. Install it and run them again.', {
      cause,
    });
  });
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
