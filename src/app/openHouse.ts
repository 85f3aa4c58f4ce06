import type { FieldRule } from '../jobs/approval/policy/fieldRules.ts';
import type { Parts } from '../jobs/parts.ts';
import { strongest } from '../jobs/standing.ts';
import type { Feature } from '../slack/feature.ts';
import type { House } from '../slack/house.ts';

/** What features add to the work on jobs. */
export type Additions = Parts<
  'fieldRules' | 'signsIn' | 'heldBy' | 'keepersOf' | 'standingOf' | 'reportOn' | 'coveredByRule'
>;

/** Binds what the features add to the desk, which is there once the first of it is used. */
export function openHouse<Desk>(
  features: readonly Feature<Desk>[],
  desk: () => Desk,
): Readonly<{ house: House; additions: Additions }> {
  const fieldRules: readonly FieldRule[] = features.flatMap(({ fields }) => fields ?? []);
  /** The first answer that a feature has. */
  const firstOf = async <T>(ask: (feature: Feature<Desk>) => Promise<T | undefined> | undefined) =>
    (await Promise.all(features.map(ask))).find(answer => answer !== undefined);
  /** What all features know of some records, by record. */
  const fromAll = async <T>(ask: (feature: Feature<Desk>) => Promise<ReadonlyMap<string, T>> | undefined) => {
    const found = await Promise.all(features.map(feature => ask(feature) ?? []));
    return new Map(found.flatMap(known => [...known]));
  };
  return {
    house: {
      commands: features.flatMap(({ commands }) =>
        (commands?.own ?? []).map(command => ({
          ...command,
          answer: (_, interaction, typed) => command.answer(desk(), interaction, typed),
        })),
      ),
      takeSeveral: (_, ...asked) => firstOf(({ commands }) => commands?.several?.(desk(), ...asked)),
      meantBy: (_, ...asked) => firstOf(({ commands }) => commands?.meant?.(desk(), ...asked)),
      sections: features.flatMap(({ home }) => (home ? { place: home.place, open: () => home.open(desk()) } : [])),
      offers: features.flatMap(({ offers = [] }) => offers),
      notesOn: (team, records) => fromAll(feature => feature.about?.notesOn?.(desk(), team, records)),
      usesOfAccount: team =>
        Promise.all(features.flatMap(feature => feature.signIn?.usesAccount?.(desk(), team) ?? [])),
    },
    additions: {
      fieldRules,
      async signsIn(owner, login) {
        for (const feature of features) await feature.signIn?.begins?.(desk(), owner, login);
      },
      heldBy: team => firstOf(feature => feature.permission?.heldBy?.(desk(), team)),
      keepersOf: (team, records) => fromAll(feature => feature.about?.keepersOf?.(desk(), team, records)),
      async standingOf(news) {
        const all = await Promise.all(features.map(feature => feature.about?.standingOf?.(desk(), news)));
        return strongest(all.filter(one => one !== undefined));
      },
      reportOn: due => firstOf(feature => feature.about?.reportOn?.(desk(), due)),
      coveredByRule: (job, seen) => firstOf(feature => feature.permission?.coveredByRule?.(desk(), job, seen)),
    },
  };
}
