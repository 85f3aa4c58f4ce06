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

const team = { id: 'T0PLAYGRND', name: 'Playground', domain: 'playground' };
const partner = { id: 'T0PARTNER1', name: 'Partner', domain: 'partner' };
const app = { id: 'A0DOLLY001', botId: 'B0DOLLY001', botUser: 'U0DOLLY001' };

const people: readonly Person[] = [
  { id: 'U0ANA00001', name: 'ana', realName: 'Ana', title: 'DBA lead', isBot: false },
  { id: 'U0BEN00001', name: 'ben', realName: 'Ben', title: 'Developer', isBot: false },
  { id: 'U0CHI00001', name: 'chi', realName: 'Chi', title: 'Tester', isBot: false },
  { id: 'U0DEV00001', name: 'dev', realName: 'Dev', title: 'DBA', isBot: false },
  { id: 'U0EVE00001', name: 'eve', realName: 'Eve', title: 'Auditor', isBot: false },
  { id: 'U0GUS00001', name: 'gus', realName: 'Gus', title: 'Contractor', isBot: false, kind: 'guest' },
  { id: 'U0OLI00001', name: 'oli', realName: 'Oli', title: 'Partner Ltd', isBot: false, kind: 'outsider' },
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

/** The direct message between the bot and one person. */
const directMessage = (person: Person): Channel => ({
  id: person.id.replace(/^U/, 'D'),
  name: 'dolly',
  topic: '',
  kind: 'dm',
  members: [person.id, app.botUser],
});

/** A fresh workspace. Every playground has its own, so that tests don't meet. */
export function newWorkspace(): Workspace {
  const humans = people.filter(person => !person.isBot);
  return structuredClone({
    team,
    partner,
    app,
    people: [...people],
    channels: [...channels, ...humans.map(directMessage)],
    groups: [{ id: 'S0DBAS0001', handle: 'dbas', name: 'DBAs', users: dbas }],
  });
}

/** The e-mail address under which Slack knows a person. */
export const emailOf = (person: Person) => `${person.name}@playground.example`;

const findPerson = ({ people: all }: Workspace, user: string) => all.find(person => person.id === user);

/** Whether a person sees a channel: as a member, and full members of the workspace public ones, too. */
export const sees = (workspace: Workspace, channel: Channel, user: string) =>
  channel.members.includes(user) || (channel.kind === 'public' && findPerson(workspace, user)?.kind === undefined);

/** The workspace to which a person belongs. */
export const teamOf = (workspace: Workspace, user: string): Team =>
  findPerson(workspace, user)?.kind === 'outsider' ? workspace.partner : workspace.team;
