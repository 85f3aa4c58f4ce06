import { inRow } from '../../../ground/wording.ts';
import type { DependentTree, Doubt } from '../../../operations/plans/tree.ts';
import { code, plain } from '../../blocks/limits.ts';

/** Max records that one sentence names. */
const mostNamed = 6;

/** Says what the records do not show of a tree: a sentence of mrkdwn for each kind of doubt. */
export function doubtLines(
  { doubts, nodes }: DependentTree,
  seen: Readonly<{ isCut: boolean; nameOf(id: string): string | undefined }>,
): readonly string[] {
  const inTree = Map.groupBy(nodes.values(), ({ name }) => name);
  const called = (id: string) => {
    const name = nodes.get(id)?.name ?? seen.nameOf(id);
    if (name === undefined) return code(id);
    // Another record of the tree may have the same name.
    const isShared = (inTree.get(name) ?? []).some(other => other.id !== id);
    return isShared ? `${plain(name, 60)} (${code(id)})` : plain(name, 60);
  };
  const some = (ids: readonly string[]) => inRow(ids.map(called), mostNamed);
  const pairs = (type: 'hidden' | 'unclear') =>
    doubts.flatMap(doubt => (doubt.type === type && 'of' in doubt ? [doubt] : []));
  const groups = (type: Doubt['type']) =>
    doubts.flatMap(doubt => (doubt.type === type && 'ids' in doubt ? [doubt.ids] : []));
  const [hidden, unclear] = [pairs('hidden'), pairs('unclear')];
  const is = (many: number) => (many === 1 ? 'is' : 'are');
  return [
    ...(hidden.length > 0
      ? [
          `${some(hidden.map(({ id }) => id))}: named by ${some([...new Set(hidden.map(({ of }) => of))])}, but not shown to you. What still exists of it stays, and then the service refuses what it depends on.`,
        ]
      : []),
    ...(unclear.length > 0
      ? [
          `${some(unclear.map(({ id }) => id))}: the records do not say whether it depends on ${some([...new Set(unclear.map(({ of }) => of))])}. It stays.`,
        ]
      : []),
    ...groups('sourceless').map(
      ids =>
        `${some(ids)}: ${ids.length === 1 ? 'its record shows' : 'their records show'} no source. What depends on this stays, and then the service refuses.`,
    ),
    ...groups('placeless').map(
      ids =>
        `${some(ids)}: ${ids.length === 1 ? 'its record shows' : 'their records show'} no environment. What is on this one stays, and then the service may refuse.`,
    ),
    ...groups('circle').map(ids => `${some(ids)} depend on each other by their records, so the order is a guess.`),
    ...groups('copies').map(
      ids => `${some(ids)} ${is(ids.length)} physical, so ${ids.length === 1 ? 'it stays' : 'they stay'}.`,
    ),
    ...(seen.isCut ? ['The list of databases was cut short, so there may be more.'] : []),
  ];
}
