import { asClause, capital } from '../../ground/wording.ts';
import type { Proof } from '../../operations/proofs.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import { hasStood } from './goingOn.ts';
import { type Judgement, type Sighting, waiting } from './judgement.ts';
import type { OwnChange } from './ownSigns.ts';
import { settles } from './settles.ts';

/*
 * How a job ended is read from rows, the first of which that sees something decides. A row says what it sees, what that means,
 * what speaks against it, and for how long it must stand. Each has a name, by which the audit trail and people know it.
 */

/** What a row sees: a sentence on it, and before a caveat, and the time or the counter that moved, where it is one. */
type SeenByRow = Pick<OwnChange, 'by'> & Partial<OwnChange> & Readonly<{ withCaveat?: string }>;
type Sees<P extends Proof> = (look: Sighting, proof: P) => SeenByRow | string | undefined;

/** Stands for a time that never comes: what must stand so long is told at the deadline at the soonest. */
export const atDeadline = Number.POSITIVE_INFINITY;

/**
 * What may speak against it that something is of the very job that is judged, in a sentence: then nobody can tell whose it is,
 * once the record has shown the same for `stands` milliseconds, 20 seconds where nothing is said.
 */
type Caveat = (look: Sighting, sees: SeenByRow) => string | Readonly<{ by: string; stands: number }> | undefined;
/** The caveats by their names; the first that speaks is told. */
export type Caveats = Readonly<Record<string, Caveat>>;

/** What it means that a row sees something; `waiting` says what is in the way of an end, '' where that is plain. */
export const meanings = ['proved', 'failed', 'finished', 'inPart', 'waiting'] as const;
type Meaning = (typeof meanings)[number];

/**
 * For how long the record must have shown the same: milliseconds, or what that hangs on. Each end has to stand besides
 * (standingEnd.ts).
 */
type Stands<P extends Proof> = number | Readonly<{ says: string; of: (look: Sighting, proof: P) => number }>;

/** One of the meanings, by what it sees. */
export type Row<P extends Proof = Proof> = Readonly<Partial<Record<Meaning, Sees<P>>>> &
  Readonly<{
    stands?: Stands<P>;
    /** With one of these the job is finished, and nobody says how: the row has seen something, so none below it is asked. */
    caveats?: Caveats;
  }>;
/** The rows by their names, in the order in which they are asked. */
export type Rows<P extends Proof = Proof> = Readonly<Record<string, Row<P>>>;

type Basis = NonNullable<Evidence['basis']>;

/** What an end rests on, as a sentence: the row, and the caveat about it. */
export const writeBasis = ({ row, caveat }: Basis) => `${capital(caveat === undefined ? row : `${row}; ${caveat}`)}.`;

/** What a look comes to: the judgement, and what it rests on, where a row decided. */
export type Ruling = Readonly<{ judgement: Judgement; basis?: Basis }>;

/** Judges a look by the first of the rows that sees something. */
export function judgeBy<P extends Proof>(rows: Rows<P>, proof: P, look: Sighting): Ruling {
  for (const [name, row] of Object.entries(rows))
    for (const meaning of meanings) {
      const seen = row[meaning]?.(look, proof);
      if (seen === undefined) continue;
      const sees = typeof seen === 'string' ? { by: seen } : seen;
      const caveat = caveatOn(row.caveats, look, sees);
      const { stands = 0 } = row;
      const span = typeof stands === 'number' ? stands : stands.of(look, proof);
      const judgement = caveat ? caveat.judgement : meaningOfError(meaning, sees, hasStood(look.seen, span));
      // They are told with an end, and most looks show none.
      const others = judgement.type !== 'waiting' || look.isLast ? seenBelow(rows, proof, look, name) : [];
      return { judgement, basis: { row: name, ...(caveat && { caveat: caveat.name }), others } };
    }
  return { judgement: waiting };
}

/** The names of the rows below the one that decided that see an end, too: the first one counts. */
function seenBelow<P extends Proof>(rows: Rows<P>, proof: P, look: Sighting, name: string): readonly string[] {
  const all = Object.entries(rows);
  const below = all.slice(all.findIndex(([row]) => row === name) + 1);
  const ends = meanings.filter(meaning => meaning !== 'waiting');
  return below.flatMap(([row, one]) => (ends.some(meaning => one[meaning]?.(look, proof)) ? [row] : []));
}

function caveatOn(caveats: Caveats = {}, look: Sighting, sees: SeenByRow) {
  for (const [name, says] of Object.entries(caveats)) {
    const against = says(look, sees);
    if (against === undefined) continue;
    const { by, stands } = typeof against === 'string' ? { by: against, stands: settles.long } : against;
    const told = by === '' ? sees.by : `${asClause(sees.withCaveat ?? sees.by)}. ${by}`;
    return { name, judgement: finished(told, hasStood(look.seen, stands)) };
  }
  return undefined;
}

function meaningOfError(meaning: Meaning, { by, sign }: SeenByRow, stood: boolean): Judgement {
  switch (meaning) {
    case 'proved':
      return stood ? { type: 'proved', by, ...(sign === undefined ? {} : { sign }) } : waiting;
    case 'failed':
      return stood ? { type: 'failed', reason: by } : { type: 'waiting', contradiction: by };
    case 'inPart':
      return stood ? { type: 'finished', by, isInPart: true } : finished(by, stood);
    case 'finished':
      return finished(by, stood);
    case 'waiting':
      return by === '' ? waiting : { type: 'waiting', contradiction: by };
  }
}

const finished = (by: string, stood: boolean): Judgement =>
  stood ? { type: 'finished', by } : { type: 'waiting', atLast: by };
