import { type AlertKeeper, alertsCommand } from '../../features/alerts/alertCommand.ts';
import { type LeaseCommander, leaseOf } from '../../features/leases/leaseCommand.ts';
import { leaseList } from '../../features/leases/leaseList.ts';
import { type Reporter, report } from '../../features/protection/reportCommand.ts';
import { status } from '../../features/protection/statusCommand.ts';
import type { ScheduleOpener } from '../../features/schedules/openForWork.ts';
import { listSchedules } from '../../features/schedules/scheduleClicks.ts';
import { scheduleOf, schedulesAtOnce } from '../../features/schedules/scheduleCommand.ts';
import type { ScheduleSetter } from '../../features/schedules/setSchedule.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import { mayNeedApproval } from '../../jobs/approval/verdict.ts';
import type { FactReader } from '../../jobs/parts.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import {
  asksOnlyForTarget,
  type Operation,
  type ReadOperation,
  type WriteOperation,
} from '../../operations/operation.ts';
import { listApprovals } from '../approvals/approvalsCommand.ts';
import { audit } from '../audit/auditCommand.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { mustBeAllowed, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper, Greeter } from '../desk/desk.ts';
import { type Reaction, reactAsCommand, reactTo } from '../desk/reaction.ts';
import type { Use } from '../desk/use.ts';
import { namedIn, namedTwice } from '../forms/fill.ts';
import type { FormOpener } from '../forms/formDesk.ts';
import { openForm } from '../forms/openForm.ts';
import { type JobMaker, runAtOnce } from '../forms/runAtOnce.ts';
import { jobList, listedJobs } from '../messages/jobList.ts';
import { listPresets } from '../presets/presetClicks.ts';
import { listPage } from '../records/recordList.ts';
import { showList, showOne } from '../records/show.ts';
import { signedInAlready, signInOffer, signOut, whoAmI } from '../signIn/signIn.ts';
import { stats } from '../stats/statsCommand.ts';
import { ofAnotherRelease } from '../uses/doing.ts';
import { commandButton, operationButtons, operationMenu, runCommand } from '../words/commandActions.ts';
import { readCommand } from '../words/commandWords.ts';
import { meantBy } from '../words/otherCommands.ts';
import { type Doctor, doctor } from './doctor.ts';
import { help, helpFor, unknown } from './help.ts';
import { ownCommands } from './ownCommands.ts';
import { strayInOwn, strayInputs } from './strayWords.ts';
import { type Examiner, why } from './whyCommand.ts';

/**
 * Reacts to a command: a use whose value is the command's words. No button has this action; the buttons below run
 * commands.
 */
const command: Reaction<Commander> = {
  action: 'command',
  useOf: () => undefined,
  acts,
  intent: words => words,
  note: countCommand,
  perform: carryOut,
};

/** Reacts to commands, and to the buttons that do what a command does. */
export const commandReactions = [
  command,
  reactAsCommand(runCommand, command, words => words),
  reactAsCommand(operationMenu, command, ({ name, record }) => {
    const operation = catalogue.find(entry => entry.name === name);
    return operation && [...operation.words, record].join(' ');
  }),
  ...operationButtons.map(({ operation, action }) =>
    reactAsCommand(action, command, record => [...operation.words, record].join(' ')),
  ),
  reactTo(listPage, {
    replaces: true,
    intent: ({ o, q }) => [...(listOperation(o)?.words ?? []), q].join(' ').trim(),
    async perform(desk: Desk<'records' | 'clock'>, use, { o, q, p, s }) {
      const operation = listOperation(o);
      return operation ? showList(desk, use, operation, { query: q, page: p, size: s }) : said(ofAnotherRelease);
    },
  }),
];

function listOperation(name: string): ReadOperation | undefined {
  const operation = catalogue.find(entry => entry.name === name);
  return operation?.type === 'read' ? operation : undefined;
}

/** Whether a command changes something, and does not only show something or open a form. */
function acts(desk: Commander, text: string): boolean {
  const { words } = readCommand(text);
  const found = findOperation(words);
  const first = words[0]?.toLowerCase() ?? '';
  if (first === 'schedule') return schedulesAtOnce(readCommand(text));
  return (
    ['logout', 'lease', 'report', 'alerts'].includes(first) ||
    (found !== undefined && isAtOnce(desk.lists, found.operation, found.rest))
  );
}

/**
 * Whether an operation needs no form: its target is named, it asks for nothing else, does no harm and needs no
 * approval.
 */
function isAtOnce(desk: Desk<'policy'>, operation: Operation, rest: readonly string[]): operation is WriteOperation {
  if (operation.type !== 'write' || rest.length === 0) return false;
  return asksOnlyForTarget(operation) && !operation.warning && !mayNeedApproval(desk.policy, operation);
}

