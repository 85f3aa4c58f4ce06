import type { Dialect } from './dialect.ts';
import type { AnyKind, Rest } from './words.ts';

export type Snapshot = Readonly<{ id: string; name: string; at: number; by: string }>;

/** How a job ends: well, in part, or failed in one of the ways in which a service can show that, or not. The last two never began. */
export type Ending = 'succeeded' | 'partial' | 'silent' | 'error' | 'broken' | 'vanishes' | 'refused' | 'lost';

/** A try of a job that failed, so that another one follows. */
export type Attempt = Readonly<{ beginsAt: number; endsAt: number; error: string }>;

/** A job of the service, by whomever. Times are milliseconds since the epoch. */
export type Work = {
  number: number;
  kind: AnyKind;
  by: string;
  /** The record that it is done to, or the source of a clone. */
  on: string;
  acceptedAt: number;
  beginsAt: number;
  endsAt: number;
  ending: Ending;
  error: string;
  /** The tries before the last one, of a service that tries again by itself. */
  attempts: readonly Attempt[];
  /** When the last try begins. */
  lastFrom: number;
  /** The clone or the snapshot that it brings. */
  brings?: string;
  asked: Readonly<Record<string, unknown>>;
};

/** A live database or a clone, as the service itself knows it. */
export type Base = {
  id: string;
  name: string;
  isClone: boolean;
  isPhysical: boolean;
  rest: Rest;
  environment: string;
  source?: string;
  snapshot?: string;
  port: number;
  mountBase?: string;
  project?: string;
  owner: string;
  snapshots: Snapshot[];
  works: Work[];
  error?: string;
  createdAt: number;
  updatedAt: number;
  /** When the last work of a kind was done well. */
  doneAt: Partial<Record<AnyKind, number>>;
  done: Partial<Record<AnyKind, number>>;
  deletedAt?: number;
  /** Shows the word in which it will rest until then, though it is being made. */
  restsUntil?: number;
};

const hour = 3_600_000;

/** The identifiers of a vendor. */
export function idsOf(vendor: Dialect['vendor']) {
  const thing = vendor === 'ORACLE' ? 'DATABASE' : 'SERVER';
  return {
    live: (number: number) => `${vendor}_LIVE_${thing}-${number}`,
    clone: (number: number) => `${vendor}_CLONE_${thing}-${number}`,
    snapshot: (number: number) => `${vendor}_SNAPSHOT-${number}`,
    install: (number: number) => `${vendor}_INSTALL-${number}`,
    environment: (number: number) => `HOST_ENVIRONMENT-${number}`,
    user: (number: number) => `ENVIRONMENT_USER-${number}`,
    project: (number: number) => `PROJECT-${number}`,
  };
}

const liveNames = [
  'orders',
  'shop',
  'billing',
  'crm',
  'payroll',
  'stock',
  'archive',
  'web',
  'legacy',
  'dormant',
  'mail',
  'wiki',
];
/** The live databases that are disabled, and the clones that are stopped: by number. */
export const disabledLives = [9, 10];
export const stoppedClones = [7, 8];

/** Twelve live databases with three snapshots each and ten virtual clones, or none, at `now`. */
export function exampleEstate(dialect: Dialect, now: number): Map<string, Base> {
  const ids = idsOf(dialect.vendor);
  const lives = liveNames.map((name, at): Base => {
    const number = at + 1;
    const snapshots = [3, 2, 1].map((days, place) => ({
      id: ids.snapshot(number * 10 + place),
      name: `${name}-${place + 1}`,
      at: now - days * 24 * hour,
      by: 'berta',
    }));
    return {
      ...base(now),
      id: ids.live(number),
      name,
      isClone: false,
      isPhysical: true,
      rest: disabledLives.includes(number) ? 'disabled' : 'up',
      environment: ids.environment(1),
      port: 3300 + number,
      snapshots,
      doneAt: { backup: now - 24 * hour, refresh: now - 9 * hour },
      works: [old('backup', ids.live(number), now - 24 * hour, number)],
    };
  });
  const clones = Array.from({ length: dialect.hasClones ? 10 : 0 }, (_, at): Base => {
    const number = at + 1;
    return {
      ...base(now),
      id: ids.clone(number),
      name: `web-dev${number}`,
      isClone: true,
      isPhysical: false,
      rest: stoppedClones.includes(number) ? 'down' : 'up',
      environment: ids.environment(2),
      source: ids.live(8),
      snapshot: ids.snapshot(80),
      port: 3400 + number,
      mountBase: `/mnt/old${number}`,
      project: ids.project(1),
      owner: 'berta',
      works: [old(stoppedClones.includes(number) ? 'stop' : 'start', ids.clone(number), now - 30 * hour, 100 + number)],
    };
  });
  // What stays of the last error tells nothing of the next job.
  const marked = (one: Base, at: number): Base =>
    dialect.errorStays && at % 2 === 0 ? { ...one, error: `E-${at}: the listener was down last month` } : one;
  return new Map([...lives, ...clones].map((one, at) => [one.id, marked(one, at)]));
}

function base(now: number) {
  return {
    owner: 'system',
    snapshots: [],
    works: [],
    createdAt: now - 90 * 24 * hour,
    updatedAt: now - 24 * hour,
    doneAt: {},
    done: {},
  };
}

/** A job of long ago, every third of which failed. */
function old(kind: AnyKind, on: string, at: number, number: number): Work {
  const failed = number % 3 === 0;
  return {
    number,
    kind,
    by: 'berta',
    on,
    acceptedAt: at - 60_000,
    beginsAt: at - 60_000,
    endsAt: at,
    ending: failed ? 'error' : 'succeeded',
    error: failed ? `E-${number}: the host did not answer` : '',
    attempts: [],
    lastFrom: at - 60_000,
    asked: {},
  };
}
