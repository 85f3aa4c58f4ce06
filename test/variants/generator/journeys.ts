import { type Dialect, isSingle } from './dialect.ts';
import type { Draw } from './draw.ts';
import { type Ending, idsOf } from './estate.ts';
import { asksOf, habitually } from './habits.ts';
import type { Course } from './service.ts';
import type { AnyKind, Kind } from './words.ts';

/** What somebody else does at the service, directly: milliseconds after the journey was sent (or before). */
export type Interference = Readonly<{
  kind: AnyKind;
  /** The record that it is done to; without, that of the journey. */
  on?: string;
  after: number;
  course: Course;
  asked: Readonly<Record<string, unknown>>;
}>;

/** One person's use of Dolly, and what the service makes of it. */
export type Journey = Readonly<{
  kind: Kind;
  by: 'ana' | 'ben';
  /** The record that it is done to, or the source of a clone. */
  on: string;
  line: string;
  /** What of the request tells this journey from others of its kind. */
  mark: Readonly<Record<string, unknown>>;
  course: Course;
  /** Whether the answer to a request that was taken is lost on its way. */
  losesAnswer: boolean;
  others: readonly Interference[];
  /** How long the person waits before they ask, in milliseconds. */
  pause: number;
}>;

const second = 1_000;
const minute = 60_000;

/** Which may take long: Dolly looks for their end for a day. */
const long: readonly AnyKind[] = ['physical clone', 'restore', 'convert', 'backup'];
const clones: readonly AnyKind[] = ['virtual clone', 'physical clone', 'share', 'mount'];

function drawCourse(draw: Draw, kind: AnyKind, dialect: Dialect): Course {
  const ending = draw('succeeded', 'succeeded', 'succeeded', 'silent', 'error', 'broken', 'vanishes');
  const lasts = draw(
    draw(0, second) + draw(0, 400),
    draw(3, 8, 20) * second,
    draw(40, 70, 130) * second,
    draw(4, 7) * minute,
    draw(4, 7, ...(long.includes(kind) ? [12, 25] : [3])) * minute,
    draw(8 * second, 90 * second, Number.POSITIVE_INFINITY),
  );
  return {
    waits: draw(0, 0, 0, 4 * second, 50 * second),
    lasts,
    ending: possible(ending, kind, dialect),
    appears: draw(0, 0, 0.5, 1),
    restsFor: draw(0, 0, 0, 6 * second),
    arrives: draw('up', 'up', 'up', 'up', 'up', 'down'),
  };
}

/** An ending as a job of that kind can have it. What failed to be made does not stand there as if it were well. */
function possible(ending: Ending, kind: AnyKind, { vocabulary, errorKey, reports, checks }: Dialect): Ending {
  if (!clones.includes(kind)) {
    const canBreak = ['restore', 'reset', 'start', 'convert'].includes(kind);
    return ending === 'vanishes' || (ending === 'broken' && !canBreak) ? 'error' : ending;
  }
  if (ending === 'succeeded' || ending === 'vanishes') return ending;
  // The next check takes the place of a report that stands alone.
  const isKept = reports !== undefined && !reports.forgets && !(checks && isSingle(reports));
  const saysSo = errorKey !== undefined || isKept;
  if (ending === 'error' && saysSo) return 'error';
  return vocabulary === undefined && !saysSo ? 'vanishes' : 'broken';
}

/** How often colleagues are at work on the same record, and answers are lost: as usual, or `often`. */
const chances = {
  usual: { isAlone: [true, true, false], isLost: [true, ...Array<false>(19).fill(false)] },
  often: { isAlone: [true, false, false, false, false], isLost: [true, ...Array<false>(6).fill(false)] },
  crowded: { isAlone: [false], isLost: [false] },
} as const;
export type Trouble = 'usual' | 'often';

function drawInterference(draw: Draw, kind: Kind, dialect: Dialect, trouble: Trouble): Interference[] {
  const isNumberUsedAgain = kind === 'delete' && dialect.reusesNumbers && draw(true, false);
  const { isAlone } = dialect.habit?.crowded ? chances.crowded : chances[trouble];
  if (!isNumberUsedAgain && draw(...isAlone)) return [];
  const isClone = ['stop', 'start', 'reset', 'convert', 'delete', 'share'].includes(kind);
  // A clone that is shared cannot be deleted, and its form has no button for that.
  const shares = kind === 'delete' && dialect.habit ? [] : (['share'] as const);
  const same = repeated.includes(kind) ? [kind, kind] : [];
  const other: AnyKind = isNumberUsedAgain
    ? 'virtual clone'
    : isClone
      ? draw('refresh', ...shares, 'reset', ...same)
      : draw('backup', 'backup logs', 'refresh', 'virtual clone', 'physical clone', 'discovery', 'mount', ...same);
  const ids = idsOf(dialect.vendor);
  const asked =
    other === 'discovery'
      ? { targetEnvironment: ids.environment(draw(2, 3)), databaseName: 'DISC001' }
      : ['virtual clone', 'physical clone', 'share'].includes(other)
        ? {
            port: draw(7001, 7002),
            mountBase: '/mnt/cem',
            targetEnvironment: ids.environment(draw(2, 3)),
            project: ids.project(2),
          }
        : {};
  const course = drawCourse(draw, other, dialect);
  if (isNumberUsedAgain)
    return [
      { kind: other, on: ids.live(8), after: draw(20, 60, 150) * second, course: { ...course, waits: 0 }, asked },
    ];
  return [{ kind: other, after: draw(-20, -3, 2, 15, 60) * second, course, asked }];
}

