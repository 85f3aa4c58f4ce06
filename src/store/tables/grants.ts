import type { Store } from '../database.ts';
import type { Owner } from '../vault.ts';
import { inTrail, type Told } from './audit.ts';
import { type Grant, type GrantStep, readGrant, writeGrantStep } from './grantRows.ts';

/** People’s leave that steps of workflows run in their name: one for each step exactly as it is. */
export type Grants = {
  find(id: string): Promise<Grant | undefined>;
  /** A person’s grants that were decided, or wait for those who approve: those that are held, then the latest first. */
  ofPerson(owner: Owner, max: number): Promise<Grant[]>;
  /** The number of grants about which a person is asked and has not decided. */
  openOf(owner: Owner): Promise<number>;
  /** Writes a decision; `undefined` where somebody else decided first. */
  decide(grant: Grant, step: GrantStep, now: number): Promise<Grant | undefined>;
  /** Deletes some grants that nobody decided on, refused or revoked before `time`, and their messages. */
  sweep(time: number): Promise<number>;
};

const sweptAtOnce = 200;

/** Keeps grants in the store. `told` is called with their entries in the trail. */
export function grantsIn(store: Store, told?: Told): Grants {
  return {
    async find(id) {
      const row = await store.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readGrant(row)[0];
    },
    async ofPerson({ team, person }, max) {
      const rows = await store
        .selectFrom('grants')
        .selectAll()
        .where('team', '=', team)
        .where('person', '=', person)
        .where('state', '!=', 'asked')
        .orderBy(eb => eb.case().when('state', 'in', ['given', 'waiting']).then(0).else(1).end())
        .orderBy('createdAt', 'desc')
        .orderBy('id')
        .limit(max)
        .execute();
      return rows.flatMap(readGrant);
    },
    async openOf({ team, person }) {
      const { many } = await store
        .selectFrom('grants')
        .select(eb => eb.fn.countAll().as('many'))
        .where('team', '=', team)
        .where('person', '=', person)
        .where('state', '=', 'asked')
        .executeTakeFirstOrThrow();
      return Number(many);
    },
    decide: (grant, step, now) =>
      inTrail(store, told, (changes, note) => writeGrantStep(changes, note, { grant, step, now })),
    async sweep(time) {
      const some = store
        .selectFrom('grants')
        .select('id')
        .where('state', 'in', ['asked', 'refused', 'revoked'])
        .where(eb => eb.fn.coalesce('decidedAt', 'usedAt', 'createdAt'), '<', time)
        .limit(sweptAtOnce);
      return store.transaction().execute(async changes => {
        const swept = await changes.deleteFrom('grants').where('id', 'in', some).returning('id').execute();
        const ids = swept.map(({ id }) => id);
        if (ids.length > 0) await changes.deleteFrom('notices').where('subject', 'in', ids).execute();
        return ids.length;
      });
    },
  };
}
