import { day, hour, minute } from '../../../src/ground/durations.ts';
import { failsEachNight, maintained, monday } from './plan.ts';
import type { Known, Post } from './posts.ts';
import type { Trouble } from './troubles.ts';

/* What the posts of a week come to. Nothing here reads a clock, Slack or the store. */

type Counts = Readonly<Record<string, number>>;

/** A trouble as it was planted, at a time. */
export type PlantedTrouble = Readonly<{ trouble: Trouble; at: number; name: string }>;

/** All that is counted. */
export type Counted = Readonly<{
  posts: readonly (Post & Known)[];
  /** The id of the channel in which all of it happens, and the names of people by their ids. */
  channel: string;
  people: Readonly<Record<string, string>>;
  planted: readonly PlantedTrouble[];
  /** The end of what was played. */
  until: number;
  /** The names of what stands on the host that was in maintenance. */
  onMaintained: readonly string[];
}>;

export type Figures = ReturnType<typeof figuresOf>;

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const weekday = ({ at }: Pick<Post, 'at'>) => weekdays[Math.floor((at - monday) / day)] ?? '';
/** The shortest time before the end of a lease at which its last warning comes, by the policy of the team. */
const warnedBefore = 2 * hour;

/** Counts what came from Monday on, when all is set up. */
export function figuresOf(counted: Counted) {
  const { channel, people, planted, onMaintained, until } = counted;
  const posts = counted.posts.filter(({ at }) => at >= monday && at < until);
  const tops = posts.filter(post => post.isTop && post.channel === channel);
  const rings = Object.entries(people).map(([id, name]) => {
    const own = posts.filter(post => post.rings.includes(id));
    return { name, all: own.length, kinds: countBy(own, post => post.kind) };
  });
  const [busiest] = rings.toSorted((one, other) => other.all - one.all);
  const inMaintenance = posts.filter(
    ({ at, text }) => isIn(at, maintained) && [maintained.host, ...onMaintained].some(name => text.includes(name)),
  );
  // Each end is told its owner alone, too, in these words.
  const ended = posts.filter(({ channel: place, text }) => place.startsWith('D') && endedLease.test(text));
  const failing = posts.filter(({ text }) => text.includes(failsEachNight.name));
  return {
    busiest: { name: busiest?.name ?? '', rings: busiest?.all ?? 0 },
    topLevel: tops.length,
    /** The messages that call a group, which ring nobody by name. */
    callsOfGroups: posts.filter(({ text }) => text.includes('<!subteam^')).length,
    rings,
    topLevelByKind: countBy(tops, post => post.kind),
    topLevelByDay: countBy(tops, weekday),
    maintenance: {
      messages: inMaintenance.length,
      rings: ringsIn(inMaintenance),
      kinds: countBy(inMaintenance, ({ kind, troubles }) => [kind, ...troubles].join(' ')),
    },
    failsEachNight: {
      topLevelByDay: countBy(
        failing.filter(post => tops.includes(post)),
        weekday,
      ),
      ringsByDay: countBy(
        failing.flatMap(post => post.rings.map(() => post)),
        weekday,
      ),
      kinds: countBy(failing, post => post.kind),
    },
    troubles: planted.map(one => toldOf(one, posts, people)),
    leases: { ended: ended.length, warned: ended.filter(one => isWarned(one, posts)).length },
  };
}

/** How a trouble was told: within its time, how long after it was planted, how often, and where and to whom. */
function toldOf({ trouble, at, name }: PlantedTrouble, posts: Counted['posts'], people: Counted['people']) {
  const { what, words, within } = trouble;
  const told = posts.filter(post => post.at >= at && post.text.includes(name) && words.test(post.text));
  const first = told[0];
  return {
    what,
    isInTime: first !== undefined && first.at - at <= within,
    firstAfterMinutes: first ? Math.round((first.at - at) / minute) : null,
    times: told.length,
    kinds: countBy(told, post => post.kind),
    rang: countBy(
      told.flatMap(({ rings }) => rings),
      person => people[person] ?? person,
    ),
  };
}

/** The name of a clone whose lease is over, in the message that says so. */
const endedLease = /\*(?<stopped>[^*]+)\* is stopped: its time is up|Time is up for \*(?<asked>[^*]+)\*/;

function isWarned({ text, at }: Post, posts: readonly (Post & Known)[]): boolean {
  const { stopped, asked } = endedLease.exec(text)?.groups ?? {};
  const name = stopped ?? asked ?? '';
  const warnings = posts.filter(({ kind }) => kind.startsWith('lease warning'));
  return warnings.some(warning => warning.text.includes(name) && warning.at <= at - warnedBefore);
}

const isIn = (at: number, span: Readonly<{ at: number; lasts: number }>) => at >= span.at && at <= span.at + span.lasts;
const ringsIn = (posts: readonly Post[]) => posts.reduce((sum, { rings }) => sum + rings.length, 0);

function countBy<One>(all: readonly One[], keyOf: (one: One) => string): Counts {
  return Object.fromEntries([...Map.groupBy(all, keyOf)].map(([key, some]) => [key, some.length]));
}

/** Says the figures as a short table. */
export function tableOf(figures: Figures): string {
  const { busiest, topLevel, callsOfGroups, rings, maintenance, failsEachNight: failing, leases } = figures;
  const told = figures.troubles.map(({ what, isInTime, firstAfterMinutes, times, kinds, rang }) => {
    const when =
      firstAfterMinutes === null ? 'never told' : `after ${firstAfterMinutes} min${isInTime ? '' : ', too late'}`;
    return `  ${what}: ${when}, ${times} times (${said(kinds)}); rang ${said(rang)}`;
  });
  return [
    `busiest: ${busiest.name}, ${busiest.rings} rings; the channel: ${topLevel} top-level messages`,
    ...rings.map(({ name, all, kinds }) => `  rings of ${name}: ${all} (${said(kinds)})`),
    `  messages that call a group: ${callsOfGroups}`,
    `  top-level messages by kind: ${said(figures.topLevelByKind)}`,
    `  top-level messages by day: ${said(figures.topLevelByDay)}`,
    `in maintenance: ${maintenance.messages} messages, ${maintenance.rings} rings (${said(maintenance.kinds)})`,
    `fails each night: ${said(failing.topLevelByDay)} top-level, ${said(failing.ringsByDay)} rings (${said(failing.kinds)})`,
    `leases: ${leases.warned} of ${leases.ended} that ended were warned of in time`,
    'troubles:',
    ...told,
  ].join('\n');
}

function said(counts: Counts): string {
  const entries = Object.entries(counts);
  return entries.length === 0 ? 'nobody' : entries.map(([key, many]) => `${key} ${many}`).join(', ');
}
