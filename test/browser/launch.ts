import sparticuz from '@sparticuz/chromium';
import { type BrowserServer, chromium } from 'playwright-core';

/**
 * Starts a headless browser: the Chromium that comes from the npm registry on Linux x64, elsewhere the system's Chrome.
 * @throws Error that says what is missing
 */
export async function launch(): Promise<BrowserServer> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const executablePath = await sparticuz.executablePath();
    // In one process, a browser would end with the first window that is closed.
    const args = sparticuz.args.filter(arg => arg !== '--single-process' && arg !== '--no-zygote');
    return chromium.launchServer({ executablePath, args, headless: true });
  }
  return chromium.launchServer({ channel: 'chrome', headless: true }).catch((cause: unknown) => {
    throw new Error('The browser tests need Google Chrome on this kind of machine. Install it and run them again.', {
      cause,
    });
  });
}
