import { randomOf } from '../../simulate/random.ts';
import type { Dialect } from './dialect.ts';
import type { Base } from './estate.ts';
import { isHidden } from './habitShown.ts';
import type { Service } from './service.ts';

/** What one node of a service shows: its records, as they were at `now`. */
export type Node = Readonly<{ records: ReadonlyMap<string, Base>; tombstones: ReadonlyMap<string, Base>; now: number }>;

const copied = (records: ReadonlyMap<string, Base>): ReadonlyMap<string, Base> =>
  new Map(
    [...records].map(([id, one]) => [
      id,
      {
        ...one,
        snapshots: [...one.snapshots],
        works: [...one.works],
        doneAt: { ...one.doneAt },
        done: { ...one.done },
      },
    ]),
  );

/** The nodes behind the address of a service. Gives the one that answers a read: all but the first are behind. */
export function nodesOf(service: Service, dialect: Dialect, start: number): (isList: boolean, now: number) => Node {
  const { nodes } = dialect.habit ?? {};
  const kept: Node[] = [];
  const keep = (now: number) =>
    kept.push({ records: copied(service.records), tombstones: copied(service.tombstones), now });
  if (nodes) {
    keep(start);
    service.watches((_, at) => keep(at));
  }
  const { next } = randomOf('nodes', String(start));
  let turn = 0;
  return (isList, now) => {
    turn += 1;
    const is = { turns: turn % 2 === 0, chance: next() < 0.5, 'list and record': isList };
    if (!nodes || !is[nodes.by])
      return { records: shownOf(service.records, dialect, now), tombstones: service.tombstones, now };
    const then = now - nodes.behind;
    const { records, tombstones } = kept.findLast(({ now }) => now <= then) ?? kept[0] ?? service;
    return { records, tombstones, now: then };
  };
}

/** The records that are not hidden. */
function shownOf(records: ReadonlyMap<string, Base>, dialect: Dialect, now: number): ReadonlyMap<string, Base> {
  if (!dialect.habit?.hides) return records;
  return new Map([...records].filter(([, one]) => !isHidden(one, dialect, now)));
}
