import { expect, test } from 'vitest';
import { describeReal, live } from './real.ts';
import { havoc, zoo } from './zoo.ts';

const database = (databaseName: string) => ({ objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName });
const options = ['--delimiter=//', '--comments', '--binary-mode'];

describeReal('restoring a real database with an object of every kind', real => {
  test('gives back all of them, with history, and what others refer to in it', async () => {
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
});
