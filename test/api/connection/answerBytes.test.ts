import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { get, lists, put } from '../../../src/api/call.ts';
import { connectService } from '../../../src/api/connection/serviceClient.ts';
import { readAnyList } from '../../../src/api/longLists/listAnswer.ts';
import { testClock } from '../../clock.ts';
import { few } from '../../whole.ts';
import { type Answered, serveAnswers } from './answering.ts';

async function serve(answer: (path: string) => Answered, maxSize?: number) {
  const asked: string[] = [];
  const { url } = await serveAnswers(({ url, headers }) => {
    asked.push(String(headers['accept-encoding'] ?? 'nothing'));
    return answer(url);
  });
  const service = connectService({ url, prefix: '/service', clock: testClock(), ...(maxSize ? { maxSize } : {}) });
  onTestFinished(() => service.close());
  return { service, asked };
}

const recordsOf = (many: number) =>
  Array.from({ length: many }, (_, at) => ({
    id: `ORACLE_LIVE_DATABASE-${at}`,
    name: `db${at}`,
    note: 'x'.repeat(60),
  }));
const success = { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null };

/** At its best, as it is by itself, it takes seconds for a long list. */
const quickBrotli = (text: string) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });

describe('an answer that comes compressed, though nobody asked for that', () => {
  const packers = [
    ['gzip', gzipSync, 'gzip'],
    ['gzip by its old name', gzipSync, 'x-gzip'],
    ['gzip in capital letters', gzipSync, 'GZIP'],
    ['gzip that no header names', gzipSync, undefined],
    ['deflate', deflateSync, 'deflate'],
    ['Brotli', quickBrotli, 'br'],
    ['deflate without its frame', deflateRawSync, 'deflate'],
    ['Zstandard', zstdCompressSync, 'zstd'],
    ['Zstandard that no header names', zstdCompressSync, undefined],
    ['gzip twice', (text: string) => gzipSync(gzipSync(text)), 'gzip'],
    ['gzip twice, as its header says', (text: string) => gzipSync(gzipSync(text)), 'gzip, gzip'],
    ['deflate and then gzip', (text: string) => gzipSync(deflateSync(text)), 'deflate, gzip'],
  ] as const;
  /** A list so long is read in another thread. In `npm test` it comes from some of the packers, the short ones from each. */
  const lengthsBy = (name: string) =>
    few([0, 3, 9_000], many => many < 9_000 || ['gzip', 'Brotli', 'Zstandard that no header names'].includes(name));

  test.each(packers)(
    'an answer compressed by %s is read: short and long lists, refusals, acceptance',
    async (name, pack, encoding) => {
      let [status, body]: [number, unknown] = [200, []];
      const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding };
      const { service, asked } = await serve(() => ({ status, headers, text: pack(`\ufeff${JSON.stringify(body)}`) }));
      for (const many of lengthsBy(name)) {
        body = recordsOf(many);
        const { records } = await readAnyList(await service.fetch('token', lists.databases), ['live'], {});
        expect(records).toHaveLength(many);
      }
      [status, body] = [409, { message: 'It has clones' }];
      await expect(service.fetch('token', get('/database', 'ORACLE_LIVE_DATABASE-1'))).rejects.toMatchObject({
        message: 'The service refused: “It has clones”.',
      });
      [status, body] = [200, success];
      await service.submit('token', put('/database/refresh', 'ORACLE_LIVE_DATABASE-1'));
      expect(new Set(asked)).toEqual(new Set(['nothing']));
    },
  );

  test.each(packers)(
    'an answer compressed by %s is refused where it is too large unpacked',
    async (_, pack, encoding) => {
      const bomb = pack(`[${' '.repeat(8 * 1024 * 1024)}]`);
      const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding };
      const { service } = await serve(() => ({ status: 200, headers, text: bomb }), 2 * 1024 * 1024);
      expect(bomb.length).toBeLessThan(100_000);
      await expect(service.fetch('token', lists.databases)).rejects.toMatchObject({
        kind: 'unreadable',
        message: 'The service’s answer is too large to read.',
      });
      await expect(service.submit('token', put('/database/stop', 'X-1'))).rejects.toMatchObject({ kind: 'unclear' });
    },
  );

  test.each(packers)('an answer compressed by %s that is cut off is refused', async (_, pack, encoding) => {
    const whole = pack(JSON.stringify(recordsOf(50)));
    const headers: Record<string, string> = encoding === undefined ? {} : { 'content-encoding': encoding };
    const { service } = await serve(() => ({ status: 200, headers, text: whole.subarray(0, whole.length - 9) }));
    await expect(service.fetch('token', lists.databases)).rejects.toMatchObject({
      kind: 'unreadable',
      message: 'The service’s answer is compressed, so I cannot read it.',
    });
  });

  const named = few(['gzip', 'deflate', 'br', 'zstd', 'GZIP, br', 'identity', 'x'], (_, at) => at % 2 === 0);
  test.each(named)('an answer that is not compressed is read although its header says %s', async encoding => {
    let text = '[]';
    const { service } = await serve(() => ({ status: 200, headers: { 'content-encoding': encoding }, text }));
    expect(await service.fetch('token', lists.databases)).toEqual([]);
    text = JSON.stringify(recordsOf(9_000)).replace('db0', 'dbé');
    const { records } = await readAnyList(await service.fetch('token', lists.databases), ['live'], {});
    expect(records).toHaveLength(9_000);
    for (text of [JSON.stringify(success), ''])
      await service.submit('token', put('/database/refresh', 'ORACLE_LIVE_DATABASE-1'));
  });
});

describe('one record that is no JSON', () => {
  const textOf = (many: number) => JSON.stringify(recordsOf(many)).replace('"name":"db2"', '"name":"db2","size":NaN');

  test.each([4, 9_000])(
    'one record of %i that is not JSON is kept without its facts, and hides no other',
    async many => {
      const { service } = await serve(() => ({ status: 200, text: textOf(many) }));
      const { records, cut } = await readAnyList(await service.fetch('token', lists.databases), ['live'], {});
      expect([records.length, cut]).toEqual([many, true]);
      const names = records.slice(0, 4).map(({ id, name }) => [id.text, name]);
      expect(names).toEqual([
        ['ORACLE_LIVE_DATABASE-0', 'db0'],
        ['ORACLE_LIVE_DATABASE-1', 'db1'],
        ['ORACLE_LIVE_DATABASE-2', undefined],
        ['ORACLE_LIVE_DATABASE-3', 'db3'],
      ]);
    },
  );

  test('a single record that is not JSON is told as unreadable, not as gone', async () => {
    const { service } = await serve(() => ({ status: 200, text: '{"id":"ORACLE_LIVE_DATABASE-2","size":NaN}' }));
    await expect(service.fetch('token', get('/database', 'ORACLE_LIVE_DATABASE-2'))).rejects.toMatchObject({
      kind: 'unreadable',
    });
  });

  test('a list with a record that is not JSON shows no token', async () => {
    const token = 'tok-en.of-ben-7f3a9c';
    const text = textOf(4).replace('"db1"', `"${token}"`).replace('NaN', `${token}`);
    const { service } = await serve(() => ({ status: 200, text }));
    expect(JSON.stringify(await service.fetch(token, lists.databases))).not.toContain(token);
  });
});
