import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Clock } from '../../ground/clock.ts';
import { day, hour, minute } from '../../ground/durations.ts';
import { type Memory, remembered } from '../../ground/remembered.ts';
import type { People } from '../../jobs/approval/people/people.ts';
import { platformError } from './slackErrors.ts';
import type { Slacks } from './slacks.ts';

/** People beside the workspace's own members whom the operator lets in. They count as members. */
export type Allowed = Readonly<{
  /** Guests of the workspace. */
  guests: boolean;
  /** Other workspaces (T…) and organisations (E…). */
  teams: readonly string[];
}>;

/** Slack's answer about a person: the facts on which their standing rests. */
type ToldPerson = Readonly<{
  name?: string | undefined;
  zone?: string | undefined;
  /** Their status, where that says that they are away. */
  absence?: string | undefined;
  isGuest: boolean;
  isStranger: boolean;
  /** Whether this is no person, or none any more: unknown to Slack, deactivated, or a bot. */
  isGone: boolean;
  /** The workspaces and organisations that the person belongs to. */
  homes: readonly string[];
}>;

/**
 * Slack's errors for a person who is not of this workspace or is hidden from Dolly: such a person is an outsider, and
 * Slack is not in trouble.
 */
const nobody: ToldPerson = { isGuest: false, isStranger: true, isGone: true, homes: [] };

const groupMemory = {
  fresh: 5 * minute,
  kept: hour,
  patience: 2_000,
  pause: 30_000,
  most: 1_000,
};
// A person's standing is kept for a day while Slack is in trouble: a known guest must not become a member by it.
const personMemory = { ...groupMemory, fresh: 10 * minute, kept: day, patience: 1_000, most: 20_000 };
const ownMemory = { ...personMemory, fresh: day, kept: Number.POSITIVE_INFINITY, most: 1_000 };

/** Min time between two log lines about the same fault, in milliseconds. */
const silence = 10 * minute;

/** Slack's answers about people, cached for some minutes. */
export function peopleIn(slack: Slacks, clock: Clock, log: Logger, allowed: Allowed): People {
  const lastTold = new Map<string, number>();
  const fault = (what: string) => (error: unknown) => {
    const key = `${what}: ${platformError(error) ?? 'no answer'}`;
    const last = lastTold.get(key);
    if (last !== undefined && clock.steady() - last < silence) return;
    lastTold.set(key, clock.steady());
    log.warn({ error }, `Slack did not say ${key}`);
  };

  const own = remembered(clock, ownMemory, team => ownIds(slack.of(team)), fault('which workspace this is'));
  const personOf = rememberedInTeam(
    clock,
    personMemory,
    (team, id) => lookUp(slack.of(team), id),
    fault('who somebody is'),
  );
  const groupOf = rememberedInTeam(
    clock,
    groupMemory,
    (team, id) => membersOfGroup(slack.of(team), team, id),
    fault('who is in a user group'),
  );

  return {
    async isAmong({ team, person }, ids, now) {
      if (ids.includes(person)) return true;
      const groups = await Promise.all(ids.filter(isGroup).map(id => groupOf({ team, id }, now)));
      if (groups.some(group => group?.has(person))) return true;
      return groups.includes(undefined) ? undefined : false;
    },

    async membersOf(team, ids, now) {
      const groups = await Promise.all(
        ids.map(async id => (isGroup(id) ? [...((await groupOf({ team, id }, now)) ?? [])] : [id])),
      );
      return [...new Set(groups.flat())];
    },

    async nameOf({ team, person }) {
      return (await personOf({ team, id: person }))?.name;
    },

    async zoneOf({ team, person }) {
      return (await personOf({ team, id: person }))?.zone;
    },

    async absenceOf({ team, person }) {
      return (await personOf({ team, id: person }))?.absence;
    },

    async standingOf({ team, person }, now, wait) {
      const [told, ours] = await Promise.all([personOf({ team, id: person }, now, wait), own(team)]);
      if (!told) return 'unknown';
      if (told.isGone) return 'outsider';
      if (!told.homes.some(home => allowed.teams.includes(home))) {
        if (told.isStranger) return 'outsider';
        if (ours && told.homes.length > 0 && !told.homes.some(home => ours.includes(home))) return 'outsider';
      }
      if (told.isGuest && !allowed.guests) return 'guest';
      return ours ? 'member' : 'unknown';
    },
  };
}

