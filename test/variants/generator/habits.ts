import { type Dialect, drawReports, type Reports } from './dialect.ts';
import { type Draw, drawing } from './draw.ts';
import type { Course } from './service.ts';
import { type Kind, kinds, type Rest, type Vocabulary, vocabularies, type WorkWords, workWords } from './words.ts';

/*
 * What some services do in a way of their own. A service has one such habit at most. Each is fair: whoever reads with care,
 * and waits until what is shown has stood for some seconds, can be right, or at least is never wrong.
 */

export const habitNames = [
  'retries',
  'earlySnapshots',
  'unknownWork',
  'laggingNodes',
  'hiddenWhileDeleted',
  'queues',
  'partialSuccess',
  'sameWord',
  'unknownStates',
] as const;
export type HabitName = (typeof habitNames)[number];

/** How a service tells of a try that failed, while another one is to follow. */
export type Retry = Readonly<{
  /** The word in the report meanwhile; the usual one for what failed where it is left out. `{n}` of `{of}` tries are over. */
  word: string | undefined;
  fields: 'attempt of' | 'left' | 'next' | 'will' | 'words' | 'history';
  /** What the state is meanwhile: as during the work, a word of its own, or as if nothing were done. */
  state: 'work' | 'rest' | Readonly<{ word: string }>;
  /** What stands behind the error of a try. */
  behind: string;
  /** Whether the report keeps the error of the first try during the next, and the time of its end. */
  keepsError: boolean;
  showsEnd: boolean;
}>;

export type Habit = Readonly<{
  name: HabitName;
  retry?: Retry;
  /** Snapshots are listed while they are made, so many milliseconds after the work began. */
  early?: Readonly<{ after: number; key: string; making: string | undefined; ready: string }>;
  /** The effect of work shows before its end, and goes back if it fails. */
  foreshows?: boolean;
  /** A second node shows what was so many milliseconds ago. */
  nodes?: Readonly<{ behind: number; by: 'turns' | 'chance' | 'list and record' }>;
  /** A record, or a snapshot, is not shown while it is being deleted. */
  hides?: boolean;
  /** How work that waits for its turn is told of. */
  queue?: Readonly<{ state: string | undefined; fields: 'position' | 'scheduledFor' | 'none' }>;
  /** The word for how work ended that was done in part, or with warnings, and what stands beside it. */
  partial?: Readonly<{ word: string; isWhole: boolean; beside: Readonly<Record<string, unknown>> }>;
  /** Colleagues are at work on each record. */
  crowded?: boolean;
}>;

type Drawn = Omit<Habit, 'name'>;
type Row = Readonly<{
  /** What people ask of such a service, beside the rest. */
  journeys: readonly Kind[];
  draws: (draw: Draw, dialect: Dialect) => Readonly<{ habit: Drawn; dialect?: Partial<Dialect> }>;
  /** How the work of those journeys goes. */
  goes?: (draw: Draw, course: Course, habit: Drawn) => Partial<Course>;
}>;

const second = 1_000;

/** Reports that stay, and tell how work ended. */
const lasting = (draw: Draw, { reports }: Dialect): Pick<Dialect, 'checks'> & { reports: Reports } => ({
  reports: { ...(reports ?? drawReports(draw)), forgets: false },
  checks: false,
});

/** Records that show work by a word for it: one of `words`, or that which they have. */
function wordy({ vocabulary, liveVocabulary }: Dialect, word?: string): Partial<Dialect> {
  const shown = (of: Dialect['vocabulary']): Vocabulary => {
    const known = typeof of === 'object' ? of : vocabularies.usual;
    return word === undefined ? known : { ...known, passing: { other: word } };
  };
  const isSpoken = typeof vocabulary === 'object';
  return {
    showsWork: true,
    vocabulary: shown(vocabulary),
    liveVocabulary: shown(liveVocabulary),
    ...(isSpoken ? {} : { states: 'usual' }),
  };
}

/** A course that ends in time, well as often as not. */
const ends = (draw: Draw, { ending }: Course, ...lasts: readonly number[]): Partial<Course> => ({
  ending: draw('succeeded', ending),
  lasts: draw(...lasts) * second,
});

const makers = [
  'OPTIMIZE',
  'REINDEX',
  'REHOMING',
  'COALESCE',
  'FLEXPACK',
  'QX_TIERING',
  'THINFOLD',
  'VAULTING',
] as const;

