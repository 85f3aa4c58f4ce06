import type { Owner } from '../../../store/vault.ts';

/** A person's standing in a workspace; `unknown` where Slack is silent. */
export type StandingOfPerson = 'member' | 'guest' | 'outsider' | 'unknown';

/** Whether somebody is certainly no member: an outsider, or a guest whom the operator does not allow. */
export function isNoMember(standing: StandingOfPerson): boolean {
  return standing === 'outsider' || standing === 'guest';
}

/** Slack's knowledge of people, as far as a decision rests on it. */
export type People = {
  /**
   * Whether a person is one of `ids`: Slack users, or user groups that the person is in; `undefined` where Slack does
   * not tell. Groups are remembered for some minutes. With `now` they are always read anew, since a decision rests on
   * their members at the moment when it is taken.
   */
  isAmong(who: Owner, ids: readonly string[], now?: 'now'): Promise<boolean | undefined>;
  /**
   * The users behind `ids`, as far as Slack tells the team: users as they are, groups by their members, which `now` reads
   * anew.
   */
  membersOf(team: string, ids: readonly string[], now?: 'now'): Promise<readonly string[]>;
  /** The name of a person, remembered for some minutes; `undefined` where Slack does not tell in time. */
  nameOf(who: Owner): Promise<string | undefined>;
  /** A person's time zone (`Europe/Berlin`), remembered likewise; `undefined` where Slack does not tell in time. */
  zoneOf(who: Owner): Promise<string | undefined>;
  /**
   * The words with which somebody says in Slack that they are away, as far as Slack tells; remembered likewise, `undefined`
   * where they say no such thing.
   */
  absenceOf(who: Owner): Promise<string | undefined>;
  /**
   * The standing of a person in this workspace, remembered and read anew likewise; `unknown` where Slack is silent, with `now`
   * for as many milliseconds as somebody waits: a second, unless they say.
   */
  standingOf(who: Owner, now?: 'now', wait?: number): Promise<StandingOfPerson>;
};