/** What two people may well ask for on one record at about the same time. */
const repeated: readonly AnyKind[] = [
  'virtual clone',
  'physical clone',
  'share',
  'mount',
  'backup',
  'backup logs',
  'refresh',
  'reset',
];

/** The numbers of the records that a kind of journey may be about, one for each time that it is drawn. */
const numbersFor: Readonly<Record<Kind, readonly number[]>> = {
  'virtual clone': [1, 1, 11, 1],
  'physical clone': [1, 11, 1],
  mount: [1, 11, 12],
  backup: [2, 12, 3],
  'backup logs': [3, 2, 12],
  disable: [4, 5],
  refresh: [5, 2, 6],
  restore: [6, 2],
  'snapshot delete': [7, 2],
  enable: [9, 10],
  stop: [1, 6],
  reset: [2, 1],
  convert: [3],
  delete: [4, 9],
  share: [5, 6],
  start: [7, 8],
};

/** Draws `count` journeys for one service. */
export function drawJourneys(draw: Draw, dialect: Dialect, count: number, trouble: Trouble): Journey[] {
  const used = new Map<Kind, number>();
  const journeys: Journey[] = [];
  const asks = asksOf(dialect);
  for (let tries = 0; journeys.length < count && tries < count * 4; tries++) {
    // The first clone of a team is what people wait for most.
    const kind = dialect.states === 'plain' && tries < 2 ? 'virtual clone' : draw(...asks);
    const nth = used.get(kind) ?? 0;
    used.set(kind, nth + 1);
    const number = numbersFor[kind][nth];
    const isThere = dialect.hasClones || !cloneKinds.includes(kind);
    if (number !== undefined && isThere)
      journeys.push(drawJourney(draw, dialect, { kind, number, at: journeys.length, trouble }));
  }
  return journeys;
}

const cloneKinds: readonly Kind[] = ['stop', 'start', 'reset', 'convert', 'delete', 'share'];

/** The kind of a journey, the number of its record, and its place among the journeys of its service. */
type Place = Readonly<{ kind: Kind; number: number; at: number; trouble: Trouble }>;

function drawJourney(draw: Draw, dialect: Dialect, { kind, number, at, trouble }: Place): Journey {
  const ids = idsOf(dialect.vendor);
  const on = cloneKinds.includes(kind) ? ids.clone(number) : ids.live(number);
  const place = draw(2, 3);
  const own =
    dialect.vendor === 'ORACLE' ? { databaseName: `GEN${at}`, dbUniqueName: `GEN${at}U` } : { port: 6_000 + at };
  const more: Record<string, unknown> = {
    ...own,
    mountBase: `/mnt/gen${at}`,
    [kind === 'share' ? 'environment' : 'targetEnvironment']: ids.environment(place),
    install: ids.install(place),
    environmentUser: ids.user(place),
    ...(draw(true, false) ? { project: ids.project(1) } : {}),
    ...(kind !== 'share' && draw(true, false) ? { snapshot: ids.snapshot(number * 10 + draw(0, 1)) } : {}),
  };
  const drawn = drawCourse(draw, kind, dialect);
  // A virtual clone is what the specification says where records show no work: instant (spec §1); a share makes one (§4.4).
  const isInstant = ['virtual clone', 'share'].includes(kind) && (dialect.states === 'plain' || !dialect.showsWork);
  const usual: Course = isInstant
    ? { ...drawn, waits: 0, lasts: 1_500, appears: 0, restsFor: 0, arrives: 'up' }
    : drawn;
  const course = habitually(draw, dialect, kind, usual);
  const typed = Object.entries(more)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
  const words: Readonly<Record<Kind, string>> = {
    'virtual clone': `/clone ${on} cloneType=VIRTUALCLONE ${typed}`,
    'physical clone': `/clone ${on} cloneType=PHYSICAL ${typed}`,
    share: `/db share ${on} ${typed}`,
    mount: `/db mount ${on}`,
    backup: `/db backup ${on}`,
    'backup logs': `/db backup-logs ${on}`,
    stop: `/db stop ${on}`,
    start: `/db start ${on}`,
    disable: `/db disable ${on}`,
    enable: `/db enable ${on}`,
    refresh: `/db refresh ${on}`,
    reset: `/db reset ${on}`,
    restore: `/restore ${on} backUpFirst=false objectType=${dialect.vendor}_${dialect.vendor === 'ORACLE' ? 'DATABASE' : 'SERVER'}_RECOVERY_PARAMS`,
    convert: `/db convert ${on} localDirectory=/data/gen${at}`,
    delete: `/db delete ${on}`,
    'snapshot delete': `/db snapshot delete ${ids.snapshot(number * 10)}${draw('', ` database=${on}`)}`,
  };
  return {
    kind,
    on,
    line: words[kind],
    mark: ['virtual clone', 'physical clone', 'share'].includes(kind) ? more : {},
    by: draw('ana', 'ana', 'ben'),
    course: {
      ...course,
      ending: draw(...Array<Ending>(11).fill(course.ending), 'lost', 'lost', 'refused'),
    },
    losesAnswer: draw(...chances[trouble].isLost),
    others: drawInterference(draw, kind, dialect, trouble),
    pause: draw(0, 0, 0, 5, 40) * second,
  };
}
