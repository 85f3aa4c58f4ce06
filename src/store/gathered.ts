import { StoreTrouble } from '../ground/failure.ts';

/** Max items of one write: others wait for it. */
const maxItems = 20;

/**
 * Gathers items to write. The first one is written at once; those that come while a write is under way go together into
 * the next one, so the more there is to write, the fewer the writes are. If a write of several items fails by a fault of
 * one of them, each is written alone. The result of an item is the one in its place among those that `write` gives.
 */
export function gathered<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result | undefined> {
  const waiting: { item: Item; promised: PromiseWithResolvers<Result | undefined> }[] = [];
  let isWriting = false;
  const writeSome = async (some: typeof waiting): Promise<void> => {
    try {
      const results = await write(some.map(({ item }) => item));
      for (const [index, { promised }] of some.entries()) promised.resolve(results[index]);
    } catch (error) {
      if (some.length > 1 && !(error instanceof StoreTrouble)) for (const one of some) await writeSome([one]);
      else for (const { promised } of some) promised.reject(error);
    }
  };
  const writeAll = async () => {
    isWriting = true;
    while (waiting.length > 0) await writeSome(waiting.splice(0, maxItems));
    isWriting = false;
  };
  return item => {
    const promised = Promise.withResolvers<Result | undefined>();
    waiting.push({ item, promised });
    if (!isWriting) void writeAll();
    return promised.promise;
  };
}
