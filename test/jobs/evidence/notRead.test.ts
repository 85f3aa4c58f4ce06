import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { recordReader } from '../../../src/records/recordReader.ts';

/* Not read is not not there: where a read of evidence fails, nothing is concluded from what it would have shown. */

/** What each `catch` and each `askOr` in evidence makes of a read that failed, if it is not that the look fails. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  // Words that are not learned stay in doubt.
  'lookForProof.ts': ["askOr(here, 'list', noun, () => undefined);"],
  'gather.ts': [
    'if (isNew) await records.list(noun).catch(() => undefined);',
    'const listed = await records.listed().catch(() => []);',
    'const read = await Promise.all(alone.map(({ id }) => records.alone(id).catch(() => undefined)));',
  ],
  'words/stateVocabulary.ts': ['return words.keep(rows).catch((error: unknown) => {'],
  // The end is told without the name and the time of its snapshot.
  'newSnapshot.ts': ["const part = askOr(here, 'part', { holder, id: snapshot }, () => undefined);"],
  // A source that was not read tells of no failure: the job waits.
  'newRecords/withoutRecord.ts': [
    "const source = askOr(here, 'one', { id: target, isWhole }, () => undefined)?.record;",
  ],
};

test('only listed places in the code that judges evidence go on after a failed read', () => {
  const folder = new URL('../../../src/jobs/evidence/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const caught = files.flatMap(file => {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
    const own = lines
      .map(line => line.trim())
      .filter(line => /catch\((?!unlessHidden)|askOr\((?!.*unlessHidden)/.test(line));
    return own.length > 0 ? [[file, own] as const] : [];
  });
  expect(Object.fromEntries(caught)).toEqual(allowed);
});

test.each([
  ['missing', 'is known by its identifier alone'],
  ['forbidden', 'is known by its identifier alone'],
  ['busy', 'is not read'],
  ['unreadable', 'is not read'],
] as const)('a snapshot in a record whose read fails as %s %s', async (kind, _) => {
  const [holder, snapshot] = [parseIdentifier('MYSQL_LIVE_SERVER-2'), parseIdentifier('MYSQL_SNAPSHOT-7')];
  if (!holder || !snapshot) throw new Error('no identifiers');
  const reader = recordReader(() => Promise.reject(new Failure(kind, 'no')), {});
  const read = reader.part(holder, snapshot);
  if (kind === 'missing' || kind === 'forbidden') expect(await read).toMatchObject({ id: snapshot, state: undefined });
  else await expect(read).rejects.toThrow('no');
});
