import type { Store } from '../database.ts';
import { asAdded } from '../lists.ts';
import type { StateAnswerRow } from './rows.ts';

/** A state word in records of one kind, in a workspace. */
export type AskedWord = Readonly<{ team: string; kind: string; word: string }>;

/** What a person says of a record that stands in a word. */
export type StateAnswer = Omit<StateAnswerRow, 'service'>;

/**
 * What people said that state words mean, where nothing else tells, and the jobs whose messages ask for it. They belong to
 * a workspace and a service. Looks read them afresh, so that every process heeds an answer at once.
 */
export type StateAnswers = ReturnType<typeof stateAnswersIn>;

/** The answer that only notes which job asks. */
export const asking = 'asked';

export function stateAnswersIn(store: Store, service: string) {
  const rows = (team: string) =>
    store.selectFrom('stateAnswers').selectAll().where('service', '=', service).where('team', '=', team);
  const on = ({ team, kind, word }: AskedWord) => rows(team).where('kind', '=', kind).where('word', '=', word);
  const write = (answer: StateAnswer) =>
    store
      .insertInto('stateAnswers')
      .values({ ...answer, service })
      .onConflict(conflict =>
        conflict
          .columns(['service', 'team', 'kind', 'word', 'person', 'job'])
          .doUpdateSet(asAdded('says', 'approves', 'at')),
      )
      .execute();
  return {
    /** The answers on a word, the latest first. */
    on: (asked: AskedWord) => on(asked).where('says', '!=', asking).orderBy('at', 'desc').execute(),
    /** All answers of a workspace, the latest first. */
    all: (team: string) => rows(team).where('says', '!=', asking).orderBy('at', 'desc').execute(),
    /** Keeps an answer; of one person's answers on one job, the last counts. */
    async add(answer: StateAnswer) {
      await write(answer);
    },
    /** Forgets all answers on a word. */
    async forget({ team, kind, word }: AskedWord) {
      await store
        .deleteFrom('stateAnswers')
        .where(({ and }) => and({ service, team, kind, word }))
        .execute();
    },
    /** The job whose message asks for the meaning of a word: the one that did so first and is under way, else this one. */
    async askerOf(asked: AskedWord, job: string, now: number) {
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