/** Counts and logs a use of a command: its name, but none of the words that the person typed. */
function countCommand({ meter, lists: { log } }: Commander, { value, person }: Use, outcome: string): void {
  const { words } = readCommand(value);
  const first = words[0]?.toLowerCase() ?? 'help';
  const name =
    ownCommands.find(({ word }) => word === first)?.word ?? findOperation(words)?.operation.name ?? 'unknown';
  meter.count('commands', { command: name, outcome });
  log.info({ command: name, outcome, person }, 'a command was answered');
}

/** Shows what is kept, and what the service shows. */
type Lists = FactReader & Desk<'credentials' | 'things' | 'presets' | 'names' | 'workspace' | 'jobsDays'>;

/** Does what commands ask for: each with what it needs, and with nothing else. */
type Commander = Desk<'meter'> &
  Readonly<{
    signIns: Greeter & Desk<'credentials' | 'records' | 'tell'>;
    lists: Lists;
    doctor: Doctor;
    leases: LeaseCommander;
    reports: Reporter;
    alerting: AlertKeeper;
    schedules: ScheduleSetter & ScheduleOpener;
    trail: Doorkeeper & Desk<'auditDays'>;
    examiner: Examiner;
    maker: JobMaker;
    forms: FormOpener;
  }>;

/** Runs a command. Returns the answer for the person; `undefined` where a form is the answer. */
async function carryOut(desk: Commander, use: Use): Promise<Content | undefined> {
  const { names } = desk.lists;
  const typed = readCommand(use.value);
  const [first = 'help', ...others] = typed.words;
  const vain = strayInOwn(names, typed);
  if (vain !== undefined) return said(vain);
  switch (first.toLowerCase()) {
    case 'help':
      return typed.words.length === 0 ? helpFor(desk.lists, use) : help(names, others);
    case 'login':
      return signInOffer(desk.signIns, use, null, await signedInAlready(desk.signIns, use));
    case 'logout':
      return signOut(desk.signIns, use, use.channel);
    case 'whoami':
      return whoAmI(desk.signIns, use);
    case 'doctor':
      return doctor(desk.doctor, use, use.channel);
    case 'lease':
      await mustBeSignedIn(desk.signIns, use);
      return leaseOf(desk.leases, use, typed);
    case 'leases':
      await mustBeSignedIn(desk.signIns, use);
      return leaseList(desk.lists, use, others);
    case 'status':
      await mustBeSignedIn(desk.signIns, use);
      return status(desk.lists, use, typed);
    case 'stats':
      await mustBeSignedIn(desk.signIns, use);
      return stats(desk.lists, use, typed);
    case 'report':
      await mustBeSignedIn(desk.signIns, use);
      return report(desk.reports, use, typed);
    case 'alerts':
      return alertsCommand(desk.alerting, use, typed);
    case 'jobs':
      return jobList(await desk.lists.jobs.ofPerson(use, listedJobs.inTable), {
        workspace: await desk.lists.workspace(use.team),
        zone: zoneOrUtc(await desk.lists.people.zoneOf(use)),
      });
    case 'presets':
      return listPresets(desk.lists, use, others);
    case 'schedule':
      return scheduleOf(desk.schedules, use, typed, command => unknown(names, command, ['schedule']));
    case 'schedules':
      return listSchedules(desk.lists, use, others);
    case 'approvals':
      return listApprovals(desk.lists, use, others[0]);
    case 'audit':
      return audit(desk.trail, use, after(use.value));
    case 'why':
      return why(desk.examiner, { team: use.team, person: use.person }, use.channel, use.value);
  }
  const found = findOperation(typed.words);
  if (!found) return unknown(names, typed);
  const { operation, rest } = found;
  const stray = strayInputs(names, operation, typed.inputs) ?? namedTwice(operation, rest, typed.inputs);
  if (stray !== undefined) {
    const meant = operation.type !== 'read' ? meantBy(operation, ...Object.keys(typed.inputs)) : undefined;
    return said(stray, meant === undefined ? [] : [commandButton(names.db, [meant, ...rest])]);
  }
  if (operation.type === 'read') {
    const words = rest.join(' ');
    return operation.shows === 'one'
      ? showOne(desk.lists, use, operation, words)
      : showList(desk.lists, use, operation, { query: words, page: 0 });
  }
  await mustBeSignedIn(desk.signIns, use);
  await mustBeAllowed(desk.trail, use, operation);
  const wish = { ...use, inputs: { ...namedIn(operation, rest), ...typed.inputs } };
  if (isAtOnce(desk.lists, operation, rest)) return runAtOnce(desk.maker, operation, wish);
  await openForm(desk.forms, operation, wish);
  return undefined;
}

/** A command's text without its first word. */
function after(text: string): string {
  return text.trim().replace(/^\S+\s*/, '');
}
