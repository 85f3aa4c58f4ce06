import type { Report } from '../../api/reading/reports.ts';
import type { Reaches } from '../../operations/proofs.ts';
import { isAsBefore } from './baseline.ts';
import { caveatsOnState } from './caveats.ts';
import { rests, returned } from './goingOn.ts';
import type { Sighting } from './judgement.ts';
import { atDeadline, type Rows } from './rows.ts';
import { newWord, saysOf, untoldResult } from './sentences.ts';
import { settles } from './settles.ts';
import { cameBack, failureRows, reportRows, told, vanished, workRows } from './sharedRows.ts';

/* How a job ends that is to lead its target to a state of some classes. */

type WishedClasses = Reaches['classes'];
type StateOf = (look: Sighting, classes: WishedClasses) => string | undefined;

/** What a row sees of a record that stands so. */
const at =
  (standing: ReturnType<typeof standingOf>, says: StateOf) =>
  (look: Sighting, { classes }: Reaches) =>
    standingOf(classes, look) === standing ? says(look, classes) : undefined;

export const stateRows: Rows<Reaches> = {
  ...vanished,
  ...reportRows,
  ...workRows,
  'own report: done': { proved: told('done', reportIn), caveats: caveatsOnState },
  'as wished, maybe as before': {
    finished: at('former', look => {
      const back = returned(look) ?? (isBack(look) ? undefined : `${stateIn(look)}.`);
      return back && `${back} ${untoldResult}`;
    }),
    stands: settles.long,
  },
  'as wished': {
    proved: at('wished', look => (rests(look.meaning) ? `${stateIn(look)}.` : undefined)),
    caveats: caveatsOnState,
  },
  'as wished, in a new word': {
    proved: at('wished', look => (look.meaning === 'unseen' ? `${stateIn(look, `, ${newWord}`)}.` : undefined)),
    stands: {
      says: '20 seconds; 10 where it says that it is down',
      of: ({ seen }) => (seen.stateClass === 'ok' ? settles.long : 0),
    },
    caveats: caveatsOnState,
  },
  // A start leads to the state in which most records are; a stop leads to one in which some are.
  'unknown word for what was wished': {
    proved: at('unknown', (look, classes) =>
      look.meaning === (classes.some(name => name === 'ok') ? 'usual' : 'resting') ? `${stateIn(look)}.` : undefined,
    ),
  },
  // Where no record ever showed that it is disabled, this is how the service says it.
  'stopped where none is ever disabled': {
    proved: at('down', look => (look.showsWanted ? undefined : `${stateIn(look)}.`)),
    stands: settles.long,
  },
  // That is how the service says that it is stopped, as it was before it was disabled.
  'one word for disabled after another': {
    proved: at('left', look => `${stateIn(look)}.`),
    stands: settles.long,
  },
  ...failureRows,
  'unknown word': {
    finished: at('unknown', look => {
      const remark = rests(look.meaning) ? '' : `, ${newWord}`;
      return `${stateIn(look, remark)}. ${untoldResult}`;
    }),
    stands: {
      says: '5 minutes; at the deadline where other records tell of the word',
      of: ({ meaning }) => (meaning === 'unseen' ? settles.unknown : atDeadline),
    },
  },
  'back where none shows what was wished': {
    finished: cameBack((back, look, { classes }) => (tellsOf(classes, look) ? undefined : `${back} ${untoldResult}`)),
    stands: settles.long,
  },
  back: { failed: returned, stands: settles.long },
  'another state': {
    waiting: at('other', look =>
      look.before?.state === look.seen.state ? `Its state is still ${look.seen.state}.` : `${stateIn(look)}.`,
    ),
  },
};

const isBack = ({ before, record }: Sighting) =>
  before !== undefined && record !== undefined && isAsBefore(before, record);

/**
 * How a record stands that is to reach one of some states: as wished since the call, so as before, or so while that may be the
 * very state to be left, in a word misread; in a word that nobody knows; down in another way than was wished; or otherwise.
 */
function standingOf(classes: WishedClasses, look: Sighting) {
  const { seen, before, inDoubt } = look;
  const { state, stateClass = 'unknown' } = seen;
  if (state === undefined) return 'none';
  const isNew = before !== undefined && !isBack(look);
  if (isWished(classes, seen)) {
    if (isBack(look) && seen.wasBusy === undefined) return 'unchanged';
    // Of a record that was at other work before, nobody knows in which of several states it rested.
    return stateClass !== classes[0] && (!isNew || before.stateClass === 'busy') ? 'former' : 'wished';
  }
  // Whoever brought a record into a word that nobody knows, it does not say that a request in doubt arrived.
  if (stateClass === 'unknown' && isNew && !inDoubt) return 'unknown';
  if (isDown(classes, seen)) return 'down';
  return isLeft(classes, look) ? 'left' : 'other';
}

const isWished = (classes: WishedClasses, { stateClass }: Sighting['seen']) =>
  classes.some(name => name === stateClass);

/** Whether what was wished and what is shown mean a database that is down. Services call it a stop where one is disabled. */
const isDown = (classes: WishedClasses, { stateClass }: Sighting['seen']) =>
  [...classes, stateClass].every(name => name === 'stopped' || name === 'disabled');

/** Whether a record that was to be enabled left one word for a disabled database and came to another one. */
function isLeft(classes: WishedClasses, { before, seen }: Sighting): boolean {
  return (
    [before?.stateClass, seen.stateClass].every(name => name === 'disabled') &&
    classes.length > 1 &&
    !classes.includes('disabled') &&
    before?.state !== seen.state
  );
}

/**
 * Whether a record that came back tells that it did not reach what was wished. A service may show nowhere in its states that a
 * database is disabled, or that one which is well was stopped: then the same word is no failure.
 */
function tellsOf(classes: WishedClasses, look: Sighting): boolean {
  return isBack(look) && (look.showsWanted || classes[0] !== 'disabled');
}

/** What a report says, and the state of its record, where that is shown. */
function reportIn(report: Report, look: Sighting): string {
  return look.seen.state === undefined ? saysOf(report) : `${stateIn(look)}. ${saysOf(report)}`;
}

/** Says which state the record shows, with a remark on it, and which it showed before the call. */
function stateIn({ seen, before }: Sighting, remark = ''): string {
  const was = before?.state !== undefined && before.state !== seen.state ? `; it was ${before.state}` : '';
  return `Its state is ${seen.state}${remark}${was}`;
}
