import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { clean } from '../../../../src/sandbox/service/mariadb/clean.ts';
import { describeOnServers } from '../../../mariadb.ts';
import { good, must } from './kills.ts';
import { newPort } from './newPort.ts';
import { clearedFolder, live, serversIn, startProcess, wish } from './process.ts';

describeOnServers('cleaning up', () => {
  test('the cleanup is refused while a service works there, and later removes all that it made, and nothing else', async () => {
    const folder = clearedFolder();
    const root = join(dirname(folder), 'elsewhere');
    mkdirSync(root, { mode: 0o777 });
    writeFileSync(join(root, 'mine'), '');
    chmodSync(root, 0o777);
    const service = await startProcess({ folder, roots: [root] });
    await must(service, 'POST /database/clone/create', await wish(service, await newPort(), join(root, 'qa')));
    await good(service, String((await service.records()).at(-1)?.id));
    await expect(clean(folder)).rejects.toThrow(`${folder} is in use by process ${service.pid}`);
    expect((await serversIn(folder)).size).toBe(2);
    expect(await good(service, live)).toMatchObject({ state: 'RUNNING' });
    writeFileSync(join(folder, 'mine'), '');
    await service.kill();
    expect(await clean(folder)).toEqual({ servers: 2, clones: 1 });
    expect((await serversIn(folder)).size).toBe(0);
    expect(readdirSync(root)).toEqual(['mine']);
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test('the cleanup finds nothing where no service was, and makes no folder', async () => {
    const folder = clearedFolder();
    expect(await clean(folder)).toBeUndefined();
    expect(existsSync(folder)).toBe(false);
  });
});
