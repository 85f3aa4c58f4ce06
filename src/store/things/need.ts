import { equals } from '../statementParts.ts';
import { type Kind, readThing, type Thing, thingRow } from './kind.ts';
import { actOn, type Beginning, lockRow, type Need } from './things.ts';

/**
 * Makes the need for another thing: `meet` says what the step notes about it, or, by `undefined`, that it is not as the
 * step needs it. A note is no decision, so it keeps the revision that buttons rest on. `begins` is the thing where there
 * is none yet.
 */
export function needOf<S extends string, B extends object>(
  kind: Kind<S, B>,
  id: string,
  meet: (thing: Thing<S, B>) => Readonly<Partial<B> & { endedAt?: number }> | undefined,
  begins?: Beginning<S, B>,
): Need {
  return async (changes, note, now) => {
    if (begins) await actOn(changes, note, { kind, id, give: thing => (thing ? undefined : begins), now });
    const row = await lockRow(changes, kind, id);
    const thing = row && readThing(kind, row);
    const noted = thing && meet(thing);
    if (!noted) return false;
    const { endedAt, body } = thingRow(kind, { ...thing, ...noted });
    await changes
      .updateTable('things')
      .set({ endedAt, body })
      .where(equals({ kind: kind.name, id }))
      .execute();
    return true;
  };
}