/** The work of a vendor who has names of their own for it. */
function namedAnew(draw: Draw): WorkWords {
  const [first, next, last] = [draw(...makers), draw(...makers), draw(...makers)];
  return {
    ...{ ...workWords.upper, convert: first, stop: first, start: first, disable: first, enable: first, reset: first },
    ...{ backup: next, 'virtual clone': last, 'physical clone': last, share: last, mount: last },
  };
}

const resting: Readonly<Record<Rest, readonly string[]>> = {
  up: ['NOMINAL', 'VERDANT', 'TIER_1', 'HEARTH', 'Z4'],
  down: ['COLD', 'PARKED', 'TIER_9', 'MOORED', 'Z0'],
  disabled: ['FENCED', 'SHELVED', 'CORDONED', 'TIER_7', 'Z8'],
  broken: ['SCORCHED', 'ADRIFT', 'SUNDERED', 'TIER_0', 'Z9'],
};
const passing = ['ORBIT', 'TIER_5', 'SIMMER', 'Z2', 'WEFT'] as const;

const rows: Readonly<Record<HabitName, Row>> = {
  retries: {
    journeys: ['virtual clone', 'physical clone', 'backup', 'restore', 'refresh', 'start', 'stop', 'convert', 'delete'],
    draws(draw, dialect) {
      const tells = draw('report', 'report', 'both', 'state');
      const word = draw('RETRYING', 'WAITING_FOR_RETRY', 'RETRY PENDING', 'ERROR, attempt {n} of {of}');
      const retry: Retry = {
        word: draw(undefined, 'WAITING_FOR_RETRY', 'FAILED, retrying', 'Attempt {n} of {of} failed', 'RETRY_SCHEDULED'),
        fields: draw('attempt of', 'left', 'next', 'will', 'words', 'history'),
        state: tells === 'report' ? draw('work', 'rest') : { word },
        behind: draw('', ', attempt {n} of {of}', ', will be tried again'),
        keepsError: draw(true, false),
        showsEnd: draw(true, false),
      };
      const isTold = tells !== 'state';
      return {
        habit: { retry },
        dialect: {
          errorStays: false,
          ...(isTold ? lasting(draw, dialect) : { reports: undefined, checks: false }),
          ...(tells === 'report' ? {} : wordy(dialect)),
        },
      };
    },
    goes: (draw, course) => ({
      ...ends(draw, course, 4, 15, 40, 100),
      tries: draw(1, 1, 2) === 1 ? [drawTry(draw)] : [drawTry(draw), drawTry(draw)],
    }),
  },
  earlySnapshots: {
    journeys: ['backup', 'backup', 'backup', 'restore', 'backup logs'],
    draws(draw, { children }) {
      const making = draw('SYNCING', 'CREATING', 'IN_PROGRESS', undefined, undefined);
      const drawn = children ?? { where: 'everywhere', as: 'ids', key: 'snapshots', byKey: undefined };
      return {
        habit: {
          early: {
            after: draw(0, 0, 3) * second,
            key: draw('state', 'status'),
            making,
            ready: draw('READY', 'AVAILABLE'),
          },
        },
        dialect: { showsWork: true, children: making === undefined ? drawn : { ...drawn, as: 'objects' } },
      };
    },
    goes: (draw, course) => ends(draw, course, 8, 20, 60, 200),
  },
  unknownWork: {
    journeys: ['convert', 'convert', 'backup', 'virtual clone', 'physical clone', 'stop', 'start', 'disable', 'enable'],
    draws(draw, dialect) {
      const told = lasting(draw, dialect);
      const shows = draw('report', 'report', 'state', 'beside');
      return {
        habit: { foreshows: true },
        dialect: {
          ...told,
          reports: { ...told.reports, types: namedAnew(draw) },
          ...{ hasClones: true, shows: { ...dialect.shows, kind: true } },
          ...(shows === 'report' ? { showsWork: false } : wordy(dialect, draw(...makers))),
          besideKey: shows === 'beside' ? draw('activity', 'currentOperation', 'jobStatus') : undefined,
        },
      };
    },
    goes: (draw, course) => ({ ...ends(draw, course, 20, 45, 100, 240), appears: 0, foreshown: draw(0, 0.5) }),
  },
  laggingNodes: {
    journeys: [
      'virtual clone',
      'physical clone',
      'mount',
      'share',
      'delete',
      'stop',
      'start',
      'disable',
      'backup',
      'refresh',
    ],
    draws: draw => ({
      habit: {
        nodes: { behind: draw(3, 5, 8) * second, by: draw('turns', 'turns', 'chance', 'chance', 'list and record') },
      },
      dialect: { listLag: 0 },
    }),
  },
  hiddenWhileDeleted: {
    journeys: ['delete', 'delete', 'snapshot delete', 'snapshot delete', 'stop', 'disable'],
    draws: () => ({ habit: { hides: true }, dialect: { hasClones: true } }),
    goes: (draw, course) => ends(draw, { ...course, ending: draw('error', 'silent') }, 2, 4, 8, 25, 90),
  },
  queues: {
    journeys: kinds,
    draws(draw, dialect) {
      const tells = draw('report', 'both', 'state', 'nothing');
      const isTold = tells === 'report' || tells === 'both';
      const told = isTold ? lasting(draw, dialect) : undefined;
      return {
        habit: {
          queue: {
            state:
              isTold && tells === 'report' ? undefined : tells === 'nothing' ? undefined : draw('QUEUED', 'WAITING'),
            fields: draw('position', 'scheduledFor', 'none'),
          },
        },
        dialect: {
          ...(told ? { ...told, reports: { ...told.reports, queue: true } } : {}),
          ...(tells === 'state' || tells === 'both' ? wordy(dialect) : {}),
        },
      };
    },
    goes: draw => ({ waits: draw(15, 70, 200, 500) * second }),
  },
  partialSuccess: {
    journeys: ['restore', 'restore', 'backup', 'backup', 'backup logs', 'refresh'],
    draws: (draw, dialect) => ({
      habit: {
        partial: draw(
          { word: 'PARTIAL', isWhole: false, beside: {} },
          { word: 'PARTIALLY_SUCCEEDED', isWhole: false, beside: { done: 3, total: 4 } },
          { word: '3 of 4 done', isWhole: false, beside: {} },
          { word: 'COMPLETED_WITH_WARNINGS', isWhole: true, beside: { warnings: ['the listener answered late'] } },
          { word: 'WARNING', isWhole: true, beside: { warningCount: 2 } },
        ),
      },
      dialect: lasting(draw, dialect),
    }),
    goes: (draw, course, { partial }) => ({
      ...ends(draw, course, 4, 15, 60, 200),
      ending: draw(
        course.ending,
        partial?.isWhole ? 'succeeded' : 'partial',
        partial?.isWhole ? 'succeeded' : 'partial',
      ),
    }),
  },
  sameWord: {
    journeys: kinds,
    draws: (draw, dialect) => ({
      habit: { crowded: true },
      dialect: wordy(dialect, draw('SYNCING', 'BUSY', 'UPDATING', 'BACKING_UP', 'RUNNING_TASK')),
    }),
  },
  unknownStates: {
    journeys: kinds,
    draws(draw) {
      const made = (): Vocabulary => ({
        ...{ up: draw(...resting.up), down: draw(...resting.down), disabled: draw(...resting.disabled) },
        ...{ broken: draw(...resting.broken), passing: { other: draw(...passing), backup: draw(...passing) } },
      });
      const clones = made();
      return {
        habit: {},
        dialect: { states: 'made up, by a vendor', vocabulary: clones, liveVocabulary: draw(clones, made()) },
      };
    },
  },
};

