import type { Changes, Converts, Gone } from '../../operations/proofs.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import { isAsBefore } from './baseline.ts';
import { caveatsBeside, caveatsOnSign } from './caveats.ts';
import { isPassing, returned } from './goingOn.ts';
import type { Sighting } from './judgement.ts';
import { type OwnChange, ownChange, ownKey } from './ownSigns.ts';
import { atDeadline, type Rows } from './rows.ts';
import { saysOf, seenName, untoldResult } from './sentences.ts';
import { settles } from './settles.ts';
import { cameBack, failureRows, isAtWork, reportEnds, reportRows, told, vanished, workRows } from './sharedRows.ts';

/* How a job that changes a record, or deletes it, is judged by that record, but for one that leads it to a state. */

/** How a job ends that changes its target, such as a restore. */
export const changeRows: Rows<Changes> = {
  ...vanished,
  ...reportRows,
  'new snapshot: there': {
    proved: look =>
      look.made && !isPassing(look) && look.seen.stateClass !== 'failed'
        ? `There is a new snapshot, ${look.made}.`
        : undefined,
  },
  'own report: done': {
    proved: told('done', (report, look) => (isAtWork(look) ? undefined : saysOf(report))),
  },
  'time or counter of this work': {
    proved: (look, { by }) => {
      const own = look.ofOther ? undefined : movedIn(look, by);
      return own && { ...own, by: `${returned(look) ?? ''} ${own.by}`.trim() };
    },
    caveats: caveatsOnSign,
  },
  ...workRows,
  ...failureRows,
  'new snapshot: nobody knows whose': {
    finished: ({ ofOther }) => ofOther,
    stands: {
      says: '20 seconds once it came back; else at the deadline',
      of: look => (returned(look) ? settles.long : atDeadline),
    },
  },
  'back without its mark': {
    failed: cameBack((back, look, { by }) => {
      const missed = missedBy(look, by);
      return missed && `${back} ${missed}`;
    }),
    stands: settles.long,
  },
  back: {
    finished: cameBack((back, _, { by }) => (by === 'work' ? `${back} ${untoldResult}` : undefined)),
  },
};

const stillVirtual = 'Its record still says that it is virtual.';
const isVirtual = ({ record }: Sighting) => record?.isPhysical === false;

/** How a conversion ends. */
export const conversionRows: Rows<Converts> = {
  ...reportRows,
  physical: {
    proved: look =>
      look.record?.isPhysical === true && look.before?.isPhysical !== true && mayCount(look)
        ? { by: 'Its record says that it is physical.', sign: 'physical' }
        : undefined,
    caveats: caveatsBeside,
  },
  ...workRows,
  ...failureRows,
  'back, yet virtual': {
    failed: cameBack((back, look) => (isVirtual(look) ? `${back} ${stillVirtual}` : undefined)),
    stands: settles.long,
  },
  'still virtual': { waiting: look => (isVirtual(look) ? stillVirtual : undefined) },
  'own report: done': { proved: told('done', saysOf) },
  back: { finished: cameBack(back => `${back} Its record does not say whether it is physical.`) },
};

const stillThere = ({ seen }: Sighting) => `${seenName(seen)} is still in the service's records.`;

/** How a deletion ends. */
export const deletionRows: Rows<Gone> = {
  'record gone': {
    proved: ({ seen, before }) =>
      seen.gone && before ? `${seenName(seen)} is gone from the service's records.` : undefined,
  },
  ...reportEnds,
  'own report: done, and never shown': {
    proved: told('done', (report, { seen }) => (seen.gone ? saysOf(report) : undefined)),
  },
  'at work': {
    waiting: look => (look.report?.outcome === 'busy' || isPassing(look) ? stillThere(look) : undefined),
  },
  'maybe another record': { finished: ({ mayBeAnother }) => mayBeAnother, stands: settles.long },
  'maybe at work': { waiting: look => (look.seen.isBusy ? stillThere(look) : undefined) },
  ...failureRows,
  // Other work there may stand before that of the deletion.
  'back, with work around it': { waiting: cameBack((_, look) => (look.isWorkedOn ? '' : undefined)) },
  // A list that is late shows for some time what is gone.
  back: {
    failed: cameBack((back, look) => `${back} ${stillThere(look)}`),
    stands: {
      says: '20 seconds; at the deadline where a list alone shows it',
      of: ({ isDenied }) => (isDenied ? atDeadline : settles.long),
    },
  },
  'still there': { waiting: look => (look.seen.gone ? undefined : stillThere(look)) },
};

/** The time or the counter of this very work that moved, where it counts. */
function movedIn(look: Sighting, by: Changes['by']): OwnChange | undefined {
  const { before, record } = look;
  const own = before && record && ownChange(by, look, before, record);
  return own && mayCount(look) ? own : undefined;
}

/** Whether a sign counts: the record is not at work, or is at what went on there before the call, where that was accepted. */
function mayCount(look: Sighting): boolean {
  const { before, record, inDoubt } = look;
  return !isAtWork(look) || (!inDoubt && before !== undefined && record !== undefined && isAsBefore(before, record));
}

/** Says which effect of the work such records show, and this one does not. */
function missedBy(look: Sighting, by: Changes['by']): string | undefined {
  const { before, record, work } = look;
  if (!before || !record || ownChange(by, look, before, record)) return undefined;
  if (work.name === 'backup' && before.snapshots.length + snapshotsOf(record).length > 0)
    return 'It shows no new snapshot.';
  const key = ownKey(work, before, record);
  return key && `It shows no new ${key}.`;
}
