import { asClause } from '../../ground/wording.ts';
import type { Appears, Proof } from '../../operations/proofs.ts';
import { isInOpenWord } from './goingOn.ts';
import type { Judgement, Sighting } from './judgement.ts';
import { newRecordRows } from './newRecords/newRecordRows.ts';
import { judgeBy, type Ruling } from './rows.ts';
import { unknownWord } from './sentences.ts';
import { stateRows } from './stateRows.ts';
import { changeRows, conversionRows, deletionRows } from './targetRows.ts';

/** The rows by which each kind of proof is judged. */
export const rowsOf = {
  appears: newRecordRows,
  changes: changeRows,
  reaches: stateRows,
  converts: conversionRows,
  gone: deletionRows,
} as const;

/** Judges a job by its target's own record. */
export function judgeTarget(proof: Exclude<Proof, Appears>, look: Sighting): Ruling {
  const ruling = judgeByRows(proof, look);
  return { ...ruling, verdict: atLast(withFormerError(ruling.verdict, look), look) };
}

function judgeByRows(proof: Exclude<Proof, Appears>, look: Sighting): Ruling {
  switch (proof.type) {
    case 'gone':
      return judgeBy(deletionRows, proof, look);
    case 'reaches':
      return judgeBy(stateRows, proof, look);
    case 'changes':
      return judgeBy(changeRows, proof, look);
    case 'converts':
      return judgeBy(conversionRows, proof, look);
  }
}

/** Says of an error that is gone again that it was there: nobody knows whose it was. */
function withFormerError(verdict: Judgement, { seen: { error, formerError }, before }: Sighting): Judgement {
  if (formerError === undefined || error !== before?.error) return verdict;
  const says = `It showed a failure meanwhile: ${asClause(formerError)}. I cannot tell whose it is.`;
  if (verdict.type === 'finished' && !verdict.isInPart) return { ...verdict, by: `${verdict.by} ${says}` };
  return verdict.type === 'waiting' && verdict.atLast !== undefined
    ? { ...verdict, atLast: `${verdict.atLast} ${says}` }
    : verdict;
}

/** Says what is told at the deadline of a job that waits: also what its report says in a word that nobody knows. */
function atLast(verdict: Judgement, look: Sighting): Judgement {
  if (verdict.type !== 'waiting') return verdict;
  const word = verdict.contradiction === undefined ? unknownWord(look) : '';
  const told = verdict.atLast ?? (word === '' ? undefined : word);
  if (told === undefined) return verdict;
  const goesOn = look.isWorkedOn === true || isInOpenWord(look) || verdict.atLast === undefined;
  return { ...verdict, atLast: told, ...(goesOn && { goesOn }) };
}
