import { minute, second } from '../../src/ground/durations.ts';
import { dba, signInAgain } from './cast.ts';
import { drawForgets, drawForsaken, drawNoRoom, drawOutage, drawTwins } from './outageScenes.ts';
import type { Act, Fault } from './plan.ts';
import type { Random } from './random.ts';
import {
  approvedDeletion,
  backUp,
  clone,
  laterOn,
  overADay,
  press,
  type Scene,
  type Stage,
  type World,
} from './sceneParts.ts';

/*
 * Scenes: acts, and what meets them at a weak moment. Chance alone brings both together too rarely. They come after all
 * other acts, and have a stream of chance of their own.
 */

/** How often each scene is drawn. */
const weights = {
  leaver: 26,
  secondThoughts: 16,
  tooEarly: 8,
  plan: 26,
  putOff: 14,
  twins: 22,
  outage: 10,
  forgets: 12,
  forsaken: 14,
  noRoom: 12,
};
/** How often those are drawn, beside the others, that need replicas, or a day. */
const ofReplicas = { sleeper: 30, teller: 30, restarts: 80 };
const ofDays = { forgotten: 30, putOff: 30 };

type SceneName = keyof typeof weights | keyof typeof ofReplicas | keyof typeof ofDays;

/** How many scenes a plan has. */
const counts = [0, 1, 1, 1, 2];
/** The time that one scene has to itself. */
const length = 90 * second;

/** Draws the scenes of a plan. */
export function drawScenes(random: Random, world: World): Scene {
  const none = { sleeper: 0, teller: 0, restarts: 0, forgotten: 0 };
  const all = { ...none, ...weights, ...(world.bots > 1 ? ofReplicas : {}), ...(world.isWeek ? ofDays : {}) };
  const drawn: Scene[] = [];
  let at = world.from + random.whole(5, 40) * second;
  const many = random.one(counts);
  for (let number = 0; number < many; number++) {
    drawn.push(scenes[random.weighted(all)](random, { ...world, at, id: `s${number}`, number }));
    at = Math.max(at, ...drawn.flatMap(({ acts }) => acts.map(act => act.at))) + random.whole(20 * second, length);
  }
  return { acts: drawn.flatMap(({ acts }) => acts), faults: drawn.flatMap(({ faults }) => faults) };
}

const scenes: Readonly<Record<SceneName, (random: Random, stage: Stage) => Scene>> = {
  sleeper: drawSleeper,
  teller: drawTeller,
  restarts: drawRestarts,
  leaver: drawLeaver,
  secondThoughts: drawSecondThoughts,
  tooEarly: drawTooEarly,
  plan: drawPlanOfSteps,
  putOff: drawPutOff,
  forgotten: drawForgotten,
  twins: drawTwins,
  outage: drawOutage,
  forgets: drawForgets,
  forsaken: drawForsaken,
  noRoom: drawNoRoom,
};

/** A process sleeps in the middle of a step for longer than its locks last: another one takes the job over. */
function drawSleeper(random: Random, stage: Stage): Scene {
  const act = random.chance(0.6) ? backUp(random, stage) : clone(random, stage, '');
  const skip = random.whole(3, 5);
  const ms = random.one([25, 45, 60]) * second;
  const met = { point: 'answer', side: random.one(['before', 'after'] as const), on: 'service', skip } as const;
  return { acts: [act], faults: [{ at: stage.at, fault: 'freeze', ...met, ms }] };
}

/** A process sleeps between two messages about a job: another one takes them over. */
function drawTeller(random: Random, stage: Stage): Scene {
  const side = random.one(['before', 'after'] as const);
  const met = { point: 'request', side, on: 'writes', skip: random.whole(1, 4) } as const;
  const ms = random.one([45, 60]) * second;
  return { acts: [backUp(random, stage)], faults: [{ at: stage.at, fault: 'freeze', ...met, ms }] };
}

/** One replica after the other is started anew while one of them waits for the answer to a request. */
function drawRestarts(random: Random, stage: Stage): Scene {
  const hangs = random.chance(0.75);
  const act = hangs ? clone(random, stage, 'hang') : backUp(random, stage);
  const { at } = stage;
  const slow: Fault = { at, fault: 'slow', to: 'service', ms: 4 * second, lasts: 20 * second };
  const restarts = Array.from({ length: stage.bots }, (_, bot): Fault => {
    const soon = random.whole(2 * second, 15 * second);
    return { at: at + soon, fault: 'restart', bot, down: random.one([300, 300, 1_000]) };
  });
  return { acts: [act], faults: [...(hangs ? [] : [slow]), ...restarts.filter(() => random.chance(0.85))] };
}

/** Somebody asks for something and signs out while it is prepared. */
function drawLeaver(random: Random, stage: Stage): Scene {
  const { at, id, isWeek } = stage;
  const asked = random.chance(0.8) ? clone(random, stage, '') : backUp(random, stage);
  const { who } = asked;
  const slow: Fault = {
    at: at + random.whole(0, second),
    fault: 'slow',
    to: 'service',
    ms: random.one([1_000, 2_000, 2_800]),
    lasts: random.whole(4, 12) * second,
  };
  const acts: Act[] = [
    asked,
    // People do one thing after the other: this begins as soon as the form is closed.
    { at: at + random.whole(0, second / 2), id: `${id}.o`, act: 'sign out', who },
    ...(isWeek ? [laterOn(stage, who)] : []),
    ...(random.chance(0.8) ? [signInAgain(random, `${id}+`, at + (isWeek ? overADay : 0), who)] : []),
  ];
  return { acts, faults: random.chance(0.7) ? [slow] : [] };
}