/** Remembers by team and id: Slack's ids have no blanks, and are one team's own. */
function rememberedInTeam<T>(
  clock: Clock,
  memory: Memory,
  read: (team: string, id: string) => Promise<T>,
  failed: (error: unknown) => void,
): (key: Readonly<{ team: string; id: string }>, anew?: 'now', patience?: number) => Promise<T | undefined> {
  const byKey = (key: string) => read(key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1));
  const known = remembered(clock, memory, byKey, failed);
  return ({ team, id }, anew, patience) => known(`${team} ${id}`, anew, patience);
}

/** The signs of a status that says that somebody is away: those that Slack offers, and words of people. */
const signsOfAbsence = {
  emoji: /^:(?:palm_tree|face_with_thermometer|desert_island|beach_with_umbrella|airplane):$/,
  text: /\b(?:vacation(?:ing)?|holidays?|on leave|parental leave|ooo|out of (?:the )?office|sick|urlaub|krank|abwesend|away)\b/i,
} as const;

/** The status with which somebody says that they are away. */
function absenceIn(profile: Readonly<{ status_text?: string; status_emoji?: string }> | undefined): string | undefined {
  const { status_text: text = '', status_emoji: emoji = '' } = profile ?? {};
  const isAway = signsOfAbsence.emoji.test(emoji) || signsOfAbsence.text.test(text);
  return isAway ? text || emoji : undefined;
}

const isGroup = (id: string) => id.startsWith('S');

/** The workspace in which the app is installed, and the organisation around it. */
async function ownIds(slack: WebClient): Promise<readonly string[]> {
  const { team_id: team, enterprise_id: organisation } = await slack.auth.test();
  if (!team) throw new Error('auth.test names no workspace');
  return organisation ? [team, organisation] : [team];
}

/**
 * The members of a user group. The token of an organisation does not say in which of its workspaces the group is
 * (docs.slack.dev/reference/methods/usergroups.users.list): all of them are asked.
 */
async function membersOfGroup(slack: WebClient, team: string, id: string): Promise<ReadonlySet<string>> {
  const places = team.startsWith('E') ? await workspacesOf(slack) : [undefined];
  const members = new Set<string>();
  for (const place of places) {
    const { users } = await slack.usergroups.users
      .list({ usergroup: id, ...(place === undefined ? {} : { team_id: place }) })
      .catch((error: unknown) => {
        if (place === undefined || platformError(error) !== 'no_such_subteam') throw error;
        return { users: [] };
      });
    if (!users) throw new Error('usergroups.users.list names no users');
    for (const user of users) members.add(user);
  }
  return members;
}

/** The workspaces of an organisation in which the app is. */
async function workspacesOf(slack: WebClient): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined; ) {
    const { teams, response_metadata: next } = await slack.auth.teams.list({ ...(cursor ? { cursor } : {}) });
    ids.push(...(teams ?? []).flatMap(({ id }) => id ?? []));
    cursor = next?.next_cursor || undefined;
  }
  return ids;
}

async function lookUp(slack: WebClient, id: string): Promise<ToldPerson> {
  try {
    const { user } = await slack.users.info({ user: id });
    const { enterprise_user: inOrganisation } = user ?? {};
    const named = [user?.team_id, user?.enterprise_id, inOrganisation?.enterprise_id, ...(inOrganisation?.teams ?? [])];
    const homes = named.flatMap(home => home || []);
    if (!user) throw new Error('users.info tells of nobody');
    const { display_name: shown, real_name: real } = user.profile ?? {};
    return {
      name: shown || real || user.real_name || user.name,
      zone: user.tz,
      absence: absenceIn(user.profile),
      isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
      isStranger: user.is_stranger === true,
      isGone: user.deleted === true || user.is_bot === true,
      homes,
    };
  } catch (error) {
    if (/^users?_not_(found|visible)$/.test(platformError(error) ?? '')) return nobody;
    throw error;
  }
}
