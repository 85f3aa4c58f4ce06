import { setTimeout as sleep } from 'node:timers/promises';
import { stateShown } from '../../../src/slack/messages/stateShown.ts';
import { textOf } from '../../person.ts';
import { type World, world } from '../../world.ts';
import { type Around, answering } from './answers.ts';
import { ask, channel } from './ask.ts';
import { type Dialect, drawDialect } from './dialect.ts';
import { drawing } from './draw.ts';
import type { Base, Work } from './estate.ts';
import { drawJourneys, type Journey } from './journeys.ts';
import type { Json } from './json.ts';
import { shown } from './render.ts';
import { newService, type Service, type Wish } from './service.ts';
import type { Known } from './truth.ts';
import { isEnd, misreadIn, type Said, type Untruth, untruthsIn, weaknessOf } from './verdicts.ts';

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
  /** What the records that matter showed, from when on. */
  visible: readonly Visible[];
}>;

/** What came of one seed. `start` is when its clock began, in milliseconds since the epoch. */
export type Run = Readonly<{ seed: number; dialect: Dialect; start: number; told: readonly Told[] }>;

const minute = 60_000;
/** So long a journey is watched after it was asked for and after its job ended; then it is looked at a day later. */
const watched = 12 * minute;
/** How closely, in milliseconds: at first, and later. */
const steps = [500, 5_000] as const;

type Course = { journey: Journey; card: { ts: string }; said: Said[]; blocks: unknown };

/**
 * Draws a service and some journeys, has people go on them, and watches what Dolly says all the time.
 * @throws where Dolly sends what nobody asked for
 */
export async function run(seed: number, count = 9): Promise<Run> {
  const draw = drawing(seed);
  const dialect = drawDialect(draw);
  const journeys = drawJourneys(draw, dialect, count);
  const ever = new Map<string, Base>();
  const works: Work[] = [];
  const visible: Visible[] = [];
  const waiting: Journey[] = [];
  const sent = new Map<Journey, Work>();
  const strays: Wish[] = [];
  let earth: World | undefined;
  let service: Service | undefined;
  const now = () => earth?.clock.now() ?? 0;
  const known = () => {
    if (!service) throw new Error('the service has not begun');
    return service;
  };
  const notes = (id: string, at: number) => {
    const record = known().records.get(id);
    if (record) ever.set(id, record);
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
    for (const { kind, after, course, asked } of journey.others.filter(other => other.after >= 0))
      works.push(known().begins({ kind, by: 'cem', on: journey.on, asked }, { ...course, waits: after }, now()));
    if (work.ending === 'refused') return { refusal: work.error };
    return work.ending === 'lost' || journey.losesAnswer ? 'lost' : 'accepted';
  };
  let outageAt = Number.POSITIVE_INFINITY;

  earth = await world({
    service: { middleware: answering(dialect, { service: known, now, begin: begins, outageAt: () => outageAt }) },
  });
  const start = now();
  service = newService(dialect, start);
  for (const record of service.records.values()) ever.set(record.id, record);
  service.watches(notes);
  try {
    const people = { ana: await earth.enters('Ana', 'ana'), ben: await earth.enters('Ben', 'ben') };
    earth.approver = await earth.enters('Dev', 'dev');
    const courses: Course[] = [];
    for (const journey of journeys) {
      for (const { kind, after, course, asked } of journey.others.filter(other => other.after < 0)) {
        works.push(service.begins({ kind, by: 'cem', on: journey.on, asked }, course, now()));
        await passes(earth, courses, -after);
      }
      await passes(earth, courses, journey.pause);
      waiting.push(journey);
      notes(journey.on, now());
      const card = await ask(earth, people[journey.by], journey.line);
      courses.push({ journey, card, said: [], blocks: undefined });
      sample(earth, courses);
    }
    outageAt = now() + (dialect.outage?.after ?? 0);
    const ends = works.map(({ endsAt }) => endsAt).filter(Number.isFinite);
    await passes(earth, courses, watched);
    await passes(earth, courses, Math.max(0, ...ends) + watched - now(), steps[1]);
    if (!isOver(courses)) {
      await earth.stop();
      await earth.clock.advance(24 * 60 * minute);
      await earth.start();
      for (let turn = 0; turn < 200 && !isOver(courses); turn++) {
        await sleep(5);
        await passes(earth, courses, 5_000);
      }
    }
    if (strays.length > 0) throw new Error(`was sent twice, or unasked: ${JSON.stringify(strays)}`);
    service.settle(now());
    const told = courses.map(({ journey, said }) => {
      const work = sent.get(journey);
      return tell(journey, work, said, visible, service, { dialect, ever, works });
    });
    return { seed, dialect, start, told };
  } finally {
    await earth.close();
  }
}

/** The words for the states of a job, as messages say them behind its title. */
const words = Object.values(stateShown).map(([, word]) => word);

const isOver = (courses: readonly Course[]) => courses.every(({ said }) => isEnd(said.at(-1)?.word ?? ''));

/** Turns the clock, and watches what is said meanwhile; ends early where all is said. */
async function passes(earth: World, courses: readonly Course[], most: number, step: number = steps[0]): Promise<void> {
  const begin = earth.clock.now();
  while (earth.clock.now() - begin < most && (courses.length === 0 || !isOver(courses))) {
    await earth.clock.advance(Math.min(step, most));
    sample(earth, courses);
  }
}

/** Notes what each message says now, where it says something else than before. */
function sample(earth: World, courses: readonly Course[]): void {
  const messages = new Map(earth.playground.slack.messages(channel).map(message => [message.ts, message]));
  for (const course of courses) {
    const message = messages.get(course.card.ts);
    if (!message || message.blocks === course.blocks) continue;
    course.blocks = message.blocks;
    const text = textOf(message).replace(/<!date\^\d+\^[^|]*\|[^>]*?(\d\d:\d\d:\d\d)[^>]*>/g, '$1');
    const word = message.onlyFor === undefined ? (words.find(one => text.includes(` · ${one}`)) ?? '') : 'Not asked';
    course.said.push({ at: earth.clock.now(), word, text });
  }
}

function tell(
  journey: Journey,
  work: Work | undefined,
  said: readonly Said[],
  visible: readonly Visible[],
  service: Service,
  all: Pick<Known, 'dialect' | 'ever' | 'works'>,
): Told {
  const ids = [journey.on, ...(work?.brings === undefined ? [] : [work.brings])];
  const rows = ids.flatMap(id => visible.filter(one => one.id === id)).toSorted((a, b) => a.at - b.at);
  if (!work) {
    const [first] = said;
    const untruths =
      first?.word === 'Not asked' ? [{ what: 'was not sent, for a reason that is not true', said: first }] : [];
    return { journey, work, said, untruths, weakness: undefined, misread: undefined, visible: rows };
  }
  const known: Known = { ...all, service, journey, work };
  const untruths = said.flatMap(one => untruthsIn(known, one));
  const shown = visible.flatMap(({ record }) => (record ? [record] : []));
  const misread = said.map(one => misreadIn(known, one, shown)).find(one => one !== undefined);
  return { journey, work, said, untruths, weakness: weaknessOf(known, said), misread, visible: rows };
}
