import type { Channel, Person, UserGroup } from './protocol.ts';

/** A workspace as Slack calls it. */
export type Team = { id: string; name: string; domain: string };

/** The team in which everything plays: who is there, and where they talk. */
export type Workspace = {
  team: Team;
  /** The workspace from which outsiders come. */
  partner: Team;
  app: { id: string; botId: string; botUser: string };
  people: Person[];
  channels: Channel[];
  groups: UserGroup[];
};

/** The organisation to which both workspaces may belong (Enterprise Grid). */
export const organisation: Team = { id: 'E0PLAYGRND', name: 'Playground Org', domain: 'playground-org' };

const team = { id: 'T0PLAYGRND', name: 'Playground', domain: 'playground' };
const partner = { id: 'T0PARTNER1', name: 'Partner', domain: 'partner' };
const app = { id: 'A0DOLLY001', botId: 'B0DOLLY001', botUser: 'U0DOLLY001' };

/** Another app of the workspace, which comes in once it says something. */
export const otherApp = { id: 'A0MONITOR1', botId: 'B0MONITOR1', botUser: 'U0MONITOR1' };

const people: readonly Person[] = [
  { id: 'U0ANA00001', name: 'ana', realName: 'Ana', title: 'DBA lead', isBot: false },
  { id: 'U0BEN00001', name: 'ben', realName: 'Ben', title: 'Developer', isBot: false },
  { id: 'U0CHI00001', name: 'chi', realName: 'Chi', title: 'Tester', isBot: false },
  { id: 'U0DEV00001', name: 'dev', realName: 'Dev', title: 'DBA', isBot: false },
  { id: 'U0EVE00001', name: 'eve', realName: 'Eve', title: 'Auditor', isBot: false },
  { id: 'U0GUS00001', name: 'gus', realName: 'Gus', title: 'Contractor', isBot: false, kind: 'guest' },
  { id: 'U0OLI00001', name: 'oli', realName: 'Oli', title: 'Partner Ltd', isBot: false, kind: 'outsider' },
  { id: 'U0PIA00001', name: 'pia', realName: 'Pia', title: 'DBA at Partner Ltd', isBot: false, kind: 'outsider' },
  { id: app.botUser, name: 'dolly', realName: 'Dolly', title: '', isBot: true },
];

const dbas = ['U0ANA00001', 'U0DEV00001'];
/** Guests and outsiders are only where somebody has let them in. */
const everyone = people.filter(person => !person.isBot && person.kind === undefined).map(person => person.id);
const withBot = [...everyone, app.botUser];

/** The bot is in all public channels but #random, where it may not post; the private one it may not even see. */
const channels: readonly Channel[] = [
  { id: 'C0DATABASE', name: 'databases', topic: 'Clones, backups, restores', kind: 'public', members: withBot },
  { id: 'C0DEV00001', name: 'dev', topic: 'What we build', kind: 'public', members: [...withBot, 'U0GUS00001'] },
  { id: 'C0APPROVAL', name: 'dba-approvals', topic: 'Waiting for a second person', kind: 'public', members: withBot },
  { id: 'C0RANDOM01', name: 'random', topic: 'Dolly is not a member here', kind: 'public', members: everyone },
  { id: 'C0PRIVATE1', name: 'dba-private', topic: 'DBAs only; Dolly is no member', kind: 'private', members: dbas },
  {
    id: 'C0PARTNERS',
    name: 'partners',
    topic: 'With the people of Partner Ltd',
    kind: 'public',
    members: [...withBot, 'U0OLI00001'],
    isShared: true,
  },
];

/** The direct message between the bot and one person. Each workspace's bot has its own. */
const directMessage = (person: Person, botUser: string): Channel => ({
  id: person.id.replace(/^U/, botUser === app.botUser ? 'D' : 'DP'),
  name: 'dolly',
  topic: '',
  kind: 'dm',
  members: [person.id, botUser],
});