const drawTry = (draw: Draw) => ({ lasts: draw(2, 8, 30) * second, pause: draw(3, 15, 45, 150) * second });

/** Which habits are drawn: one by its name, `any` by chance in one of four services, or `none`. */
export type HabitChoice = HabitName | 'any' | 'none';

/** Gives a service its habit. What it draws is drawn apart: without a habit, a seed's service is as it always was. */
export function withHabit(dialect: Dialect, seed: number, choice: HabitChoice): Dialect {
  const draw = drawing(seed + 500_000_000);
  const drawn = choice === 'any' && draw(true, false, false, false) ? draw(...habitNames) : choice;
  const name = drawn === 'any' || drawn === 'none' ? undefined : drawn;
  if (name === undefined) return dialect;
  const { habit, dialect: changed } = rows[name].draws(draw, dialect);
  return { ...dialect, ...changed, habit: { name, ...habit } };
}

/** What people ask of a service, each as often as it stands there. */
export const asksOf = ({ habit }: Dialect): readonly Kind[] =>
  habit ? [...rows[habit.name].journeys, ...kinds.slice(0, 3)] : kinds;

/** How work goes at a service with this habit. */
export function habitually(draw: Draw, { habit }: Dialect, kind: Kind, course: Course): Course {
  if (!habit) return course;
  const row = rows[habit.name];
  if (!row.goes || !row.journeys.includes(kind)) return course;
  return { ...course, ...row.goes(draw, course, habit) };
}
