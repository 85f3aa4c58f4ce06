import { features } from '../src/app/features.ts';
import { openHouse } from '../src/app/openHouse.ts';
import { leaseFeature } from '../src/features/leases/feature.ts';
import type { Judge, Parts } from '../src/jobs/parts.ts';
import type { House } from '../src/slack/house.ts';

/** Dolly’s own commands, in the order of the help. */
export const ownCommands = features.flatMap(({ commands }) => commands?.own ?? []);

/** The slash commands and Dolly’s own ones. */
export const lexicon = { names: { db: '/db', clone: '/clone', restore: '/restore' }, house: { commands: ownCommands } };

/** The buttons that features have for jobs. */
export const offers = features.flatMap(({ offers: own = [] }) => own);

/** A house without features. */
export const emptyHouse: House = openHouse<void>([], () => undefined).house;

/** What the features add to the work on jobs, over some parts. */
export function additionsTo(
  parts: () => Judge & Parts<'things'>,
): Parts<'fieldRules' | 'signsIn' | 'heldBy' | 'keepersOf' | 'standingOf' | 'reportOn' | 'coveredByRule'> {
  return {
    fieldRules: [leaseFeature.fields],
    signsIn: async () => undefined,
    heldBy: async () => undefined,
    standingOf: async () => undefined,
    keepersOf: (team, records) => leaseFeature.about.keepersOf(parts(), team, records),
    reportOn: async () => undefined,
    coveredByRule: (job, seen) => leaseFeature.permission.coveredByRule(parts(), job, seen),
  };
}
