import type { Changes, Converts, Gone } from '../../operations/proofs.ts';
import { stateSpeaksOf } from '../../operations/work.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import { isAsBefore } from './baseline.ts';
import { caveatsBeside, caveatsOnSign, caveatsOnSnapshot } from './caveats.ts';
import { isPassing, returned } from './goingOn.ts';
import type { MadeSnapshot, Sighting } from './judgement.ts';
import { type OwnChange, ownChange, ownKey } from './ownSigns.ts';
import { atDeadline, type Rows } from './rows.ts';
import { saysOf, seenName, untoldResult } from './sentences.ts';
import { settles } from './settles.ts';
import {
  cameBack,
  failedState,
  failureRows,
  isAtWork,
  reportEnds,
  reportRows,
  told,
  untilItsTurn,
  vanished,
  vanishes,
  workRows,
} from './sharedRows.ts';
import { isNamed } from './whose.ts';

/* How a job that changes a record, or deletes it, is judged by that record, but for one that leads it to a state. */

/** How a job ends that changes its target, such as a restore. */
export const changeRows: Rows<Changes> = {
  ...vanished,
  ...reportRows,
  ...failedState,
  'new snapshot: failed': {
    failed: ofSnapshot('failed', ({ id, shown }) => shown?.error ?? `${id} is ${shown?.state?.word}.`),
  },
  'new snapshot: in part': {
    inPart: ofSnapshot('partial', ({ id, shown }) => `There is a new snapshot, ${id}, which is ${shown?.state?.word}.`),
  },
  'new snapshot: being made': { waiting: ofSnapshot('busy', () => '') },
  'new snapshot: there': {
    proved: ofSnapshot('done', ({ id }) => `There is a new snapshot, ${id}.`),
    caveats: caveatsOnSnapshot,
  },
  'own report: done': {
    proved: told('done', (report, look) => (isAtWork(look) ? undefined : saysOf(report))),
    caveats: {
      'a nameless report, and no mark of such work': look => {
        const by = look.report && isNamed(look.report, look.work) ? undefined : missedBy(look, 'work');
        return by && { by, stands: untilItsTurn(look) };
      },
    },
  },
  'time or counter of this work': {
    proved: (look, { by }) => {
      const own = look.ofOther || look.report?.outcome === 'done' ? undefined : movedIn(look, by);
      return own && { ...own, by: `${returned(look) ?? ''} ${own.by}`.trim() };
    },
    caveats: caveatsOnSign,
  },
  ...workRows,
  ...failureRows,
  'new snapshot: nobody knows whose': {
    finished: look => look.ofOther && `${returned(look) ?? ''} ${look.ofOther.says}`.trim(),
    stands: {
      says: '20 seconds once this job may have made it; else at the deadline',
      of: (look, { makes }) => (look.ofOther?.mayBeOurs || (makes && returned(look)) ? settles.long : atDeadline),
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
    finished: cameBack((back, _, { orReturns }) => (orReturns ? `${back} ${untoldResult}` : undefined)),
  },
};

const stillVirtual = 'Its record still says that it is virtual.';
const isVirtual = ({ record }: Sighting) => record?.isPhysical === false;

/** How a conversion ends. */
export const conversionRows: Rows<Converts> = {
  'not among the clones': {
    finished: vanishes(name => `${name} is no longer among the clones under this identifier. ${untoldResult}`),
  },
  ...reportRows,
  ...failedState,
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
  ...failedState,
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
  return own && (mayCount(look) || (!look.inDoubt && isOver(look, own))) ? own : undefined;
}

/** Whether a sign counts: the record is not at work, or is at what went on there before the call, where that was accepted. */
function mayCount(look: Sighting): boolean {
  const { before, record, inDoubt } = look;
  return !isAtWork(look) || (!inDoubt && before !== undefined && record !== undefined && isAsBefore(before, record));
}

/** Whether a time says that this work is over, though the record is at work: one that came with that may be its beginning. */
function isOver({ seen, work, ahead }: Sighting, { at: over }: OwnChange): boolean {
  if (over === undefined || seen.state === undefined) return false;
  const at = over - ahead;
  const speaks = stateSpeaksOf(seen.state, work);
  return speaks === 'no' || (speaks === 'open' && at > seen.since + settles.soon && seen.seenAt - at >= settles.long);
}

/** What a row sees of the job's new snapshot that stands so, where its database is neither at work nor has failed. */
function ofSnapshot(outcome: MadeSnapshot['outcome'], says: (made: MadeSnapshot) => string) {
  return ({ made, seen, meaning }: Sighting) =>
    made?.outcome === outcome && seen.stateClass !== 'failed' && meaning !== 'passing' ? says(made) : undefined;
}

/** Says which effect of the work such records show, and this one does not. */
function missedBy(look: Sighting, by: Changes['by']): string | undefined {
  const { before, record, work } = look;
  if (!before || !record || look.ofOther) return undefined;
  if (ownChange(by, look, before, record)) return undefined;
  if (work.name === 'backup' && before.snapshots.length + snapshotsOf(record).length > 0)
    return 'It shows no new snapshot.';
  const key = ownKey(work, before, record);
  return key && `It shows no new ${key}.`;
}
