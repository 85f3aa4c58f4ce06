import type { FactReader } from '../../jobs/parts.ts';
import { listApprovals } from '../approvals/approvalsCommand.ts';
import { audit } from '../audit/auditCommand.ts';
import type { Desk, Doorkeeper, Greeter } from '../desk/desk.ts';
import type { AnsweredCommand } from '../house.ts';
import { type JobLister, jobFilters, listJobs } from '../past/jobsCommand.ts';
import { namedInQuestion, type PastShower, showPast } from '../past/showPast.ts';
import { listPresets } from '../presets/presetClicks.ts';
import { offerSignIn, signOut, whoAmI } from '../signIn/signIn.ts';
import { stats } from '../stats/statsCommand.ts';
import { type Doctor, doctor } from './doctor/doctor.ts';
import { help, helpFor } from './help.ts';
import { type Examiner, why } from './why/whyCommand.ts';

/** Shows what is kept, and what the service shows. */
export type Lists = FactReader & Desk<'credentials' | 'presets' | 'names' | 'house' | 'workspace' | 'jobsDays'>;

/** Answers the commands of Dolly itself: each with what it needs, and with nothing else. */
type CoreAnswerer = Readonly<{
  signIns: Greeter & Desk<'credentials' | 'records'>;
  lists: Lists;
  past: PastShower & JobLister;
  doctor: Doctor;
  trail: Doorkeeper & Desk<'auditDays'>;
  examiner: Examiner;
}>;

/** The commands of Dolly itself. Features add theirs (house.ts). */
export const coreCommands: readonly AnsweredCommand<CoreAnswerer>[] = [
  {
    word: 'login',
    subject: 'You and Dolly',
    usage: 'login',
    summary: 'Sign in to the service',
    answer: ({ signIns }, interaction) => offerSignIn(signIns, interaction),
  },
  {
    word: 'logout',
    subject: 'You and Dolly',
    usage: 'logout',
    summary: 'Forget your sign-in',
    acts: () => true,
    answer: ({ signIns }, interaction) => signOut(signIns, interaction, interaction.channel),
  },
  {
    word: 'whoami',
    subject: 'You and Dolly',
    usage: 'whoami',
    summary: 'Show whether and as whom you are signed in',
    answer: ({ signIns }, interaction) => whoAmI(signIns, interaction),
  },
  {
    word: 'stats',
    subject: 'Protection',
    usage: 'stats [words]',
    summary: 'Show how long jobs take: the median and 95 % of each operation, by environment and by week',
    isForSignedIn: true,
    answer: ({ lists }, interaction, typed) => stats(lists, interaction, typed),
  },
  {
    word: 'jobs',
    subject: 'You and Dolly',
    usage: 'jobs [record] [state=failed] [by=…] [day=2026-11-30]',
    summary: 'Show your latest jobs, or those of a record, state, person or day that you may see',
    takes: jobFilters,
    answer: ({ past }, interaction, typed) => listJobs(past, interaction, typed),
  },
  {
    word: 'presets',
    subject: 'Schedules and presets',
    usage: 'presets [words]',
    summary: 'Show, change, share and delete presets, which fill forms',
    answer: ({ lists }, interaction, { words }) => listPresets(lists, interaction, words.slice(1)),
  },
  {
    word: 'approvals',
    subject: 'Approvals and audit',
    usage: 'approvals [job]',
    summary: 'Show what waits for your approval',
    answer: ({ lists }, interaction, { words }) => listApprovals(lists, interaction, words[1]),
  },
  {
    word: 'why',
    subject: 'Approvals and audit',
    usage: 'why <command …>',
    summary: 'Check whether a command would be sent and what stands in its way, without sending it',
    takes: 'any',
    answer: ({ examiner }, { team, person, channel, value }) => why(examiner, { team, person }, channel, value),
  },
  {
    word: 'audit',
    subject: 'Approvals and audit',
    usage: 'audit [words] [since=7d] [until=2026-11-30] [by=…]',
    summary: 'Show and export who did what (for approvers)',
    takes: 'any',
    answer: ({ trail }, interaction) => audit(trail, interaction, interaction.value.trim().replace(/^\S+\s*/, '')),
  },
  {
    word: 'history',
    subject: 'Approvals and audit',
    usage: 'history <record>',
    summary: 'Show what was done to a record, even a deleted one, and by whom',
    answer: ({ past }, interaction, { words }) => showPast(past, interaction, words.slice(1)),
  },
  {
    word: 'who',
    subject: 'Approvals and audit',
    usage: 'who deleted <record>',
    summary: 'Say who made, held, asked for, approved or deleted a record',
    answer: ({ past, signIns }, interaction, { words: [, ...asked] }) =>
      /^am i\??$/i.test(asked.join(' '))
        ? whoAmI(signIns, interaction)
        : showPast(past, interaction, namedInQuestion(asked)),
  },
  {
    word: 'doctor',
    subject: 'You and Dolly',
    usage: 'doctor',
    summary: 'Check the set-up, and show how I read the service’s records',
    answer: (desk, interaction) => doctor(desk.doctor, interaction, interaction.channel),
  },
  {
    word: 'help',
    subject: 'You and Dolly',
    usage: 'help [words]',
    summary: 'Show what you can ask',
    takes: 'any',
    answer: async ({ lists }, interaction, { words }) =>
      words.length === 0 ? helpFor(lists, interaction) : help(lists, words.slice(1)),
  },
];
