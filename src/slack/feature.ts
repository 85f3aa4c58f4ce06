import type { Loop } from '../ground/loop.ts';
import type { Policy } from '../jobs/approval/rules.ts';
import type { ThingWorker } from '../jobs/workOnThings.ts';
import type { EndHook } from '../store/things/endNews.ts';
import type { Kind } from '../store/things/kind.ts';
import type { Content } from './blocks/blocks.ts';

/** The words of a message: a function of its data, its outcome and its id; `undefined` for one that it cannot read. */
export type Words = (data: unknown, outcome: string | null, id: string) => Content | undefined;

/**
 * What Dolly does beside single requests, as far as it adds to the loops, the messages, the sweep and the ends of jobs. `Needs`
 * is what its loop may touch.
 */
export type Feature<Needs> = Readonly<{
  /** The name of its loop in `/readyz`. */
  name: string;
  /** Its kinds of durable things: those that are over are swept with the history. */
  kinds: readonly Kind<string, object>[];
  /** Its loop, where it has things that are due. */
  work?(worker: ThingWorker, desk: Needs): Loop;
  /** What the end of a job means for its things. */
  ends?(policy: Policy): EndHook;
  /** The words of its messages, by their kinds. */
  words: Readonly<Record<string, Words>>;
}>;
