/** Lets one piece of work after the other happen to a thing, in the order in which they came. */
export type Turns = <Result>(thing: string, work: () => Promise<Result>) => Promise<Result>;

/** Turns that know of no thing yet. */
export function turns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return (thing, work) => {
    const before = last.get(thing) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.then(
      () => undefined,
      () => undefined,
    );
    last.set(thing, settled);
    void settled.then(() => last.get(thing) === settled && last.delete(thing));
    return mine;
  };
}
