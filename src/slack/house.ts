import type { Button, KnownBlock } from '@slack/types';
import type { RecordView } from '../api/reading/recordView.ts';
import type { JobOperation, WriteOperation } from '../operations/operation.ts';
import type { Job } from '../store/jobs/rows/job.ts';
import type { Owner } from '../store/vault.ts';
import type { Content } from './blocks/message.ts';
import type { CommandNames, Interaction } from './desk/interaction.ts';
import type { Command } from './words/commandText.ts';

/* What features add to Slack’s side, which knows none of them by name. */

/** The subjects of Dolly's own commands, in the order of the help. */
export const ownSubjects = [
  'Protection',
  'Leases',
  'Schedules and presets',
  'Approvals and audit',
  'You and Dolly',
] as const;

/** A command that is about Dolly itself rather than an operation of the service, as the help shows it. */
export type OwnCommand = Readonly<{
  word: string;
  subject: (typeof ownSubjects)[number];
  /** The command with the words that may follow; one that takes none has its word alone here. */
  usage: string;
  summary: string;
  /** The fields that may be typed as `field=value`; none where this is left out, and `any` where its answer reads them. */
  takes?: readonly string[] | 'any';
  /** Whether these words change something by themselves, and do not only show something or open a form. */
  acts?(typed: Command): boolean;
}>;

/** The slash commands and Dolly’s own ones: what the help says, and what is compared with words that nobody knows. */
export type Lexicon = Readonly<{ names: CommandNames; house: Readonly<{ commands: readonly OwnCommand[] }> }>;

/** The command of Dolly’s own that a word names, in whichever case it is typed. */
export function commandCalled<Own extends OwnCommand>(
  { commands }: Readonly<{ commands: readonly Own[] }>,
  word: string,
): Own | undefined {
  const wanted = word.toLowerCase();
  return commands.find(one => one.word === wanted);
}

/** Whether an operation can be put on a schedule, by the command of Dolly's own for that. */
export function canBeScheduled({ house }: Pick<Lexicon, 'house'>, { schedulable }: JobOperation): boolean {
  return schedulable === true && commandCalled(house, 'schedule') !== undefined;
}

/** Gives the answer to a command that opens no form. `Desk` is what it may touch. */
export type CommandAnswer<Desk> = (desk: Desk, interaction: Interaction, typed: Command) => Promise<Content>;

/** A command with its answer. */
export type AnsweredCommand<Desk> = OwnCommand &
  Readonly<{
    /** Whether only people who are signed in get the answer; the others are offered a sign-in. */
    isForSignedIn?: true;
    /** Gives the answer; `undefined` where a form is the answer. */
    answer(desk: Desk, interaction: Interaction, typed: Command): Promise<Content | undefined>;
  }>;

/** An operation, and the words behind its command, which may name several records. */
export type AskedForSeveral = Readonly<{ operation: WriteOperation; words: readonly string[] }>;

/**
 * Takes a command of an operation whose words may name several records. Gives the answer, or `form` where a form is the
 * answer; `undefined` where the words are those of one record.
 */
export type SeveralTaker<Desk> = (
  desk: Desk,
  interaction: Interaction,
  asked: AskedForSeveral,
) => Promise<Content | 'form' | undefined>;

/** Gives what reads the records that a word means which is no name; `undefined` for any other word. */
export type MeantReader<Desk> = (
  desk: Desk,
  owner: Owner,
  asked: AskedForSeveral,
) => Promise<(() => Promise<MeantTogether>) | undefined>;

/** Records that a word means, and notes on those that are not among them; `none` says that there are no records. */
export type MeantTogether = Readonly<{
  records: readonly RecordView[];
  notes: readonly string[];
  none?: string | undefined;
}>;

/** A Home to draw. Without `signedInAt` nobody is signed in; what was read before `notBefore` does not count. */
export type HomeWanted = Owner & Readonly<{ signedInAt: number | undefined; notBefore: number; isOpening: boolean }>;

/** A drawn part of a Home; `later` resolves when there is something newer to draw. */
type DrawnSection = Readonly<{ blocks: readonly KnownBlock[]; later?: Promise<unknown> | undefined }>;

/**
 * A part of Home: `top` stands above what is the person’s own, `middle` behind their jobs under way, `below` behind the
 * clones. A Home waits for it, so it must not wait for the service.
 */
export type HomeSection<Desk> = Readonly<{
  place: 'top' | 'middle' | 'below';
  /** Opens what draws it for all Homes of this process. */
  open(desk: Desk): (wanted: HomeWanted) => Promise<DrawnSection>;
}>;

/** A button on a job's message; one that is `isInHome` stands at the job in Home, too. */
export type JobOffer = Readonly<{ isInHome?: true; buttonOf(job: Job): Button | undefined }>;

/** All that features add, ready to use. */
export type House = Readonly<{
  /** Dolly’s own commands, those of features first. */
  commands: readonly AnsweredCommand<void>[];
  /** Takes a command whose words name several records, as {@link SeveralTaker}. */
  takeSeveral: SeveralTaker<void>;
  /** Gives what reads the records that a word means, as {@link MeantReader}. */
  meantBy: MeantReader<void>;
  sections: readonly HomeSection<void>[];
  offers: readonly JobOffer[];
  /** A line about each of some records, such as the end of its lease, by record. */
  notesOn(team: string, records: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Says what runs with the service account in a team, each kind counted. */
  usesOfAccount(team: string): Promise<readonly string[]>;
}>;
