import { keysOf } from '../../ground/keys.ts';
import { type AlertKind, alertKinds, type Incident, type TroubleKind } from '../../store/tables/alerts/alertRows.ts';

/** What is said and done about a kind of trouble. */
type KindFacts = Readonly<{
  family: Incident['family'];
  /** Whether people are called for it at any hour; the others wait for the morning. */
  rings: boolean;
  heading: string;
  /** Many of them, in a row of what a channel hears of. */
  listed: string;
  /** A record in it, after its name or a number of them. */
  short: string;
  /** The verb between them in a sentence, for one; `short` has it where this is absent. */
  be?: 'is' | 'was';
  /** A record of which it is over, after its name. */
  over: string;
}>;

/** All kinds of trouble, in the order in which a message has them. */
export const troubles: Readonly<Record<TroubleKind, KindFacts>> = {
  away: {
    ...{ family: 'failures', rings: true, heading: 'Service away', listed: 'a service that I cannot read' },
    ...{ short: 'could not be read', over: 'can be read again' },
  },
  signIn: {
    ...{ family: 'failures', rings: false, heading: 'Sign-in missing', listed: 'a missing sign-in' },
    ...{ short: 'without a sign-in', be: 'is', over: 'can be used again' },
  },
  failed: {
    ...{ family: 'failures', rings: true, heading: 'Failed', listed: 'failed databases and clones' },
    ...{ short: 'failed', over: 'is no longer failed' },
  },
  vanished: {
    ...{ family: 'failures', rings: true, heading: 'Vanished', listed: 'vanished databases and clones' },
    ...{ short: 'vanished without a job of mine', over: 'is there again' },
  },
  lost: {
    ...{ family: 'failures', rings: true, heading: 'Backups gone', listed: 'lost backups' },
    ...{ short: 'lost all backups', over: 'has a backup again' },
  },
  runs: {
    ...{
      family: 'failures',
      rings: true,
      heading: 'Scheduled runs',
      listed: 'scheduled runs that fail or are skipped',
    },
    ...{ short: 'in trouble with scheduled runs', be: 'is', over: 'is run by its schedule again' },
  },
  slow: {
    ...{ family: 'failures', rings: false, heading: 'Job takes too long', listed: 'jobs that take too long' },
    ...{ short: 'busy with a job for too long', be: 'is', over: 'is no longer busy for too long' },
  },
  disabled: {
    ...{ family: 'failures', rings: false, heading: 'Disabled', listed: 'disabled databases and environments' },
    ...{ short: 'disabled', be: 'is', over: 'is enabled again' },
  },
  never: {
    ...{ family: 'backups', rings: false, heading: 'Never backed up', listed: 'databases that were never backed up' },
    ...{ short: 'never backed up', be: 'was', over: 'has a backup now' },
  },
  late: {
    ...{ family: 'backups', rings: false, heading: 'Backup late', listed: 'late backups' },
    ...{ short: 'late with backups', be: 'is', over: 'is backed up again' },
  },
  lease: {
    ...{ family: 'leases', rings: false, heading: 'Lease at its end', listed: 'leases at their end' },
    ...{ short: 'at the end of the lease', be: 'is', over: 'is no longer at the end of its lease' },
  },
};

/** The kinds in the order of a message. */
export const kindOrder = keysOf(troubles);

/** Says kinds of alerts in a row. */
export function kindList(kinds: readonly AlertKind[]): string {
  return alertKinds
    .filter(kind => kinds.includes(kind))
    .map(kind => troubles[kind].listed)
    .join(', ');
}

/** The place of what is true of the service as a whole, and that of a sign-in with which Dolly looks. */
export const servicePlace = 'service';
export const signInPlace = 'sign-in';

/** Whether maintenance of an environment excuses a kind of trouble. */
export function isExcusable(kind: TroubleKind): boolean {
  return kind === 'failed' || kind === 'late' || kind === 'disabled' || kind === 'runs';
}
