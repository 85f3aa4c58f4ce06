import type { Report } from '../../../api/reading/reports.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { namesItself, type Work } from '../../../operations/work.ts';
import {
  goesOn,
  isPassing,
  isUnseenCopy,
  type Judgement,
  newWord,
  rests,
  type Sighting,
  saysOf,
  seenName,
  untoldResult,
  wasMade,
  wordsOf,
} from '../judgement.ts';
import { atDeadline, type Rows } from '../rows.ts';
import { settles } from '../settles.ts';
import { reportRows } from '../targetRows.ts';

/* How a job ends that makes a record, by the record that is its own. */

/** Says how a record stands, where its state has this meaning, and `is` says more of it. */
function standsIn({ seen, meaning }: Sighting, isMeant: (meaning: Sighting['meaning']) => boolean, is: boolean) {
  return is && seen.state !== undefined && isMeant(meaning)
    ? `${seenName(seen)} is there; its state is ${seen.state}`
    : undefined;
}
const told = (stands: string | undefined, more = '') => stands && `${stands}${more}. ${untoldResult}`;
const isNew = (meaning: Sighting['meaning']) => meaning === 'unseen';

export const newRecordRows: Rows<Appears> = {
  ...reportRows,
  'its state says that it failed': {
    failed: ({ seen }) => (seen.stateClass === 'failed' ? (seen.error ?? `Its state is ${seen.state}.`) : undefined),
  },
  'the record is at work': {
    waiting: look => (isPassing(look) || look.record?.reports.some(one => goesOn(one, look.seen)) ? '' : undefined),
  },
  'its report says that it is done': {
    proved: ({ report, seen }) =>
      report?.outcome === 'done' ? `${seenName(seen)} is there. ${saysOf(report)}` : undefined,
  },
  // It is about its making: nothing else was done to it yet.
  'it shows an error': {
    failed: ({ seen }) => seen.error,
    stands: ({ seen }) => (seen.stateClass === 'unknown' ? settles.long : 0),
  },
  // However long it stands, its state says nothing of the copying; a service may show a copy only once it is done.
  'it is there, and was never seen at work': {
    finished: (look, proof) => told(standsIn(look, rests, isUnseenCopy(proof, look))),
    stands: ({ seen, sentAt }) => {
      const after = seen.since - sentAt;
      return after >= settles.soon ? Math.max(after, settles.unknown) : atDeadline;
    },
  },
  // It may be down by intent, or because it could not be started.
  'it is down': {
    finished: look =>
      told(
        standsIn(
          look,
          rests,
          ['stopped', 'disabled'].some(name => name === look.seen.stateClass),
        ),
      ),
    stands: () => settles.long,
  },
  // Nobody knows why other records rest in it.
  'it rests in an unknown word': {
    finished: look => told(standsIn(look, meaning => meaning === 'resting', look.seen.stateClass === 'unknown')),
    stands: look => (wasMade(look) ? settles.long : settles.unknown),
  },
  // A record may stand in its last state for a moment before the work begins.
  'it is there, and rests': {
    proved: look => {
      const stands = standsIn(look, rests, true);
      return stands && `${stands}.`;
    },
    stands: (look, { isInstant }) => (isInstant || wasMade(look) ? 0 : settles.long),
  },
  'it is there, in a new word that sounds well': {
    proved: (look, { isInstant }) => {
      const sounds = look.seen.stateClass === 'ok' && (isInstant || look.seen.wasBusy !== undefined);
      const stands = standsIn(look, isNew, sounds);
      return stands && `${stands}, ${newWord}.`;
    },
    stands: (_, { isInstant }) => (isInstant ? 0 : settles.long),
  },
  'it is there, in an unknown word': {
    finished: (look, { isInstant }) => told(standsIn(look, isNew, isInstant), `, ${newWord}`),
    stands: () => settles.unknown,
  },
};

/** The failure that a report on the source tells of what never came to be. */
export function failureAtSource(report: Report, work: Work, { like }: Pick<Appears, 'like'>): Judgement | undefined {
  // A report of "a clone" may be of a colleague's, where this job is a mount, unless it names who asked.
  const isTold = report.by !== undefined || report.kind === undefined || namesItself(report.kind, work);
  if (report.outcome !== 'failed' || report.beganAt === undefined || !isTold) return undefined;
  const [isVirtual, isPhysical] = [/virtual/i, /physical/i].map(word => word.test(report.kind ?? ''));
  const isOther = isVirtual !== isPhysical && like.isPhysical !== undefined && like.isPhysical !== isPhysical;
  return isOther ? undefined : { type: 'failed', reason: wordsOf(report, "The source's") };
}
