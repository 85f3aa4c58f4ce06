import type { Clock } from './clock.ts';
import type { Effects } from './engine.ts';
import { errorResult, Refusal, successResult } from './refusal.ts';

/** The kinds of provoked answers that differ from the success envelope. */
type AnswerKind = 'refuse' | 'soft' | 'busy' | 'crash' | 'hang' | 'html' | 'huge' | 'torn';

type Provocation = {
  word: string;
  /** Matches the word, and no longer word that contains it: `exchange` shall not hang, and `software` is not soft. */
  pattern: RegExp;
  /** The effect in words, for the documentation. */
  meaning: string;
  /** Whether the request is carried out. */
  begins: boolean;
  effects?: Partial<Effects>;
  answer?: AnswerKind;
};

/** Failures that a person can see by typing a word in a name or a path. */
export const provocations = [
  {
    word: 'fail',
    pattern: /fail/i,
    begins: true,
    effects: { fault: true },
    meaning: 'accepted; the job fails in the background, the record stands in FAILED with an error text of its vendor',
  },
  {
    word: 'slow',
    pattern: /slow/i,
    begins: true,
    effects: { pace: 10 },
    meaning: 'accepted; the job takes ten times as long',
  },
  {
    word: 'stuck',
    pattern: /stuck/i,
    begins: true,
    effects: { pace: Number.POSITIVE_INFINITY },
    meaning: 'accepted; the job never ends (a clone stays in CREATING)',
  },
  {
    word: 'vanish',
    pattern: /vanish/i,
    begins: false,
    meaning: 'accepted, and nothing ever happens: no record appears or changes',
  },
  { word: 'refuse', pattern: /refuse/i, begins: false, answer: 'refuse', meaning: '400, nothing happens' },
  {
    word: 'soft',
    pattern: /soft(?!ware)/i,
    begins: false,
    answer: 'soft',
    meaning: 'HTTP 200 with an error object, nothing happens',
  },
  {
    word: 'busy',
    pattern: /busy/i,
    begins: false,
    answer: 'busy',
    meaning: '503 with Retry-After: 30, nothing happens',
  },
  { word: 'crash', pattern: /crash/i, begins: true, answer: 'crash', meaning: 'HTTP 500, although the job goes on' },
  {
    word: 'hang',
    pattern: /(?<!c)hang/i,
    begins: true,
    answer: 'hang',
    meaning: 'accepted; the answer comes after 60 seconds',
  },
  {
    word: 'html',
    pattern: /html/i,
    begins: true,
    answer: 'html',
    meaning: 'accepted; the answer is an HTML page with HTTP 200',
  },
  { word: 'huge', pattern: /huge/i, begins: true, answer: 'huge', meaning: 'accepted; the answer is 50 MB of JSON' },
  {
    word: 'torn',
    pattern: /torn/i,
    begins: true,
    answer: 'torn',
    meaning: 'accepted; the connection breaks in the middle of the answer',
  },
] as const satisfies readonly Provocation[];

/** The effects of all provoking words together. */
export type Provoked = { begins: boolean; effects: Effects; answer: AnswerKind | undefined };

/** Looks for the words of {@link provocations}; the first word decides on the answer where several do. */
export function provokedBy(texts: readonly string[]): Provoked {
  const found: readonly Provocation[] = provocations.filter(({ pattern }) => texts.some(text => pattern.test(text)));
  return {
    begins: found.every(({ begins }) => begins),
    effects: Object.assign({ pace: 1, fault: false }, ...found.map(({ effects }) => effects)),
    answer: found.find(({ answer }) => answer !== undefined)?.answer,
  };
}

const hangMs = 60_000;
const hugeBytes = 50 * 1024 * 1024;
const page =
  '<!doctype html><html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';

type AnswerContext = { clock: Clock; signal: AbortSignal; usual: unknown };

const answers: Record<AnswerKind, (context: AnswerContext) => Response | Promise<Response>> = {
  refuse() {
    throw new Refusal('INVALID_REQUEST', 'refused, as the word “refuse” asks');
  },
  busy() {
    throw new Refusal('BUSY', 'the service is busy, as the word “busy” asks');
  },
  soft: () => Response.json(errorResult('INTERNAL_ERROR', 'not carried out, as the word “soft” asks')),
  crash: () => Response.json(errorResult('INTERNAL_ERROR', 'java.lang.NullPointerException'), { status: 500 }),
  async hang({ clock, signal, usual }) {
    await clock.wait(hangMs, signal);
    return Response.json(usual);
  },
  html: () => new Response(page, { headers: { 'content-type': 'text/html; charset=utf-8' } }),
  huge: () => new Response(hugeBody(), { headers: { 'content-type': 'application/json' } }),
  torn: () =>
    new Response(tornBody(), {
      // More is announced than sent, and the connection closes after it: half an answer is all that arrives.
      headers: { 'content-type': 'application/json', 'content-length': '62', connection: 'close' },
    }),
};

/** The answer to a write: `usual` (the success envelope), or what was provoked. Throws Refusal. */
export function provokedAnswer(
  { answer }: Provoked,
  context: { clock: Clock; signal: AbortSignal; usual?: unknown },
): Response | Promise<Response> {
  const usual = context.usual ?? successResult;
  return answer === undefined ? Response.json(usual) : answers[answer]({ ...context, usual });
}

/** 50 MB of valid JSON, made as it is read: the service itself stays small. */
function hugeBody(): ReadableStream<Uint8Array> {
  const text = new TextEncoder();
  const filler = text.encode('x'.repeat(1024 * 1024));
  let left = hugeBytes;
  return new ReadableStream({
    start(controller) {
      controller.enqueue(text.encode('{"objectType":"SUCCESS_RESULT","status":"SUCCESS","object":null,"log":"'));
    },
    pull(controller) {
      if (left > 0) {
        controller.enqueue(filler);
        left -= filler.length;
        return;
      }
      controller.enqueue(text.encode('"}'));
      controller.close();
    },
  });
}

function tornBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"objectType":"SUCCESS_'));
      controller.close();
    },
  });
}
