import { day, hour, minute } from '../../../src/ground/durations.ts';
import { type Database, nextIdentifier } from '../../../src/sandbox/service/estate.ts';
import { asks } from '../../journeys/asking.ts';
import { addSnapshot, standingOn } from './estate.ts';
import { down, lookTime, monday } from './plan.ts';
import { ordinaryOn, type Team } from './play.ts';

/*
 * The twelve troubles of the week. Each is planted in the service or by a person, at a time, and is to be told within a
 * time from then on, which counts what Dolly has to wait for: the age that the policy wants, the next run, an end.
 */

export type Trouble = Readonly<{
  what: string;
  at: number;
  within: number;
  /** Plants it. @returns the name of what is in trouble, by which a message is recognized, and what mends it */
  plant(team: Team): Planted | Promise<Planted>;
  /** The words that tell it. */
  words: RegExp;
  /** When it is mended, after it was planted. */
  mendedAfter?: number;
}>;
type Planted = Readonly<{ name: string; mend?: () => unknown }>;

/** Two looks, since some of it is told at the second one, and a minute for Slack. */
const looks = 2 * lookTime + minute;
const at = (weekday: number, hours: number) => monday + weekday * day + hours * hour;

/** A database for a trouble alone: the next one has another. */
function ordinary(team: Team, host: string): Database {
  const one = ordinaryOn(team, host);
  team.taken.add(one.id);
  return one;
}

/** A database that a schedule has. */
function scheduledOn({ scheduled }: Team, row: string, index = 0): Database {
  const one = scheduled.get(row)?.[index];
  if (!one) throw new Error(`no schedule of ${row}`);
  return one;
}

/** Changes a database, until it is mended. */
function changed(one: Database, change: Partial<Database>): Planted {
  const { state } = one;
  Object.assign(one, change);
  return { name: one.name, mend: () => Object.assign(one, { state, error: undefined }) };
}

/** The service refuses what has all these words, until it is mended. */
function refuses({ refused }: Team, name: string, words: string): Planted {
  refused.add(words);
  return { name, mend: () => refused.delete(words) };
}

/** Nobody backs a database up, until somebody does. */
function unprotected({ earth, leftOut }: Team, one: Database): Planted {
  leftOut.add(one.id);
  const mend = () => {
    leftOut.delete(one.id);
    addSnapshot(earth.service.service.estate, one, earth.clock.now());
  };
  return { name: one.name, mend };
}

export const troubles: readonly Trouble[] = [
  {
    what: 'a database that was never backed up',
    ...{ at: at(0, 10), within: 26 * hour + looks, words: /never backed up/, mendedAfter: 2 * day },
    plant(team) {
      const { service } = team.earth.service;
      const like = ordinary(team, 'data-prod-eu');
      const id = nextIdentifier(service.estate, 'MARIADB_LIVE_SERVER');
      const fresh = {
        ...like,
        id,
        name: 'newcomer_ledger',
        port: 4_999,
        snapshots: [],
        createdAt: team.earth.clock.now(),
      };
      service.add(fresh);
      return unprotected(team, fresh);
    },
  },
  {
    what: 'a database whose backups are late',
    ...{ at: at(0, 12), within: 15.2 * hour + looks, words: /late with backups/, mendedAfter: 23 * hour },
    plant: team => unprotected(team, ordinary(team, 'shop-prod-eu')),
  },
  {
    what: 'a lease that cannot be ended',
    ...{ at: at(1, 12), within: 21 * hour + looks, words: /could not be stopped/ },
    plant(team) {
      const clones = standingOn(team.earth.service.service.estate, 'qa', true);
      const clone = clones.find(({ createdAt }) => createdAt > monday);
      if (!clone) throw new Error('nobody made a clone on Monday');
      return refuses(team, clone.name, `/database/stop ${clone.id}`);
    },
  },
  {
    what: 'a database that vanished',
    ...{ at: at(1, 14), within: looks, words: /vanished/ },
    plant(team) {
      const { id, name } = ordinary(team, 'shop-prod-jp');
      team.earth.service.service.remove(id);
      return { name };
    },
  },
  {
    what: 'an approval that expires',
    ...{ at: at(1, 16), within: day + looks, words: /expired/ },
    async plant(team) {
      const { id, name } = ordinary(team, 'erp-prod-us');
      await asks(team.earth, team.people.Ana, `/db delete ${id}`, { name });
      return { name };
    },
  },
  {
    what: 'a schedule that cannot sign in',
    ...{
      at: at(1, 20),
      within: 2 * hour + looks,
      words: /refuses its owner’s sign-in|not signed in/,
      mendedAfter: 14 * hour,
    },
    plant(team) {
      const { earth, people } = team;
      earth.service.service.signOut('chi');
      const { name } = scheduledOn(team, 'backup shop-prod-jp Chi');
      return { name, mend: () => earth.signsIn(people.Chi, '#dev', 'chi') };
    },
  },
  {
    what: 'a clone that breaks',
    ...{ at: at(2, 11), within: looks, words: /failed/, mendedAfter: 23 * hour },
    plant({ earth }) {
      const clone = standingOn(earth.service.service.estate, 'dev', true).find(({ owner }) => owner === 'ben');
      if (!clone) throw new Error('there is no clone of Ben’s');
      return changed(clone, { state: 'FAILED', error: 'Table corruption in the system tablespace.' });
    },
  },
  {
    what: 'a database that somebody disabled elsewhere',
    ...{ at: at(2, 16), within: looks, words: /disabled/, mendedAfter: 17 * hour },
    plant: team => changed(ordinary(team, 'erp-prod-us'), { state: 'DISABLED' }),
  },
  {
    what: 'a log backup that fails from now on',
    ...{ at: at(2, 18.5), within: 6 * hour + looks, words: /failed/, mendedAfter: 20 * hour },
    plant(team) {
      const { id, name } = scheduledOn(team, 'backup-logs erp-prod-us Ana');
      return refuses(team, name, `/database/sync LOG "${id}"`);
    },
  },
  {
    what: 'a schedule whose target is gone',
    ...{ at: at(3, 10), within: 8 * hour + looks, words: /is paused/ },
    plant(team) {
      const { id, name } = scheduledOn(team, 'backup shop-prod-jp Ben');
      team.earth.service.service.remove(id);
      return { name };
    },
  },
  { what: 'a host that is down', at: down.at, within: looks, words: /failed/, plant: () => ({ name: down.host }) },
  {
    what: 'a backup of several that finished in part',
    ...{ at: at(4, 2.5), within: hour + looks, words: /\d of \d+ confirmed/, mendedAfter: 7 * hour },
    plant(team) {
      const { id } = scheduledOn(team, 'backup edge-prod Ana', 2);
      return refuses(team, 'edge-prod', `/database/sync "${id}"`);
    },
  },
];
