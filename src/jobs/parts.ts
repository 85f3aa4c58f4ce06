import type { Logger } from 'pino';
import type { Service } from '../api/connection/serviceClient.ts';
import type { Clock } from '../ground/clock.ts';
import type { Meter } from '../ground/meter.ts';
import type { ServiceAccount } from '../records/accountSignIn.ts';
import type { Records } from '../records/records.ts';
import type { Marks } from '../records/sameRecord.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import type { JobIn } from '../store/jobs/rows/job.ts';
import type { Alerts } from '../store/tables/alerts/alerts.ts';
import type { Sights } from '../store/tables/alerts/sights.ts';
import type { Audit } from '../store/tables/audit/audit.ts';
import type { Credentials } from '../store/tables/credentials.ts';
import type { Outbox } from '../store/tables/outbox.ts';
import type { RequiredFields } from '../store/tables/requiredFields.ts';
import type { StateAnswers } from '../store/tables/stateAnswers.ts';
import type { Things } from '../store/things/things.ts';
import type { Owner } from '../store/vault.ts';
import type { Inspection } from './approval/facts/inspection.ts';
import type { People } from './approval/people/people.ts';
import type { FieldRule } from './approval/policy/fieldRules.ts';
import type { Policy } from './approval/policy/rules.ts';
import type { Vocabulary } from './evidence/words/stateVocabulary.ts';
import type { DueReport, MadeReport } from './report.ts';
import type { BadNews, KnownNews } from './standing.ts';

/** What the store keeps. */
type OfStore = Readonly<{
  jobs: Jobs;
  audit: Audit;
  /** People’s sign-ins, and that of the service account, which signs in when it is asked for. */
  credentials: Credentials;
  /** The durable things of all features. */
  things: Things;
  outbox: Outbox;
  alerts: Alerts;
  sights: Sights;
}>;

/** Who people are, and what they may do. */
type Who = Readonly<{
  people: People;
  policy: Policy;
  /** The channel of a team’s cards for approvers; without one, the channel of the request has the buttons. */
  approvalChannel(team: string): string | undefined;
  /** The service account; `undefined` where none is configured. */
  account: ServiceAccount | undefined;
  /** Whether the app was uninstalled for a team: nobody there can be told of anything, so nothing new is done. */
  isUninstalled(team: string): Promise<boolean>;
}>;

/** The service, its records, and what was learned of it. */
type OfService = Readonly<{
  service: Service;
  records: Records;
  /** The meanings of the service's state words, as far as they were learned. */
  vocabulary: Vocabulary;
  /** What people said that state words mean. */
  stateAnswers: StateAnswers;
  /** The fields that the service requires, as far as its refusals taught them. */
  requiredFields: RequiredFields;
}>;

/** The time, and where operators read what happened. */
type OfProcess = Readonly<{
  clock: Clock;
  log: Logger;
  meter: Meter;
}>;

/**
 * A person who keeps a record, and what tells that record from others that have its identifier. `job` is the one that made
 * it, where that is known: whoever keeps another one may have begun to by a word of their own.
 */
export type Keeper = Readonly<Marks & { person: string; job: string | null }>;

/** What features know that decides on jobs. The work on jobs knows no feature by name. */
type Added = Readonly<{
  /** What the policy says about the fields of a role. */
  fieldRules: readonly FieldRule[];
  /** Tells that a person signs in as this user, before anything runs with the new sign-in. */
  signsIn(owner: Owner, login: string): Promise<void>;
  /** Says why nothing is to be written by itself in a team at the moment; `undefined` where it may. */
  heldBy(team: string): Promise<string | undefined>;
  /** Who keeps some records, such as the person whose lease a clone has, and what tells each from others. */
  keepersOf(team: string, records: readonly string[]): Promise<ReadonlyMap<string, Keeper>>;
  /** How bad news stands in the channel where it is to be told; `undefined` where it is news. */
  standingOf(news: BadNews): Promise<KnownNews | undefined>;
  /** Makes a report by the calendar; `undefined` where nothing makes reports. @throws {Failure} `signed-out` */
  reportOn(due: DueReport): Promise<MadeReport | undefined>;
  /** What a rule of the policy covers now that approved a job by itself; `undefined` where it covers it no more. */
  coveredByRule(job: JobIn<'approved'>, seen: Partial<Inspection>): Promise<readonly unknown[] | undefined>;
}>;

/** The groups of what the work on jobs may touch. */
export type PartGroup = OfStore | Who | OfService | OfProcess | Added;

/** The names of all that stands in some groups. */
export type NamesIn<Group> = Group extends unknown ? keyof Group & string : never;

/** Those members of some groups that are named: what a function may touch. */
export type Members<Group, Name extends string> = Readonly<{
  [One in Name]: Group extends Readonly<Record<One, infer Member>> ? Member : never;
}>;

/** The parts of Dolly, among those for the work on jobs, that a function may touch. */
export type Parts<Name extends NamesIn<PartGroup>> = Members<PartGroup, Name>;

/** Judges requests: by the policy, and by who people are. */
export type Judge = Parts<'policy' | 'people'>;

/** Moves jobs from one state to the next. */
export type Mover = Parts<'jobs' | 'credentials' | 'clock'>;

/** Writes to the audit trail what a person does, with the name of their sign-in. */
export type Clerk = Parts<'audit' | 'credentials' | 'clock'>;

/** Reads the facts of a request: from records and from other jobs, as the policy asks for them. */
export type FactReader = Judge & Parts<'jobs' | 'records' | 'clock' | 'log'>;

/** Asks the policy about a request, with all that decides on it. */
export type Inquirer = Judge &
  Parts<'jobs' | 'credentials' | 'records' | 'keepersOf' | 'coveredByRule' | 'approvalChannel' | 'clock'>;
