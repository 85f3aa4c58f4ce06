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
  return { ...ruling, judgement: atLast(withFormerError(ruling.judgement, look), look) };
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
function withFormerError(judgement: Judgement, { seen: { error, formerError }, before }: Sighting): Judgement {
  if (formerError === undefined || error !== before?.error) return judgement;
  const says = `It showed a failure in the meantime: ${asClause(formerError)}. I cannot tell whose it is.`;
  if (judgement.type === 'finished' && !judgement.isInPart) return { ...judgement, by: `${judgement.by} ${says}` };
  return judgement.type === 'waiting' && judgement.atLast !== undefined
    ? { ...judgement, atLast: `${judgement.atLast} ${says}` }
    : judgement;
}

/** Says what is told at the deadline of a job that waits: also what its report says in a word that nobody knows. */
function atLast(judgement: Judgement, look: Sighting): Judgement {
  if (judgement.type !== 'waiting') return judgement;
  const word = judgement.contradiction === undefined ? unknownWord(look) : '';
  const told = judgement.atLast ?? (word === '' ? undefined : word);
  if (told === undefined) return judgement;
  const goesOn = look.isWorkedOn === true || isInOpenWord(look) || judgement.atLast === undefined;
  return { ...judgement, atLast: told, ...(goesOn && { goesOn }) };
}
