import type { Kysely } from 'kysely';
import type { Schema, Store } from '../database.ts';
import { asAdded, isAnyOf, isNoneOf } from '../lists.ts';
import { equals, insertOrSet } from '../statementParts.ts';
import type { StateAnswerRow } from './rows.ts';

/** A state word in records of one kind, in a workspace. */
export type AskedWord = Readonly<{ team: string; kind: string; word: string }>;

/** What a person says of a record that stands in a word. */
export type StateAnswer = Omit<StateAnswerRow, 'service'>;

/**
 * What people said that state words mean, where nothing else tells, and the jobs whose messages ask for it. They belong to
 * a workspace and a service. Looks read them afresh, so that every process heeds an answer at once.
 */
export type StateAnswers = Readonly<{
  /** The answers on a word, the latest first. */
  on(asked: AskedWord): Promise<readonly StateAnswer[]>;
  /** All answers of a workspace, the latest first. */
  all(team: string): Promise<readonly StateAnswer[]>;
  /** Keeps an answer; of one person's answers on one job, the last counts. */
  add(answer: StateAnswer): Promise<void>;
  /** The job whose message asks for the meaning of a word: the one that did so first and is under way, else this one. */
  askerOf(asked: AskedWord, job: string, now: number): Promise<string>;
  /** Forgets all answers on a word, and who asks for its meaning. */
  forget(asked: AskedWord): Promise<void>;
}>;

/** The answer that only notes which job asks. */
export const asking = 'asked';

/** The kind of a question about one copy, and not about its word: what is said of it holds for the job that made it. */
export const kindOfCopy = (id: string) => `the copy ${id}`;

const key = ['service', 'team', 'kind', 'word', 'person', 'job'] as const;

export function stateAnswersIn(store: Store, service: string): StateAnswers {
  const rows = (team: string) => store.selectFrom('stateAnswers').selectAll().where(equals({ service, team }));
  const on = ({ team, kind, word }: AskedWord) => rows(team).where(equals({ kind, word }));
  const write = (answer: StateAnswer) =>
    insertOrSet(store, 'stateAnswers', key, { ...answer, service }, asAdded('says', 'approves', 'at')).execute();
  return {
    on: asked => on(asked).where('says', '!=', asking).orderBy('at', 'desc').execute(),
    all: team => rows(team).where('says', '!=', asking).orderBy('at', 'desc').execute(),
    async add(answer) {
      await write(answer);
    },
    async forget({ team, kind, word }) {
      await store.deleteFrom('stateAnswers').where(equals({ service, team, kind, word })).execute();
    },
    async askerOf(asked, job, now) {
      const first = await on(asked)
        .where('says', '=', asking)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('jobs')
              .select('id')
              .whereRef('jobs.id', '=', 'stateAnswers.job')
              .where('jobs.endedAt', 'is', null),
          ),
        )
        .orderBy('at')
        .executeTakeFirst();
      if (first) return first.job;
      await write({ ...asked, job, person: '', login: '', record: '', says: asking, approves: 0, at: now });
      return job;
    },
  };
}

/**
 * Deletes what was said and asked about jobs that are deleted in the same transaction: each job that ends by a word adds to
 * what every look at such a word reads. What a person says of a word stays as long as no other job shows it.
 */
export async function sweepAnswers(changes: Kysely<Schema>, jobs: readonly string[]): Promise<void> {
  await changes
    .deleteFrom('stateAnswers')
    .where(isAnyOf('job', jobs))
    .where(({ or, eb, and, exists, selectFrom }) =>
      or([
        eb('kind', 'like', kindOfCopy('%')),
        and({ approves: 0, says: asking }),
        eb('approves', '=', 0).and(
          exists(
            selectFrom('stateAnswers as same')
              .select('same.job')
              .whereRef('same.service', '=', 'stateAnswers.service')
              .whereRef('same.team', '=', 'stateAnswers.team')
              .whereRef('same.kind', '=', 'stateAnswers.kind')
              .whereRef('same.word', '=', 'stateAnswers.word')
              .whereRef('same.person', '=', 'stateAnswers.person')
              .whereRef('same.says', '=', 'stateAnswers.says')
              .where(isNoneOf('same.job', jobs)),
          ),
        ),
      ]),
    )
    .execute();
}