/** A fresh workspace. Every playground has its own, so that tests don't meet. */
export function newWorkspace(): Workspace {
  // Only those of another workspace who are met in a channel can be written to.
  const reached = people.filter(({ id, isBot }) => !isBot && channels.some(({ members }) => members.includes(id)));
  return structuredClone({
    team,
    partner,
    app,
    people: [...people],
    channels: [...channels, ...reached.map(person => directMessage(person, app.botUser))],
    groups: [{ id: 'S0DBAS0001', handle: 'dbas', name: 'DBAs', users: dbas }],
  });
}

/**
 * The workspace of the outsiders, once it has the app: its people, its own channel, and the channels that it shares with
 * the first one, which are the same on both sides.
 * @param isOneOrganisation whether one installation serves both, with one bot
 */
export function partnerWorkspace(home: Workspace, isOneOrganisation: boolean): Workspace {
  const own = isOneOrganisation ? home.app : { ...home.app, botId: 'B0DOLLY002', botUser: 'U0DOLLY002' };
  const turned = home.people.filter(({ isBot }) => !isBot).map(turn);
  const members = turned.filter(({ kind }) => kind === undefined).map(({ id }) => id);
  return {
    team: home.partner,
    partner: home.team,
    app: own,
    people: [...turned, ...botsOf(home, own.botUser)],
    channels: [
      {
        id: 'C0PARTDEV1',
        name: 'partner-dev',
        topic: 'What they build',
        kind: 'public',
        members: [...members, own.botUser],
      },
      ...home.channels.filter(({ isShared }) => isShared === true),
      ...turned.filter(({ kind }) => kind === undefined).map(person => directMessage(person, own.botUser)),
    ],
    groups: [],
  };
}

/** The app's bot of the other workspace, and that of the first, which is met in shared channels. */
function botsOf({ app: { botUser }, people: all }: Workspace, own: string): Person[] {
  const bots = all.filter(({ id }) => id === botUser);
  if (own === botUser) return bots;
  return bots.flatMap((bot): Person[] => [
    { ...bot, id: own },
    { ...bot, name: 'playground-dolly', kind: 'outsider' },
  ]);
}

/** A person as the other workspace sees them: its own people are members there, and all others strangers. */
function turn({ kind, ...person }: Person): Person {
  return kind === 'outsider' ? person : { ...person, kind: 'outsider' };
}

/** Both workspaces as one, as an installation for the whole organisation sees them. */
export function wholeOrganisation(home: Workspace, other: Workspace): Workspace {
  const isHome = ({ kind }: Person) => kind !== 'outsider';
  const shared = new Set(home.channels);
  return {
    ...home,
    people: [...home.people.filter(isHome), ...other.people.filter(person => isHome(person) && !person.isBot)],
    channels: [
      ...home.channels.filter(
        ({ kind, members }) => kind !== 'dm' || isHome(findPerson(home, members[0] ?? '') ?? nobody),
      ),
      ...other.channels.filter(channel => !shared.has(channel)),
    ],
    groups: [...home.groups, ...other.groups],
  };
}

const nobody: Person = { id: '', name: '', realName: '', title: '', isBot: false, kind: 'outsider' };

/** The bot of {@link otherApp}, which joins the workspace where it is not yet there. */
export function otherBot({ people: all }: Workspace): Person {
  const known = all.find(({ id }) => id === otherApp.botUser);
  if (known !== undefined) return known;
  const bot = { id: otherApp.botUser, name: 'monitor', realName: 'Monitor', title: '', isBot: true };
  all.push(bot);
  return bot;
}

/** The e-mail address under which Slack knows a person. */
export const emailOf = (person: Person) => `${person.name}@playground.example`;

const findPerson = ({ people: all }: Workspace, user: string) => all.find(person => person.id === user);

/** Whether a person sees a channel: as a member, and full members of the workspace public ones, too. */
export function sees(workspace: Workspace, channel: Channel, user: string): boolean {
  const person = findPerson(workspace, user);
  return (
    channel.members.includes(user) || (channel.kind === 'public' && person !== undefined && person.kind === undefined)
  );
}

/** The workspace to which a person belongs. */
export const teamOf = (workspace: Workspace, user: string): Team =>
  findPerson(workspace, user)?.kind === 'outsider' ? workspace.partner : workspace.team;
