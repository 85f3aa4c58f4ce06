import { createHash } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import { inTurn, type Turn } from '../../ground/slices.ts';
import { refusesRead } from '../answers/serviceAnswer.ts';
import { parseBoundedJson } from '../reading/longJson.ts';
import { concealIn } from '../secrets/conceal.ts';
import { type HowToRead, type Packed, packList } from './packedList.ts';

/*
 * The thread that reads long lists: it parses, conceals and understands one answer, and hands it over packed. It keeps
 * nothing, so that nothing is lost with it.
 */

/** An answer to read, with the token that is concealed in it. The bytes are those of both threads. */
export type Order = HowToRead &
  Readonly<{
    nth: number;
    bytes: SharedArrayBuffer;
    size: number;
    token: string;
    turn: Turn;
    /** The digest of the list that the other thread has already. */
    known: string | undefined;
  }>;

/** What came of an order: the list, or why there is none. */
export type ReadResult =
  | Readonly<{ is: 'list'; packed: Packed }>
  | Readonly<{ is: 'known' }>
  | Readonly<{ is: 'refusal' }>
  | Readonly<{ is: 'no record' }>
  | Readonly<{ is: 'too large' }>;

export type ReadReport = ReadResult & Readonly<{ nth: number }>;

/** Max memory that the values of one answer may take, in bytes: an answer of 40 MB takes about 250 MB. */
const maxWeight = 512 * 1024 * 1024;

class TooHeavy extends Error {}

async function read({ bytes, size, token, known, nouns, mapping, pages }: Order): Promise<ReadResult> {
  const answer = Buffer.from(bytes, 0, size);
  const digest = createHash('sha256').update(answer).digest('base64');
  if (digest === known) return { is: 'known' };
  const body = await parseBoundedJson(answer, nouns, weight => {
    if (weight > maxWeight) throw new TooHeavy();
  });
  if (refusesRead(body)) return { is: 'refusal' };
  if (typeof body !== 'object' || body === null || !(await concealIn(body, token))) return { is: 'no record' };
  return { is: 'list', packed: await packList(body, { nouns, mapping, pages }, { size, digest }) };
}

parentPort?.on('message', async (order: Order) => {
  const { nth, turn } = order;
  const reading = await inTurn(turn, () => read(order)).catch((error: unknown): ReadResult => {
    if (error instanceof TooHeavy) return { is: 'too large' };
    throw error;
  });
  const buffers = reading.is === 'list' ? buffersOf(reading.packed) : [];
  parentPort?.postMessage({ nth, ...reading } satisfies ReadReport, buffers);
});

function buffersOf({ blocks, ends, columns }: Packed): ArrayBuffer[] {
  return [...blocks, ends, ...Object.values(columns).map(({ at }) => at)].map(({ buffer }) => buffer);
}
