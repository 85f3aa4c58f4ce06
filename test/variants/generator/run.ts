import { stateShown } from '../../../src/slack/messages/jobWords.ts';
import { textOf } from '../../person.ts';
import { randomOf } from '../../simulate/random.ts';
import { type World, world } from '../../world.ts';
import { recorder } from '../recorded/recorder.ts';
import type { Recording } from '../recorded/recording.ts';
import { type Around, answering } from './answers.ts';
import { ask, channel } from './ask.ts';
import { type Dialect, drawDialect } from './dialect.ts';
import { drawing } from './draw.ts';
import type { Base, Work } from './estate.ts';
import { isHidden } from './habitShown.ts';
import { type HabitChoice, withHabit } from './habits.ts';
import { drawJourneys, type Journey, type Trouble } from './journeys.ts';
import type { Json } from './json.ts';
import { type Node, nodesOf } from './nodes.ts';
import { type Answers, type Asked, answerTo, drawAnswers } from './people.ts';
import { shown } from './render.ts';
import { newService, type Service, type Wish } from './service.ts';
import type { Known } from './truth.ts';
import { delayOf, isEnd, isShown, misreadIn, type Said, type Untruth, untruthsIn, weaknessOf } from './verdicts.ts';
import { clearView, seenBy, type View } from './view.ts';

/** What a record showed from a moment on; `undefined` once it is gone. */
export type Visible = Readonly<{ at: number; id: string; record: Json | undefined }>;

/** What came of one journey. */
export type Told = Readonly<{
  journey: Journey;
  work: Work | undefined;
  said: readonly Said[];
  untruths: readonly Untruth[];
  weakness: string | undefined;
  /** What a message took for the record's state. */
  misread: string | undefined;
  /** Whether the record's own GET showed how it ended, and how late that was told beyond settling and a pause. */
  isShown: boolean;
  delay: number | undefined;
  /** What its person answered when Dolly asked. */
  answered: readonly string[];
  /** What the records that matter showed, from when on. */
  visible: readonly Visible[];
}>;

/** What came of one seed. `start` is when its clock began, in milliseconds since the epoch. */
export type Run = Readonly<{ seed: number; dialect: Dialect; answers: Answers; start: number; told: readonly Told[] }>;

const minute = 60_000;
/** So long a journey is watched after it was asked for and after its job ended; then it is looked at a day later. */
const watched = 12 * minute;
/** How closely, in milliseconds: at first, later, and at the end. */
const steps = [500, 2_000, 5_000] as const;
/** How long after a request it is watched most closely, in milliseconds. */
const closely = minute;

type Course = Asked & { card: { ts: string }; blocks: unknown };

/** What is not drawn: the number of journeys, their trouble, how people answer, how well Dolly sees the service, its habit. */
export type Setting = Readonly<{
  count?: number;
  trouble?: Trouble;
  answers?: Answers;
  view?: View;
  habit?: HabitChoice;
  /** Is given what the service would have answered whenever anybody had asked. */
  records?: (recording: Recording) => void;
}>;

/**
 * Draws a service and some journeys, has people go on them, and watches what Dolly says all the time.
 * @throws where Dolly sends what nobody asked for
 */
