import { createHash } from 'node:crypto';
import { z } from 'zod';
import { lockTime } from '../../ground/loop.ts';
import type { Store } from '../database.ts';
import { wakeTeam } from '../dueQueue.ts';
import { unsent } from '../jobs/rows/job.ts';
import { isFree } from '../lock.ts';
import { countRows, equals, insertOrSet, unlessThere, wrote } from '../statementParts.ts';
import type { Note } from '../things/things.ts';
import type { Vault } from '../vault.ts';
import { inTrail, type Told } from './audit/audit.ts';
import type { InstallationRow } from './rows.ts';

/** A bot token, the token that renews it, and the time at which it ends, in milliseconds since the epoch. */
export type BotToken = Readonly<{ token: string; renewal?: string | undefined; expiresAt?: number | undefined }>;

/** The app as it is installed for a team: a workspace (T…), or a whole organisation (E…). */
export type Installation = Readonly<
  Pick<InstallationRow, 'team' | 'name' | 'app' | 'bot' | 'botUser' | 'person' | 'createdAt'>
>;

/** An installation with its token, and the seal by which a change finds it unchanged. */
export type OpenedInstallation = Installation & BotToken & Readonly<{ seal: string }>;

/** A state that was used: its text, and the time until which it could be used again. */
export type UsedState = Readonly<{ state: string; expiresAt: number }>;

/** The time of an uninstallation, in milliseconds since the epoch, and the number of messages that wait since. */
export type Absence = Readonly<{ since: number; waiting: number }>;

/** The installations of the app, each with its bot token, which is sealed like people's sign-ins. */
export type Installations = Readonly<{
  /** The installation of a team; `undefined` where there is none, or no key opens its seal. */
  find(team: string): Promise<OpenedInstallation | undefined>;
  /**
   * Keeps an installation, in place of an earlier one of the team, with its entry in the trail. Messages that waited for
   * it are due at once. Gives `false`, and keeps nothing, where the state was used before.
   */
  keep(installation: Installation, token: BotToken, used: UsedState): Promise<boolean>;
  /** Whether the app was uninstalled for a team. Where it was never installed, it was not. */
  hasEnded(team: string): Promise<boolean>;
  /** Since when the app is not installed for a team any more, and how many messages wait for it; `undefined` where it is. */
  absence(team: string): Promise<Absence | undefined>;
  /**
   * Drops the token of an installation that has ended, with an entry in the trail, and makes the team's jobs that were
   * not sent due, so that they end. Gives `false` where it was installed anew since.
   */
  end(installation: Pick<OpenedInstallation, 'team' | 'seal'>, why: string, now: number): Promise<boolean>;
  /**
   * Notes that the app is gone from a team whose token the configuration names; as `end` does with one that is stored. Gives
   * `false` where the store knows the team already.
   */
  leave(team: string, why: string, now: number): Promise<boolean>;
  /** Ends such an absence: messages that waited are due at once. Gives what it was; `undefined` where it is over by now. */
  comeBack(team: string, now: number): Promise<Absence | undefined>;
  /** Takes the right to renew a token for a while; `false` where another process has it, or the token has changed. */
  lock(installation: OpenedInstallation, now: number): Promise<boolean>;
  /** Puts a new token in the place of the one that was found, and ends the lock; `false` where that has changed. */
  renew(installation: OpenedInstallation, token: BotToken): Promise<boolean>;
  /** Ends a lock without a new token. */
  unlock(installation: OpenedInstallation): Promise<void>;
  /** The teams for which the app is installed. */
  teams(): Promise<readonly string[]>;
  /** The teams that it is gone from. */
  left(): Promise<readonly string[]>;
  /** Seals anew the tokens that an older key sealed; gives their number. */
  sealAnew(): Promise<number>;
}>;

/** The sealed content: the bot token, and the one that renews it. */
const Sealed = z.tuple([z.string(), z.string().nullable()]);

