import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Draw } from './draw.ts';
import type { Work } from './estate.ts';
import type { Told } from './run.ts';
import { isEnd } from './verdicts.ts';

/** A stretch of time after all was asked, in milliseconds. */
type Stretch = Readonly<{ from: number; lasts: number }>;

/**
 * How well Dolly sees the service once all was asked: the looks that fail, for how long a list and a record of its own are
 * answered as they were, and the times at which Dolly is stopped and started anew. In milliseconds.
 */
export type View = Readonly<{
  dropped: readonly Stretch[];
  listLag: number;
  oneLag: number;
  restarts: readonly number[];
}>;

export const clearView: View = { dropped: [], listLag: 0, oneLag: 0, restarts: [] };

const second = 1_000;

/** Draws a poorer view. */
export function drawView(draw: Draw): View {
  const stretch = (): Stretch => ({
    from: draw(0, 4, 12, 30, 75, 200, 500) * second,
    lasts: draw(3, 8, 20, 60) * second,
  });
  return {
    dropped: [stretch(), stretch(), ...draw([], [stretch()])],
    listLag: draw(0, 6, 20) * second,
    oneLag: draw(0, 0, 4, 12) * second,
    restarts: draw([], [draw(2, 9, 33)], [draw(1, 6), draw(15, 50)]).map(seconds => seconds * second),
  };
}

/** Answers as the service does, as far as the view goes. `since` is the time since all was asked, in milliseconds. */
export function seenBy(view: View, since: () => number, service: Middleware): Middleware {
  const kept = new Map<string, { at: number; answer: Response }>();
  return async (request, next) => {
    const at = since();
    const { pathname } = new URL(request.url);
    if (request.method !== 'GET' || !pathname.includes('/database/') || at < 0) return service(request, next);
    if (view.dropped.some(({ from, lasts }) => at >= from && at < from + lasts))
      return Response.json({ error: 'the service is being restarted' }, { status: 503 });
    const lag = pathname.endsWith('/list') ? view.listLag : view.oneLag;
    const before = kept.get(pathname);
    if (before && at - before.at < lag) return before.answer.clone();
    const answer = await service(request, next);
    if (answer.ok) kept.set(pathname, { at, answer: answer.clone() });
    return answer;
  };
}

/** What came of one journey, as far as two views of it are compared. */
type Outcome = Pick<Told, 'said' | 'visible'> & Readonly<{ work: Pick<Work, 'acceptedAt'> | undefined }>;

const order = ['Unconfirmed', 'Finished', 'Confirmed', 'Failed'] as const;
const rankOf = (word: string) =>
  Math.min(
    2,
    order.findIndex(one => word.startsWith(one)),
  );
const endOf = ({ said }: Pick<Told, 'said'>) => said.find(({ word }) => isEnd(word))?.word ?? '';

/**
 * How the judgement of a poorer view is more than that of a clear one: `opposite`, or `stronger` where all that the clear view
 * saw still stood at the end, so that the poorer one missed nothing. `undefined` where it is the same, or weaker.
 */
export function excessOf(clear: Outcome, poor: Pick<Told, 'said'>): string | undefined {
  const [known, told] = [endOf(clear), endOf(poor)];
  const [rank, other] = [rankOf(known), rankOf(told)];
  if (rank < 0 || other < 0) return undefined;
  if (rank === 2 && other === 2) return known === told ? undefined : `opposite: ${known}, then ${told}`;
  return other > rank && stands(clear) ? `stronger: ${known}, then ${told}` : undefined;
}

/** Whether a record showed nothing since the request that it does not show at the end. */
function stands({ visible, work }: Outcome): boolean {
  const since = visible.filter(({ at }) => at >= (work?.acceptedAt ?? 0));
  const last = new Map(since.map(one => [one.id, JSON.stringify(one.record)]));
  return since.every(({ id, record }) => JSON.stringify(record) === last.get(id));
}
