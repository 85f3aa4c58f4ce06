import type { App } from '@slack/bolt';
import type { Loop } from '../ground/loop.ts';
import type { Inspection } from '../jobs/approval/facts/inspection.ts';
import type { FieldRule } from '../jobs/approval/policy/fieldRules.ts';
import type { Policy } from '../jobs/approval/policy/rules.ts';
import type { Keeper } from '../jobs/parts.ts';
import type { DueReport, MadeReport } from '../jobs/report.ts';
import type { BadNews, KnownNews } from '../jobs/standing.ts';
import type { ThingWorker } from '../jobs/workOnThings.ts';
import type { JobIn } from '../store/jobs/rows/job.ts';
import type { EndHooks } from '../store/things/endNews.ts';
import type { Kind } from '../store/things/kind.ts';
import type { Owner } from '../store/vault.ts';
import type { Words } from './blocks/message.ts';
import type { Offering, Reaction, UseInForm } from './desk/reaction.ts';
import type { Submission } from './desk/submission.ts';
import type { AnsweredCommand, HomeSection, JobOffer, MeantReader, SeveralTaker } from './house.ts';
import type { WorkflowFunction } from './workflowFunction.ts';

/** Its durable things, from the store to their messages. */
type ThingsOf<Needs> = Readonly<{
  /** Their kinds: those that are over are swept with the history. */
  kinds?: readonly Kind<string, object>[];
  /** The loop that does what is due about them. */
  work?(worker: ThingWorker, desk: Needs): Loop;
  /** What the end of a job means for them, and that a job goes on after its end. */
  ends?(policy: Policy): EndHooks;
  /** The words of messages about them, by the kinds of these messages. */
  words?: Readonly<Record<string, Words>>;
  /** The kinds of messages of which a later one about the same replaces those that could not be posted. */
  latestAlone?: readonly string[];
  /** Does what is due in a store that was restored from a backup. Says of each team, by its id, what that was. */
  afterRestore?(desk: Needs, now: number): Promise<ReadonlyMap<string, string>>;
}>;

/** What people type. */
type TypedTo<Needs> = Readonly<{
  /** Its commands, with their help. */
  own?: readonly AnsweredCommand<Needs>[];
  /** What takes a command whose words name several records. */
  several?: SeveralTaker<Needs>;
  /** What words that are no names mean for several records. */
  meant?: MeantReader<Needs>;
}>;

/** What people click, choose and submit. */
type Interactions<Needs> = Readonly<{
  /** Its buttons and menus, and what its modals kept. */
  reactions?: readonly Reaction<Needs>[];
  /** What comes of each modal of its own. */
  submissions?: readonly Submission<Needs>[];
  /** Its buttons and menus inside of forms. */
  inForms?: readonly UseInForm<Needs>[];
  /** Its pickers inside of forms. */
  pickers?: readonly Offering<Needs>[];
}>;

/** Its steps of Slack’s Workflow Builder. */
type Steps<Needs> = Readonly<{
  /** Hears that Slack begins one. */
  listen(app: App, desk: Needs): void;
  /** What it declares to Slack, which calls a step a function, by their ids. */
  functions: Readonly<Record<string, WorkflowFunction>>;
}>;

/** What it knows about records. */
type AboutRecords<Needs> = Readonly<{
  /** A line about each of some records, by record. */
  notesOn?(desk: Needs, team: string, records: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Who keeps some records, by record. */
  keepersOf?(desk: Needs, team: string, records: readonly string[]): Promise<ReadonlyMap<string, Keeper>>;
  /** How bad news of a record stands in a channel. */
  standingOf?(desk: Needs, news: BadNews): Promise<KnownNews | undefined>;
  /** Makes a report by the calendar, with the sign-in of its run. @throws {Failure} `signed-out` where that has ended */
  reportOn?(desk: Needs, due: DueReport): Promise<MadeReport>;
}>;

/** What hangs on a sign-in. */
type OnSignIn<Needs> = Readonly<{
  /** Says what of it runs with the service account in a team, such as “2 schedules”. */
  usesAccount?(desk: Needs, team: string): Promise<string>;
  /**
   * Hears that a person signs in to the service as this user, before anything runs with the new sign-in: one feature after
   * the other, and where one throws, nobody is signed in.
   */
  begins?(desk: Needs, owner: Owner, login: string): Promise<void>;
}>;

/** Whether what nobody clicked may be done. */
type Permission<Needs> = Readonly<{
  /** Says why nothing is to be written by itself in a team at the moment; `undefined` where it may. */
  heldBy?(desk: Needs, team: string): Promise<string | undefined>;
  /** What a rule of the policy covers now that approved a job by itself; `undefined` where it covers it no more. */
  coveredByRule?(
    desk: Needs,
    job: JobIn<'approved'>,
    seen: Partial<Inspection>,
  ): Promise<readonly unknown[] | undefined>;
}>;

/**
 * What Dolly does beside single requests, with all that it adds to the house, in ten groups. `Needs` is what its parts may
 * touch. A feature is one folder; `app/features.ts` lists them, and nothing outside of the features imports one.
 */
export type Feature<Needs> = Readonly<{
  /** The name of its loop in `/readyz`. */
  name: string;
  things?: ThingsOf<Needs>;
  commands?: TypedTo<Needs>;
  interactions?: Interactions<Needs>;
  steps?: Steps<Needs>;
  /** Its part of Home. */
  home?: HomeSection<Needs>;
  about?: AboutRecords<Needs>;
  /** Its buttons on the messages of jobs. */
  offers?: readonly JobOffer[];
  /** What the policy says about the fields of a role. */
  fields?: FieldRule;
  signIn?: OnSignIn<Needs>;
  permission?: Permission<Needs>;
}>;

/** A sentence about each team's part of some things, by the id of the team. */
export function countedByTeam(
  things: readonly Readonly<{ team: string }>[],
  sentence: (many: number) => string,
): ReadonlyMap<string, string> {
  const byTeam = Map.groupBy(things, ({ team }) => team);
  return new Map([...byTeam].map(([team, some]) => [team, sentence(some.length)]));
}
