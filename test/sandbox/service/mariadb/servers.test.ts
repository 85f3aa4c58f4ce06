import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { commandsOf } from '../../../../src/sandbox/service/mariadb/programs/commands.ts';
import { findTools } from '../../../../src/sandbox/service/mariadb/programs/tools.ts';
import { isFree, listens } from '../../../../src/sandbox/service/mariadb/servers/ports.ts';
import { serversOf } from '../../../../src/sandbox/service/mariadb/servers/servers.ts';
import { findAccount } from '../../../../src/sandbox/service/mariadb/wall/account.ts';
import { wallOf } from '../../../../src/sandbox/service/mariadb/wall/wall.ts';
import { newPort } from './newPort.ts';
import { describeReal } from './real.ts';

test.skipIf(process.platform !== 'linux')(
  'the service sees that a port is listened on without connecting to it',
  async () => {
    const port = await newPort();
    expect([await listens(port), await isFree(port)]).toEqual([false, true]);
    let connections = 0;
    const server = createServer(() => connections++).listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    expect([await listens(port), await isFree(port), connections]).toEqual([true, false, 0]);
    server.close();
    await once(server, 'close');
    expect([await listens(port), await isFree(port)]).toEqual([false, true]);
  },
);

describeReal('a server that runs', real => {
  test('a server that runs is held still while its files are copied, and goes on also when that fails', async () => {
    const { folder } = real();
    const [account, found] = await Promise.all([findAccount(), findTools(process.env.PATH ?? '')]);
    if (account === undefined || 'missing' in found) throw new Error('there is no MariaDB');
    const { server } = found.tools;
    const wall = wallOf('none', { folder, account, guest: account, builders: {}, server });
    const servers = serversOf(found.tools, commandsOf(account, folder), account, folder, wall);
    const home = join(folder, 'live', 'webshop');
    const pid = (await readFile(join(home, 'mariadbd.pid'), 'utf8')).trim();
    /** T: stopped by a signal (proc(5)). */
    const isHeld = async () => /\) T /.test(await readFile(`/proc/${pid}/stat`, 'utf8'));
    expect(await isHeld()).toBe(false);
    expect(await servers.frozen(home, () => vi.waitUntil(isHeld, 20_000))).toBe(true);
    await vi.waitUntil(async () => !(await isHeld()), 20_000);
    await expect(
      servers.frozen(home, async () => {
        await vi.waitUntil(isHeld, 20_000);
        throw new Error('the disk is full');
      }),
    ).rejects.toThrow('the disk is full');
    await vi.waitUntil(async () => !(await isHeld()), 20_000);
  });
});
