import type { Report } from '../../../api/reading/reports.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { namesItself, type Work } from '../../../operations/work.ts';
import { goesOn, isPassing, isUnseenCopy, rests, wasMade } from '../goingOn.ts';
import type { Judgement, Sighting } from '../judgement.ts';
import { atDeadline, type Rows } from '../rows.ts';
import { newWord, saysOf, seenName, untoldResult, wordsOf } from '../sentences.ts';
import { settles } from '../settles.ts';
import { reportRows, told } from '../sharedRows.ts';

/* How a job ends that makes a record, by the record that is its own. */

/** Says how a record stands, where its state has this meaning, and `is` says more of it. */
function standsIn({ seen, meaning }: Sighting, isMeant: (meaning: Sighting['meaning']) => boolean, is: boolean) {
  return is && seen.state !== undefined && isMeant(meaning)
    ? `${seenName(seen)} is there; its state is ${seen.state}`
    : undefined;
}
const untold = (stands: string | undefined, more = '') => stands && `${stands}${more}. ${untoldResult}`;
const isNew = (meaning: Sighting['meaning']) => meaning === 'unseen';

export const newRecordRows: Rows<Appears> = {
  ...reportRows,
  'failed state': {
    failed: ({ seen }) => (seen.stateClass === 'failed' ? (seen.error ?? `Its state is ${seen.state}.`) : undefined),
  },
  'at work': {
    waiting: look => (isPassing(look) || look.record?.reports.some(one => goesOn(one, look.seen)) ? '' : undefined),
  },
  'own report: done': {
    proved: told('done', (report, { seen }) => `${seenName(seen)} is there. ${saysOf(report)}`),
  },
  // It is about its making: nothing else was done to it yet.
  error: {
    failed: ({ seen }) => seen.error,
    stands: {
      says: '10 seconds; 20 in an unknown word',
      of: ({ seen }) => (seen.stateClass === 'unknown' ? settles.long : 0),
    },
  },
  // However long it stands, its state says nothing of the copying; a service may show a copy only once it is done.
  'there, never seen at work': {
    finished: (look, proof) => untold(standsIn(look, rests, isUnseenCopy(proof, look))),
    stands: {
      says: 'as long as it took to come, and 5 minutes at least; at the deadline where it came at once',
      of: ({ seen, sentAt }) =>
        seen.since - sentAt >= settles.soon ? Math.max(seen.since - sentAt, settles.unknown) : atDeadline,
    },
  },
  // It may be down by intent, or because it could not be started.
  down: {
    finished: look =>
      untold(
        standsIn(
          look,
          rests,
          ['stopped', 'disabled'].some(name => name === look.seen.stateClass),
        ),
      ),
    stands: settles.long,
  },
  // Nobody knows why other records rest in it.
  'there, in an unknown word of rest': {
    finished: look => untold(standsIn(look, meaning => meaning === 'resting', look.seen.stateClass === 'unknown')),
    stands: settles.unknown,
  },
  // A record may stand in its last state for a moment before the work begins.
  'there, at rest': {
    proved: look => {
      const stands = standsIn(look, rests, true);
      return stands && `${stands}.`;
    },
    stands: {
      says: '10 seconds; 20 for a copy that was never seen at work',
      of: (look, { isInstant }) => (isInstant || wasMade(look) ? 0 : settles.long),
    },
  },
  'there, in a new word that sounds well': {
    proved: (look, { isInstant }) => {
      const sounds = look.seen.stateClass === 'ok' && (isInstant || look.seen.wasBusy !== undefined);
      const stands = standsIn(look, isNew, sounds);
      return stands && `${stands}, ${newWord}.`;
    },
    stands: { says: '10 seconds; 20 for a copy', of: (_, { isInstant }) => (isInstant ? 0 : settles.long) },
  },
  'there, in an unknown word': {
    finished: (look, { isInstant }) => untold(standsIn(look, isNew, isInstant), `, ${newWord}`),
    stands: settles.unknown,
  },
};

/** The failure that a report on the source tells of what never came to be. */
export function failureAtSource(report: Report, work: Work): Judgement | undefined {
  // A report of "a clone" may be of a colleague's, where this job is a mount, unless it names who asked.
  const isTold = report.by !== undefined || report.kind === undefined || namesItself(report.kind, work);
  return report.outcome === 'failed' && isTold
    ? { type: 'failed', reason: wordsOf(report, "The source's") }
    : undefined;
}
