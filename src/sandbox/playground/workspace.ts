import type { Channel, Person } from './protocol.ts';

/** A group that can be mentioned and asked for its members. Slack has them on paid plans only. */
export type UserGroup = { id: string; handle: string; name: string; users: string[] };

/** The team in which everything plays: who is there, and where they talk. */
export type Workspace = {
  team: { id: string; name: string; domain: string };
  app: { id: string; botId: string; botUser: string };
  people: Person[];
  channels: Channel[];
  groups: UserGroup[];
};

const team = { id: 'T0PLAYGRND', name: 'Playground', domain: 'playground' };
const app = { id: 'A0DOLLY001', botId: 'B0DOLLY001', botUser: 'U0DOLLY001' };

const people: readonly Person[] = [
  { id: 'U0ANA00001', name: 'ana', realName: 'Ana', title: 'DBA lead', isBot: false },
  { id: 'U0BEN00001', name: 'ben', realName: 'Ben', title: 'Developer', isBot: false },
  { id: 'U0CHI00001', name: 'chi', realName: 'Chi', title: 'Tester', isBot: false },
  { id: 'U0DEV00001', name: 'dev', realName: 'Dev', title: 'DBA', isBot: false },
  { id: 'U0EVE00001', name: 'eve', realName: 'Eve', title: 'Auditor', isBot: false },
  { id: app.botUser, name: 'dolly', realName: 'Dolly', title: '', isBot: true },
];

const dbas = ['U0ANA00001', 'U0DEV00001'];
const everyone = people.filter(person => !person.isBot).map(person => person.id);
const withBot = [...everyone, app.botUser];

/** The bot is a member of three channels; it may not see the private one, and may not post in #random. */
const channels: readonly Channel[] = [
  { id: 'C0DATABASE', name: 'databases', topic: 'Clones, backups, restores', kind: 'public', members: withBot },
  { id: 'C0DEV00001', name: 'dev', topic: 'What we build', kind: 'public', members: withBot },
  { id: 'C0APPROVAL', name: 'dba-approvals', topic: 'Waiting for a second person', kind: 'public', members: withBot },
  { id: 'C0RANDOM01', name: 'random', topic: 'Dolly is not a member here', kind: 'public', members: everyone },
  { id: 'C0PRIVATE1', name: 'dba-private', topic: 'DBAs only; Dolly is no member', kind: 'private', members: dbas },
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
    app,
    people: [...people],
    channels: [...channels, ...humans.map(directMessage)],
    groups: [{ id: 'S0DBAS0001', handle: 'dbas', name: 'DBAs', users: dbas }],
  });
}

/** The e-mail address under which Slack knows a person. */
export const emailOf = (person: Person) => `${person.name}@playground.example`;

/** Whether a person sees a channel: public ones always, others as a member. */
export const sees = (channel: Channel, user: string) => channel.kind === 'public' || channel.members.includes(user);
