import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { mayHaveStored, StoreTrouble, sentence } from '../../../src/ground/failure.ts';
import { answers } from '../../../src/store/census.ts';
import { hasPostgres } from '../../postgresServer.ts';
import { folder, jobsOf, storeIn, storeInPostgres, stores, wish } from '../folder.ts';

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([
  ['has no space left', 'pragma max_page_count = 1', 'there is no space left for it'],
  ['cannot be written', 'pragma query_only = 1', 'it cannot be written'],
])('a store that %s says so, and that nothing was sent', async (_what, pragma, why) => {
  const store = await storeIn(folder());
  await sql.raw(pragma).execute(store);
  const error = await failureOf(jobsOf(store).add(wish({ purpose: 'x'.repeat(100_000) })));
  expect(error).toBeInstanceOf(StoreTrouble);
  expect(sentence(error)).toContain(`My store is in trouble (${why}), so nothing was sent.`);
  // The log has what lies behind it.
  expect(error).toHaveProperty('cause.code', expect.stringMatching(/^SQLITE_/));
});

test.each([
  ['has no space left', 'pragma max_page_count = 1', 'pragma max_page_count = 1000000'],
  ['cannot be written', 'pragma query_only = 1', 'pragma query_only = 0'],
])('a store that %s does not answer for as long, though it could be read', async (_what, begins, ends) => {
  const store = await storeIn(folder());
  // The migrations leave free pages in the file, in which it could still write.
  await sql.raw('vacuum').execute(store);
  await sql.raw(begins).execute(store);
  expect(await failureOf(answers(store))).toBeInstanceOf(StoreTrouble);
  await sql.raw(ends).execute(store);
  await answers(store);
  expect(await store.selectFrom('inbox').selectAll().execute()).toEqual([]);
});

test.each(stores)('a statement that %s does not take is a defect, and no trouble of the store', async (_what, open) => {
  const store = await open();
  const error = await failureOf(sql`select nothing from nowhere`.execute(store));
  expect(error).not.toBeInstanceOf(StoreTrouble);
  expect(sentence(error)).toContain('Something went wrong inside Dolly');
});

describe.runIf(hasPostgres)('a connection that is lost', () => {
  test('at the commit leaves open what the store has', async () => {
    const store = await storeInPostgres(() => undefined);
    const ends = 'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    await sql.raw(`create function ends() returns trigger language plpgsql as $$ ${ends} $$`).execute(store);
    const atCommit = 'after insert on jobs deferrable initially deferred for each row execute function ends()';
    await sql.raw(`create constraint trigger trouble ${atCommit}`).execute(store);
    const error = await failureOf(jobsOf(store).add(wish()));
    expect(mayHaveStored(error)).toBe(true);
    expect(sentence(error)).toContain('I do not know yet whether I have this');
  });
  test('before the commit leaves nothing there', async () => {
    const store = await storeInPostgres(() => undefined);
    const error = await failureOf(
      store.transaction().execute(changes => sql`select pg_terminate_backend(pg_backend_pid())`.execute(changes)),
    );
    expect(mayHaveStored(error)).toBe(false);
    expect(sentence(error)).toContain('nothing was sent');
  });
});
