import { minute, second } from '../../src/ground/durations.ts';
import { type Durable, warned } from './leaseActs.ts';
import type { Act, ActOf, Fault } from './plan.ts';
import type { Random } from './random.ts';

/*
 * Scenes beside durable things: a clone that is kept for a time, and what meets its warning at a weak moment. The warning
 * comes between the times of all else, so that what meets it is not spent on others.
 */

/** How often each scene is drawn. */
const weights = { none: 34, unheard: 33, overtaken: 33 };
/** How many requests the work on a warning makes before its process opens the direct messages of the owner. */
const toOpen = [4, 4, 4, 5];

/** A scene, as far as one is drawn. It needs two replicas if `isShared` says so. */
export type LeaseScene = Readonly<{ isShared: boolean; thing: Durable }>;

/** Draws whether something meets the warning of a clone, and what does. */
export function drawLeaseScene(random: Random): LeaseScene | undefined {
  const name = random.weighted(weights);
  if (name === 'none') return undefined;
  const who = random.one(['Ben', 'Chi', 'Ana'] as const);
  const id = 'm0';
  const at = random.whole(40, 70) * second;
  const until = random.whole(20, 23) * minute;
  const clone: ActOf<'clone'> = { at, id, act: 'clone', who, port: 6_900, word: '', twice: false, until };
  const moment = until - warned;
  switch (name) {
    case 'unheard':
      return {
        isShared: false,
        thing: { acts: [clone], faults: [drawRefusals(random, moment)], moments: [], ends: until },
      };
    case 'overtaken': {
      // It is kept, so that the scene is short.
      const kept: Act = { at: moment + 2 * minute, id: `${id}.e`, act: 'keep', who, of: id, until: null };
      const thing = { acts: [clone, kept], faults: [drawLongSleep(random, moment)], moments: [], ends: kept.at };
      return { isShared: true, thing };
    }
  }
}

/**
 * Slack takes no post from the warning of an end to that end, and answers all else. After a word that Slack says of itself,
 * each message is tried every few seconds; after one that is not known, ever more seldom.
 */
function drawRefusals(random: Random, moment: number): Fault {
  const at = moment - 10 * second;
  const { word, times } = random.one([
    { word: 'some_new_word', times: 40 },
    { word: 'internal_error', times: 320 },
  ]);
  return { at, fault: 'refuse', word, method: 'chat.postMessage', skip: 0, times };
}

/** Whoever has taken the warning sleeps before it is kept that a post begins: another process posts it meanwhile. */
function drawLongSleep(random: Random, moment: number): Fault {
  const side = random.one(['before', 'after'] as const);
  const met = { point: 'request', side, on: 'all', skip: random.one(toOpen) } as const;
  return { at: moment - second, fault: 'freeze', ...met, ms: random.one([45, 60]) * second };
}