/** Somebody stops looking for what may never have arrived, and looks again after all. */
function drawSecondThoughts(random: Random, stage: Stage): Scene {
  const asked = clone(random, stage, random.one(['vanish', 'slow', 'crash', 'html', 'torn', 'busy'] as const));
  const { at } = stage;
  const stoppedAt = at + random.whole(3 * second, 20 * second);
  return {
    acts: [
      asked,
      press(stage, 'stop', stoppedAt, asked.who, 'Stop checking'),
      press(stage, 'look', stoppedAt + random.whole(second, 30 * second), asked.who, 'Check now'),
    ],
    faults: [],
  };
}

/** Somebody withdraws what could not be sent yet: the service shows no records since it was asked for. */
function drawTooEarly(random: Random, stage: Stage): Scene {
  const asked = clone(random, stage, '');
  const { at } = stage;
  const status = random.one([502, 503]);
  const withdrawnAt = at + random.whole(2 * second, 12 * second);
  return {
    acts: [asked, press(stage, 'w', withdrawnAt, asked.who, 'Withdraw')],
    faults: [{ at, fault: 'error', status, writes: false, skip: 4, times: random.whole(6, 30) }],
  };
}

/** Somebody restores with a backup first, and stops in between, or lets it go on after a step that went wrong. */
function drawPlanOfSteps(random: Random, stage: Stage): Scene {
  const { at, id } = stage;
  const who = dba(random);
  const asked: Act = { at, id, act: 'restore', who, record: `rest-${id}`, twice: false, first: true };
  const soon = at + random.whole(2 * second, 6 * second);
  const goesOn = (label: string, from: number) =>
    press(stage, label, from + random.whole(5 * second, 20 * second), who, 'Go on from here');
  switch (random.one(['withdrawn', 'stopped', 'refused'] as const)) {
    case 'withdrawn':
      return { acts: [asked, press(stage, 'w', soon, who, 'Stop after this step')], faults: [] };
    case 'stopped': {
      const first = goesOn('on', soon);
      const again = random.chance(0.3)
        ? press(stage, 'look', first.at + random.whole(second, 9 * second), who, 'Check now')
        : goesOn('on2', first.at);
      return { acts: [asked, press(stage, 'stop', soon, who, 'Stop checking'), first, again], faults: [] };
    }
    case 'refused': {
      const first = goesOn('on', soon);
      const second_ = goesOn('on2', first.at);
      // An old button that lets it go on is pressed once more.
      const old: Act = {
        at: first.at + random.whole(9 * second, 25 * second),
        id: `${id}.old`,
        act: 'forge',
        how: 'old',
      };
      const olds = [0, 2, 4, 6].map(after => ({ ...old, at: old.at + after * second, id: `${old.id}${after}` }));
      const more = random.chance(0.7) ? olds : [second_];
      const times = random.one([1, 2, 2, 3]);
      return {
        acts: [asked, first, ...(times > 1 ? more : [])],
        faults: [{ at, fault: 'error', status: 400, writes: true, skip: random.whole(0, 1), times }],
      };
    }
  }
}

/** The service takes what was approved only later: it is withdrawn meanwhile, or its person signs out, or it is too late. */
function drawPutOff(random: Random, stage: Stage): Scene {
  const { at, id, isWeek } = stage;
  const acts = approvedDeletion(random, stage);
  const [{ who }, { at: decidedAt }] = acts;
  const soon = decidedAt + random.whole(3 * second, 8 * second);
  const busy: Fault = { at, fault: 'error', status: 429, writes: true, skip: 0, times: random.whole(1, 3) };
  switch (isWeek ? 'signs out' : random.one(['nothing', 'withdraws', 'signs out', 'away'] as const)) {
    case 'nothing':
      return { acts, faults: [busy] };
    case 'withdraws':
      return { acts: [...acts, press(stage, 'w', soon, who, 'Withdraw')], faults: [busy] };
    case 'signs out':
      return {
        acts: [
          ...acts,
          { at: soon, id: `${id}.o`, act: 'sign out', who },
          ...(isWeek ? [laterOn(stage, who)] : [signInAgain(random, `${id}+`, soon, who)]),
        ],
        faults: [busy],
      };
    case 'away': {
      // For longer than it is tried.
      const lasts = 14 * minute;
      const list: Act = { at: soon + lasts, id: `${id}.l`, act: 'list', who };
      return { acts: [...acts, list], faults: [busy, { at: soon, fault: 'away', to: 'service', lasts }] };
    }
  }
}

/** Somebody asks for what nobody decides on. */
function drawForgotten(random: Random, stage: Stage): Scene {
  const { at, id } = stage;
  const who = dba(random);
  return {
    acts: [{ at, id, act: 'delete', who, record: `gone-${id}`, twice: random.chance(0.3) }, laterOn(stage, who)],
    faults: [],
  };
}
