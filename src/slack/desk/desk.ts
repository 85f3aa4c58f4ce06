import type { Proxying } from '../../api/connection/proxy.ts';
import type { Clerk, Judge, Members, NamesIn, PartGroup } from '../../jobs/parts.ts';
import type { Replicas } from '../../store/drivers/replicas.ts';
import type { Heard } from '../../store/tables/heard.ts';
import type { Homes } from '../../store/tables/homes.ts';
import type { Inbox } from '../../store/tables/inbox.ts';
import type { Links } from '../../store/tables/links.ts';
import type { OlderWorkspaces } from '../../store/tables/olderWorkspaces.ts';
import type { Presets } from '../../store/tables/presets.ts';
import type { Tries } from '../../store/tables/tries.ts';
import type { Content } from '../blocks/message.ts';
import type { Slacks } from '../connection/slacks.ts';
import type { House } from '../house.ts';
import type { Ack, CommandNames, Interaction, Speaker, Tell } from './interaction.ts';
import type { ResponseUrls } from './responseUrls.ts';

/** What the store keeps for Slack’s side. */
type StoredForSlack = Readonly<{
  links: Links;
  homes: Homes;
  presets: Presets;
  tries: Tries;
  olderWorkspaces: OlderWorkspaces;
  inbox: Inbox;
  heard: Heard;
}>;

/** Slack, and what people type and see there. */
type Workspaces = Readonly<{
  slack: Slacks;
  /** Whether Slack answers for a team at this moment and can bring clicks. */
  isReached(team: string): Promise<boolean>;
  names: CommandNames;
  /** A team's address in Slack, `https://example.slack.com/`; `undefined` while Slack does not tell it. */
  workspace(team: string): Promise<string | undefined>;
  responseUrls: ResponseUrls;
  /** The processes that share the store, and so the rates at which Slack takes messages. */
  replicas: Pick<Replicas, 'count' | 'passOn'>;
  /** The address at which people's browsers reach Dolly; `undefined` if they cannot. */
  publicUrl: string | undefined;
  /** The proxies by which Dolly reaches Slack and the service. */
  proxying: Proxying | undefined;
  /** Retention of the audit trail, in days. */
  auditDays: number;
  /** The number of days for which jobs that have ended are kept. */
  jobsDays: number;
}>;

/** The ways to have work done. */
type Ways = Readonly<{
  /** What features add to commands, Home and messages. */
  house: House;
  /** Stores an interaction that changes something before Slack hears that it was taken, and then does it (inbox.ts). */
  takeOn(interaction: Interaction, ack: Ack, tell: Tell, patience?: number): Promise<void>;
  /** Does at once what somebody wanted before they signed in, where that only shows something (inbox.ts). */
  goOn(speaker: Speaker, intent: string): Promise<Content | undefined>;
  /** Runs work that goes on after Slack got its answer. An orderly stop waits for it. */
  run(what: string, work: Promise<unknown>): void;
}>;

/** The groups of what Slack’s side may touch. */
export type DeskGroup = PartGroup | StoredForSlack | Workspaces | Ways;

/** The parts of Dolly that a function of Slack’s side may touch. */
export type Desk<Name extends NamesIn<DeskGroup>> = Members<DeskGroup, Name>;

/** Sends content to Slack in the blocks that the workspace takes. */
export type Sender = Desk<'olderWorkspaces' | 'clock' | 'log'>;

/** Speaks to people in Slack. */
export type Voice = Sender & Desk<'slack'>;

/** Lets in who may ask, and writes to the trail who may not. */
export type Doorkeeper = Clerk & Judge;

/** Offers a sign-in. */
export type Greeter = Desk<'service' | 'links' | 'publicUrl' | 'clock'>;

/** Seeks records. */
export type Seeker = Desk<'records' | 'clock' | 'log'>;
