import sparticuz from '@sparticuz/chromium';
import { type BrowserServer, chromium } from 'playwright-core';

/** In one process, a browser would end with the first window that is closed. */
const inOneProcess: readonly string[] = ['--single-process', '--no-zygote'];
/** A graphics card that is computed takes more time of the processor than all else in these tests. */
const asIfByCard = /^--(use-gl|use-angle|enable-unsafe-swiftshader|ignore-gpu-blocklist|in-process-gpu)/;

/**
 * Starts a headless browser: the Chromium that comes from the npm registry on Linux x64, elsewhere the system's Chrome.
 * @throws Error that says what is missing
 */
export async function launch(): Promise<BrowserServer> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    const executablePath = await sparticuz.executablePath();
    const args = sparticuz.args.filter(arg => !inOneProcess.includes(arg) && !asIfByCard.test(arg));
    return chromium.launchServer({ executablePath, args: [...args, '--disable-gpu'], headless: true });
  }
  return chromium.launchServer({ channel: 'chrome', headless: true }).catch((cause: unknown) => {
    throw new Error('The browser tests need Google Chrome on this kind of machine. Install it and run them again.', {
      cause,
    });
  });
}
