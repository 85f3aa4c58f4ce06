import { expect, test } from 'vitest';
import { few } from '../whole.ts';
import { type Ended, follow } from './recorded/follow.ts';
import { readKept } from './recorded/kept.ts';
import type { Recording } from './recorded/recording.ts';
import { codeIn, treeOf } from './recorded/tree.ts';
import { ruleNames, without } from './recorded/without.ts';

/*
 * Each rule of evidence is there for a job that ends otherwise without it: `node test/variants/keep.ts` keeps what the service
 * answered that job. Whoever writes a new rule keeps such a job with it.
 */
const { jobs, recordings } = readKept();

/** The rules that no drawn service needed so far: looks that are made by hand show what they are for (test/jobs/evidence). */
const madeByHand: readonly string[] = [
  'maybe another record',
  'back, with work around it',
  'an earlier job may be late with it',
  'it may be of a backup',
  'it stood there before the request',
  'it is a check by the service',
  'it is about another database',
];

const code = await codeIn(treeOf('.'));
const known = new Map<Recording, Promise<readonly Ended[]>>();

function endsOf(recording: Recording): Promise<readonly Ended[]> {
  const ends = known.get(recording) ?? follow(recording, code);
  known.set(recording, ends);
  return ends;
}

const endOf = (ends: readonly Ended[], id: string) => ends.find(({ job }) => job === id);

test('each rule of evidence is needed by a recorded job, or by a look that was made by hand', () => {
  const named = [...Object.keys(jobs), ...madeByHand];
  expect([...named].toSorted()).toEqual([...ruleNames].toSorted());
});

test.each(few(Object.entries(jobs), (_, at) => at % 4 === 0))(
  'a recorded job ends otherwise without the rule of evidence “%s”',
  async (name, { seed, job }) => {
    const recording = recordings.get(seed);
    if (!recording) throw new Error('it is not kept');
    const ends = await endsOf(recording);
    const others = await without(name, () => follow(recording, code));
    expect(endOf(ends, job)).toBeDefined();
    expect(endOf(others, job)).not.toEqual(endOf(ends, job));
  },
);
