import { put } from '../api/call.ts';
import type { WriteOperation } from './operation.ts';
import type { Phrases } from './phrases.ts';
import { type Reaches, reaches } from './proofs.ts';

type StateChange = Pick<WriteOperation, 'title' | 'phrases' | 'call' | 'pointlessIn' | 'proof'>;

/** The parts of an operation that only brings its record into a state: it is pointless where the record is in the first. */
export function bringsTo(classes: Reaches['classes'], title: string, path: string, phrases: Phrases): StateChange {
  const call = ({ text }: Parameters<WriteOperation['call']>[0]) => put(path, text);
  return { title: () => title, phrases, call, pointlessIn: classes.slice(0, 1), proof: reaches(classes) };
}