/** Keeps installations in the store, sealed by the vault; `told` is called with their entries in the trail. */
export function installationsIn(store: Store, vault: Vault, told?: Told): Installations {
  const seal = (team: string, { token, renewal }: BotToken) =>
    vault.seal(owner(team), JSON.stringify([token, renewal ?? null]));
  const open = async (row: InstallationRow): Promise<OpenedInstallation | undefined> => {
    if (row.token === null) return undefined;
    const text = await vault.open(owner(row.team), row.token);
    if (text === undefined) return undefined;
    const { team, name, app, bot, botUser, person, token: sealed } = row;
    // No other content can have this seal.
    const [token, renewal] = Sealed.parse(JSON.parse(text));
    const about = { team, name, app, bot, botUser, person, createdAt: row.createdAt, token, seal: sealed };
    const expiry = row.expiresAt === null ? {} : { expiresAt: row.expiresAt };
    return { ...about, ...(renewal === null ? {} : { renewal }), ...expiry };
  };
  const standing = () => store.selectFrom('installations').where('token', 'is not', null);
  const gone = () => store.selectFrom('installations').where('token', 'is', null);
  const unchanged = ({ team, seal: found }: Pick<OpenedInstallation, 'team' | 'seal'>) =>
    store.updateTable('installations').where(equals({ team, token: found }));
  const absence = async (team: string): Promise<Absence | undefined> => {
    const left = await gone().select('endedAt').where('team', '=', team).executeTakeFirst();
    if (!left || left.endedAt === null) return undefined;
    const [notices, jobs] = await Promise.all([
      countRows(
        store
          .selectFrom('due')
          .where(equals({ team, kind: 'notice' }))
          .where('dueAt', 'is not', null),
      ),
      countRows(store.selectFrom('jobs').where('team', '=', team).where('tellAt', 'is not', null)),
    ]);
    return { since: left.endedAt, waiting: notices + jobs };
  };
  return {
    async keep(installation, token, { state, expiresAt }) {
      const { team, createdAt: now, ...known } = installation;
      const sealed = { token: await seal(team, token), expiresAt: token.expiresAt ?? null };
      const row = { ...known, ...sealed, createdAt: now, endedAt: null, lockedUntil: 0 };
      return inTrail(store, told, async (changes, note) => {
        await changes.deleteFrom('usedStates').where('expiresAt', '<=', now).execute();
        const used = { id: createHash('sha256').update(state).digest('base64url'), expiresAt };
        if (!(await wrote(changes.insertInto('usedStates').values(used).onConflict(unlessThere)))) return false;
        await insertOrSet(changes, 'installations', ['team'], { team, ...row }, row).execute();
        await tellAll(changes, team, now);
        await note({ at: now, team, event: 'installed', actor: installation.person, person: installation.person });
        return true;
      });
    },
    async find(team) {
      const row = await standing().selectAll().where('team', '=', team).executeTakeFirst();
      return row && open(row);
    },
    leave: (team, why, now) =>
      inTrail(store, told, async (changes, note) => {
        const nothing = { name: null, app: null, bot: '', botUser: '', person: '', token: null, expiresAt: null };
        const row = { team, ...nothing, createdAt: now, endedAt: now, lockedUntil: 0 };
        const left = changes.insertInto('installations').values(row).onConflict(unlessThere);
        return (await wrote(left)) && noteLeft(changes, note, { team, why, now });
      }),
    async comeBack(team, now) {
      const found = await absence(team);
      return inTrail(store, told, async (changes, note) => {
        const ended = changes.deleteFrom('installations').where('team', '=', team).where('token', 'is', null);
        if (!(await wrote(ended))) return undefined;
        await tellAll(changes, team, now);
        await note({ at: now, team, event: 'installed', actor: 'dolly' });
        return found;
      });
    },
    hasEnded: async team => (await gone().select('team').where('team', '=', team).executeTakeFirst()) !== undefined,
    absence,
    teams: async () => (await standing().select('team').orderBy('team').execute()).map(({ team }) => team),
    left: async () => (await gone().select('team').execute()).map(({ team }) => team),
    lock(installation, now) {
      const taken = unchanged(installation).set({ lockedUntil: now + lockTime });
      return wrote(taken.where(isFree('lockedUntil', now, lockTime)));
    },
    async unlock(installation) {
      await unchanged(installation).set({ lockedUntil: 0 }).execute();
    },
    async renew(installation, token) {
      const sealed = { token: await seal(installation.team, token), expiresAt: token.expiresAt ?? null };
      return wrote(unchanged(installation).set({ ...sealed, lockedUntil: 0 }));
    },
    end: ({ team, seal: found }, why, now) =>
      inTrail(store, told, async (changes, note) => {
        const over = { token: null, expiresAt: null, endedAt: now, lockedUntil: 0 };
        const ended = changes
          .updateTable('installations')
          .set(over)
          .where(equals({ team, token: found }));
        return (await wrote(ended)) && noteLeft(changes, note, { team, why, now });
      }),
    async sealAnew() {
      let many = 0;
      for (const row of await standing().selectAll().execute()) {
        const opened = row.token === null || vault.isCurrent(row.token) ? undefined : await open(row);
        if (!opened) continue;
        many += Number(await wrote(unchanged(opened).set({ token: await seal(row.team, opened) })));
      }
      return many;
    },
  };
}

/** Makes what could not be told while the app was not installed due. */
async function tellAll(changes: Store, team: string, now: number): Promise<void> {
  await changes.updateTable('jobs').set({ tellAt: now }).where('team', '=', team).where('tellAt', '>', now).execute();
  await wakeTeam(changes, team, now);
}

type Left = Readonly<{ team: string; why: string; now: number }>;

/** Notes that a team has no app any more, and makes its jobs that were not sent due, so that they end. */
async function noteLeft(changes: Store, note: Note, { team, why, now }: Left): Promise<true> {
  await changes
    .updateTable('jobs')
    .set({ dueAt: now })
    .where('team', '=', team)
    .where('state', 'in', unsent)
    .where('dueAt', 'is not', null)
    .execute();
  await note({ at: now, team, event: 'uninstalled', actor: 'dolly', detail: why });
  return true;
}

/** The owner of a bot token, which no person can be: Slack's ids of people begin with U or W. */
function owner(team: string) {
  return { team, person: 'bot' };
}
