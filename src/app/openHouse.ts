import type { FieldRule } from '../jobs/approval/policy/fieldRules.ts';
import type { Parts } from '../jobs/parts.ts';
import type { Feature } from '../slack/feature.ts';
import type { House } from '../slack/house.ts';

/** What features add to the work on jobs. */
export type Additions = Parts<'fieldRules' | 'signsIn' | 'heldBy' | 'keeperOf' | 'coveredByRule'>;

/** Binds what the features add to the desk, which is there once the first of it is used. */
export function openHouse<Desk>(
  features: readonly Feature<Desk>[],
  desk: () => Desk,
): Readonly<{ house: House; additions: Additions }> {
  const fieldRules: readonly FieldRule[] = features.flatMap(({ fields }) => fields ?? []);
  /** The first answer that a feature has. */
  const firstOf = async <T>(ask: (feature: Feature<Desk>) => Promise<T | undefined> | undefined) =>
    (await Promise.all(features.map(ask))).find(answer => answer !== undefined);
  return {
    house: {
      commands: features.flatMap(({ commands = [] }) =>
        commands.map(command => ({
          ...command,
          answer: (_, interaction, typed) => command.answer(desk(), interaction, typed),
        })),
      ),
      several: features.flatMap(({ several = [] }) =>
        several.map(one => ({ take: (_, ...asked) => one.take(desk(), ...asked) })),
      ),
      sections: features.flatMap(({ home }) => (home ? { place: home.place, open: () => home.open(desk()) } : [])),
      offers: features.flatMap(({ offers = [] }) => offers),
      async notesOn(team, records) {
        const found = await Promise.all(features.map(feature => feature.notesOn?.(desk(), team, records) ?? []));
        return new Map(found.flatMap(notes => [...notes]));
      },
      usesOfAccount: team => Promise.all(features.flatMap(feature => feature.usesAccount?.(desk(), team) ?? [])),
    },
    additions: {
      fieldRules,
      async signsIn(owner, login) {
        for (const feature of features) await feature.signsIn?.(desk(), owner, login);
      },
      heldBy: team => firstOf(feature => feature.heldBy?.(desk(), team)),
      keeperOf: (team, record) => firstOf(feature => feature.keeperOf?.(desk(), team, record)),
      coveredByRule: (job, seen) => firstOf(feature => feature.coveredByRule?.(desk(), job, seen)),
    },
  };
}
