import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isWhole } from '../../../whole.ts';
import { caughtUp, register, replicaOf } from './foreign.ts';
import { contentOf, describeReal, live } from './real.ts';
import { havoc, zoo } from './zoo.ts';

const database = (databaseName: string) => ({ objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName });
const options = ['--delimiter=//', '--comments', '--binary-mode'];

describeReal('restoring a real database with an object of every kind', real => {
  test('a restored database has its objects of every kind again, with their history, grants and references', async () => {
    const { sql, content, backUp, restore } = real();
    await sql(live, zoo, ...options);
    await backUp();
    const before = await content(live);
    const grants = () => sql(live, 'SHOW GRANTS FOR guest@localhost');
    const granted = await grants();
    await sql(live, havoc, ...options);
    await restore(database('zoo'));
    expect(await content(live)).toEqual(before);
    expect(await grants()).toEqual(granted);
    expect(await sql(live, 'CALL zoo.hello(); SELECT zoo.summed(id) FROM zoo.mine')).toEqual(['42', '1']);
    await expect(sql(live, 'DELETE FROM zoo.parent')).rejects.toThrow(/of_parent/);
  });

  test('a restore on a registered server needs no more rights than the docs name, and its replica has it all, too', async () => {
    const { backUp, restore, folder } = real();
    const logged = ['--server-id=1', '--log-bin=binlog', '--log-bin-trust-function-creators=1'];
    const { id, server } = await register(real(), 'limited', logged);
    const replica = await replicaOf(join(folder, '..', 'replica'), server.options);
    await server.ask(zoo, ...options);
    const docs = await readFile('docs/mariadb.md', 'utf8');
    const [, words = ''] = /the account lacks a right:([\s\S]*?)\(those/.exec(docs) ?? [];
    const rights = [...words.matchAll(/`([A-Z ]+)`/g)].map(([, right]) => right);
    expect(rights.length).toBeGreaterThan(15);
    await server.ask(`CREATE USER restorer@localhost; GRANT ${rights.join(', ')}, RELOAD ON *.* TO restorer@localhost`);
    await writeFile(join(folder, 'registered', 'limited.cnf'), server.options.replace('user=root', 'user=restorer'), {
      mode: 0o644,
    });
    await backUp(id);
    const before = await contentOf(server.ask);
    await server.ask(havoc, ...options);
    await restore(database('zoo'), id);
    expect(await contentOf(server.ask)).toEqual(before);
    if (isWhole) {
      await server.ask(havoc, ...options);
      await restore({ objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'zoo', tableName: 'derived' }, id);
      await restore(database('zoo'), id);
      expect(await contentOf(server.ask)).toEqual(before);
    }
    await caughtUp(replica, (await server.ask('SELECT @@gtid_binlog_pos'))[0]);
    // Events rest on every replica.
    const replicated = JSON.stringify(await contentOf(replica.ask)).replace('DISABLE ON SLAVE', 'DISABLE');
    expect(JSON.parse(replicated)).toEqual(before);
  });
});
