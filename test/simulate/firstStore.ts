import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '../../src/store/drivers/sqlite.ts';

/** The store as the first start of a bot makes it. */
export async function firstStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-simulate-'));
  try {
    await (await openStore(folder)).destroy();
    const image = readFileSync(join(folder, 'dolly.sqlite'));
    // A store in memory has no write-ahead log, of which the header tells (sqlite.org/fileformat.html, offset 18).
    return image.fill(1, 18, 20);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