export async function run(
  seed: number,
  { count = 9, trouble = 'usual', view = clearView, habit = 'none', ...set }: Setting = {},
): Promise<Run> {
  const draw = drawing(seed);
  // Pauses between looks are spread by chance: the same seed spreads them alike.
  const { random } = Math;
  Math.random = randomOf(String(seed), 'pauses').next;
  const dialect = withHabit(drawDialect(draw), seed, habit);
  const journeys = drawJourneys(draw, dialect, count, trouble);
  const answers = set.answers ?? drawAnswers(draw);
  const bases = new Set<Base>();
  const works: Work[] = [];
  const visible: Visible[] = [];
  const waiting: Journey[] = [];
  const sent = new Map<Journey, Work>();
  /** What colleagues will ask for. */
  const later: { at: number; begin: (at: number) => Work }[] = [];
  const strays: Wish[] = [];
  let earth: World | undefined;
  let service: Service | undefined;
  let node: (isList: boolean, now: number) => Node = () => ({ records: new Map(), tombstones: new Map(), now: 0 });
  const now = () => earth?.clock.now() ?? 0;
  const known = () => {
    if (!service) throw new Error('the service has not begun');
    return service;
  };
  const notes = (id: string, at: number) => {
    const found = known().records.get(id);
    if (found) bases.add(found);
    const record = found && isHidden(found, dialect, at) ? undefined : found;
    visible.push({
      at,
      id,
      record: record && shown(known(), dialect, record, dialect.children?.where === 'single', at),
    });
  };
  const begins = (wish: Wish): ReturnType<Around['begin']> => {
    const journey = waiting.find(
      one =>
        one.kind === wish.kind &&
        one.by === wish.by &&
        one.on === wish.on &&
        Object.entries(one.mark).every(([key, value]) => wish.asked[key] === value),
    );
    if (!journey) {
      strays.push(wish);
      return 'accepted';
    }
    waiting.splice(waiting.indexOf(journey), 1);
    const work = known().begins(wish, journey.course, now());
    works.push(work);
    sent.set(journey, work);
    for (const { kind, on = journey.on, after, course, asked } of journey.others.filter(other => other.after >= 0))
      later.push({ at: now() + after, begin: at => known().begins({ kind, by: 'cem', on, asked }, course, at) });
    if (work.ending === 'refused') return { refusal: work.error };
    return work.ending === 'lost' || journey.losesAnswer ? 'lost' : 'accepted';
  };
  /** The service as it stands now, with all that colleagues asked for by now. */
  const atWork = () => {
    for (const next of later.filter(({ at }) => at <= now()).toSorted((a, b) => a.at - b.at)) {
      later.splice(later.indexOf(next), 1);
      known().settle(next.at);
      works.push(next.begin(next.at));
    }
    return known();
  };
  let [askedAll, outageAt] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const around = { service: atWork, now, outageAt: () => outageAt };
  const seen = answering(dialect, { ...around, node: isList => node(isList, now()), begin: begins });
  let samples: (() => Promise<void>) | undefined;
  const middleware = seenBy(
    view,
    () => now() - askedAll,
    async (request, next) => {
      await samples?.();
      return seen(request, next);
    },
  );
  earth = await world({ service: { middleware }, handsOnStore: set.records !== undefined });
  const start = now();
  service = newService(dialect, start);
  for (const record of service.records.values()) bases.add(record);
  service.watches(notes);
  node = nodesOf(service, dialect, start);
  const recording = set.records && recordedBeside(seed, dialect, around, start);
  try {
    const here = earth;
    samples = recording && (() => recording.samples(here));
    const people = { ana: await earth.enters('Ana', 'ana'), ben: await earth.enters('Ben', 'ben') };
    earth.approver = await earth.enters('Dev', 'dev');
    const courses: Course[] = [];
    let askedAt = now();
    const passes = async (most: number, coarse: number = steps[1]) => {
      const begin = now();
      while (now() - begin < most && (courses.length === 0 || !isSettled(courses, now()))) {
        const step = now() - askedAt < closely ? steps[0] : coarse;
        await earth.clock.advance(Math.min(step, most));
        await samples?.();
        sample(earth, courses);
        for (const course of courses) {
          const says = answerTo(course, answers, sent.get(course.journey), now());
          if (says === undefined) continue;
          course.answered.push(says);
          await people[course.journey.by].presses(says, { message: messageOf(earth, course) });
        }
      }
    };
    for (const journey of journeys) {
      for (const { kind, after, course, asked } of journey.others.filter(other => other.after < 0)) {
        works.push(service.begins({ kind, by: 'cem', on: journey.on, asked }, course, now()));
        await passes(-after);
      }
      await passes(journey.pause);
      waiting.push(journey);
      askedAt = now();
      notes(journey.on, now());
      const card = await ask(earth, people[journey.by], journey.line);
      courses.push({ journey, card, said: [], blocks: undefined, answered: [] });
      sample(earth, courses);
    }
    askedAll = now();
    outageAt = askedAll + (dialect.outage?.after ?? 0);
    const ends = works.map(({ endsAt }) => endsAt).filter(Number.isFinite);
    for (const at of view.restarts) {
      await passes(Math.max(0, askedAll + at - now()));
      await earth.stop();
      await earth.start();
    }
    await passes(watched);
    await passes(Math.max(0, ...ends) + watched - now(), steps[2]);
    if (!isOver(courses)) {
      await earth.stop();
      await earth.clock.advance(24 * 60 * minute);
      await earth.start();
      for (let turn = 0; turn < 200 && !isOver(courses); turn++) await passes(5_000);
    }
    if (strays.length > 0) throw new Error(`was sent twice, or unasked: ${JSON.stringify(strays)}`);
    atWork().settle(now());
    const readableFrom = (at: number) => {
      const backAt = outageAt + (dialect.outage?.lasts ?? 0);
      return at >= outageAt && at < backAt ? backAt : at;
    };
    const told = courses.map(course =>
      tell(course, sent.get(course.journey), visible, { service: known(), dialect, bases, works, readableFrom }),
    );
    if (recording) set.records?.(await recording.recording(earth, told));
    return { seed, dialect, answers, start, told };
  } finally {
    await earth.close();
    Math.random = random;
  }
}

