import { others, rows } from '../attacks.ts';
import { type Inbound, isOperation } from './inbound.ts';
import type { ActOf } from './plan.ts';

/* The doors of `test/attacks.ts`, and which of them people came through: as the wires, the inbox and the things show it. */

/** Doors that no plan leads to, with the reason. A test of another kind attacks each of them. */
export const undrawn: Readonly<Record<string, string>> = {
  'reaction installed': 'Slack installs no app in this world',
  'reaction audit.export:csv': 'Node sends a file in parts that it names by real chance',
  'reaction audit.export:jsonl': 'the same',
  'reaction login.form': 'with a PUBLIC_URL, people sign in on a page',
  'modal login': 'the same',
  'reaction lesson.forget': 'the service of this world requires no field that its interface does not name',
  'reaction lease.take': 'nobody leaves the workspace, and the oracle of leases follows one owner',
  'reaction list.page': 'all records of this world fit into one page, and Slack takes tables',
  'reaction schedule.leaveOut': 'no night comes in which an environment is backed up',
  'reaction schedule.include': 'the same',
};

/** All doors that seeds should come through, by the names under which a run says that it did. */
export function reachableDoors(): readonly string[] {
  const listed = Object.entries(rows).flatMap(([kind, some]) =>
    some.flatMap(([names]) => names.split(' ').map(name => `${kind} ${name}`)),
  );
  return [...listed, ...others.map(([name]) => name)].filter(name => !(name in undrawn)).map(doorOf);
}

/** The name under which a run says that somebody came through a door. */
export const doorOf = (name: string): string => `door ${name}`;

/** The loop of the house that works on each kind of thing. */
const loops: Readonly<Record<string, string>> = {
  ...{ history: 'protection', maintenance: 'protection', lease: 'leases', contact: 'contact', schedule: 'schedules' },
  ...{ incident: 'alerts', subscription: 'alerts', execution: 'steps' },
};

/** The doors of a thing that changed: its own, and that of the loop that works on it. */
export function doorsOfThing(kind: string): readonly string[] {
  return [`thing ${kind}`, ...(loops[kind] ? [`loop ${loops[kind]}`] : [])].map(doorOf);
}

/** The door that each forged request tries. */
export const forgedDoors: Readonly<Record<ActOf<'forge'>['how'], string>> = {
  unsigned: doorOf('a request that Slack has not signed'),
  'other team': doorOf('a click of another team'),
  'other release': doorOf('a button of another release'),
  'other site': doorOf('a form of another site'),
  again: doorOf('an interaction that Slack sends twice'),
  'much later': doorOf('an interaction that Slack sends twice'),
  old: doorOf('a button of another release'),
};

/** What is typed and longer is not read. */
const longestTyped = 4_000;
const reactions = new Set((rows.reaction ?? []).flatMap(([names]) => names.split(' ')));
/** The door of a button: what stands after a colon tells one of several apart, but where each is a door. */
const reactionOf = (name: string) => `reaction ${reactions.has(name) ? name : name.split(':')[0]}`;
const commands: readonly string[] = (rows.command ?? []).flatMap(([names]) => names.split(' '));

/** The doors through which something comes to a bot, as far as its wire shows them. */
export function doorsOf({ kind, text, name }: Inbound): readonly string[] {
  return doorsThrough[kind]({ text, name }).map(doorOf);
}

const doorsThrough: Readonly<Record<Inbound['kind'], (inbound: Pick<Inbound, 'text' | 'name'>) => readonly string[]>> =
  {
    command({ text }) {
      const [word = ''] = text.split(' ');
      const known = commands.includes(word) ? [`command ${word}`] : [];
      return ['a slash command', ...known, ...(text.length > longestTyped ? ['reaction text.tooLong'] : [])];
    },
    click: ({ name }) => [reactionOf(name)],
    form: ({ name }) => [isOperation(name) ? 'a form of an operation' : `modal ${name}`],
    choices: () => [],
    shortcut: ({ name }) => ['a shortcut', ...(name === 'ask' ? ['reaction ask'] : [`reaction shortcut.${name}`])],
    mention: () => ['a mention'],
    direct: () => ['a direct message'],
    changed: () => ['reaction message.changed'],
    step: ({ name }) => [`step ${name}`],
    'sign-in': () => ['the sign-in page'],
  };