/** Records what a service answers beside what Dolly asks: with nodes of its own, whose turns Dolly does not change. */
function recordedBeside(seed: number, dialect: Dialect, around: Omit<Around, 'node' | 'begin'>, start: number) {
  const node = nodesOf(around.service(), dialect, start);
  const own = { ...around, node: (isList: boolean) => node(isList, around.now()), begin: () => 'accepted' as const };
  const answer = answering(dialect, own);
  const ids = () => [...around.service().records.keys(), ...around.service().tombstones.keys()];
  const seen = new Set<string>();
  const paths = () => {
    for (const id of ids()) seen.add(`/database/${id}`);
    return [...lists, ...seen];
  };
  return recorder({ seed, ahead: dialect.clock.ahead, answer: async request => answer(request, next), paths });
}

const lists = ['/database/list', '/environment/list', '/project/list', '/user/list'];
const next = () => Promise.reject(new Error('nobody else answers'));

/** The words for the states of a job, as messages say them behind its title. */
const words = Object.values(stateShown).map(([, word]) => word);

/** Whether all have ended, and Dolly has looked at each end once more (features/secondLooks). */
const isSettled = (courses: readonly Course[], now: number) =>
  isOver(courses) && courses.every(({ said }) => now - (said.at(-1)?.at ?? 0) > 6 * minute);

const isOver = (courses: readonly Course[]) => courses.every(({ said }) => isEnd(said.at(-1)?.word ?? ''));

const messageOf = (earth: World, { card }: Pick<Course, 'card'>) => {
  const found = earth.playground.slack.messages(channel).find(({ ts }) => ts === card.ts);
  if (!found) throw new Error(`the message ${card.ts} is gone`);
  return found;
};

/** Notes what each message says now, where it says something else than before. */
function sample(earth: World, courses: readonly Course[]): void {
  const messages = new Map(earth.playground.slack.messages(channel).map(message => [message.ts, message]));
  for (const course of courses) {
    const message = messages.get(course.card.ts);
    if (!message || message.blocks === course.blocks) continue;
    course.blocks = message.blocks;
    const text = textOf(message).replace(/<!date\^\d+\^[^|]*\|[^>]*?(\d\d:\d\d:\d\d)[^>]*>/g, '$1');
    const word = words.find(one => text.includes(` · ${one}`)) ?? (message.onlyFor === undefined ? '' : 'Not asked');
    course.said.push({ at: earth.clock.now(), word, text });
  }
}

/** Whether the record showed the state that a reason names: `shop is already STOPPED`, `shop is already running: false`. */
function showsState(rows: readonly Visible[], text: string): boolean {
  const [, key, value = ''] = / is already (?:(\w+): )?(.+?), so/.exec(text) ?? [];
  const shown = key === undefined ? JSON.stringify(value) : `${JSON.stringify(key)}:${value}`;
  return rows.some(({ record }) => JSON.stringify(record).includes(shown));
}

function tell(
  { journey, said, answered }: Course,
  work: Work | undefined,
  visible: readonly Visible[],
  all: Omit<Known, 'journey' | 'work' | 'isAnswered'>,
): Told {
  const ids = [journey.on, ...(work?.brings === undefined ? [] : [work.brings])];
  const rows = ids.flatMap(id => visible.filter(one => one.id === id)).toSorted((a, b) => a.at - b.at);
  const told = { journey, work, said, answered, visible: rows };
  if (!work) {
    const [first] = said;
    const isFalse = first?.word === 'Not asked' && !showsState(rows, first.text);
    const untruths = isFalse ? [{ what: 'was not sent, for a reason that is not true', said: first }] : [];
    return { ...told, untruths, weakness: undefined, misread: undefined, isShown: false, delay: undefined };
  }
  const known: Known = { ...all, journey, work, isAnswered: answered.length > 0 };
  const shown = visible.flatMap(({ record }) => (record ? [record] : []));
  return {
    ...told,
    untruths: said.flatMap(one => untruthsIn(known, one)),
    misread: said.map(one => misreadIn(known, one, shown)).find(one => one !== undefined),
    weakness: weaknessOf(known, said),
    isShown: isShown(known),
    delay: isShown(known) ? delayOf(known, said) : undefined,
  };
}
