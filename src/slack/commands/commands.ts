import { mayNeedApproval } from '../../jobs/approval/verdict.ts';
import { zoneOrUtc } from '../../jobs/schedules/zone.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import {
  asksOnlyForTarget,
  type Operation,
  type ReadOperation,
  type WriteOperation,
} from '../../operations/operation.ts';
import { alertsCommand } from '../alerts/alertCommand.ts';
import { listApprovals } from '../approvals/approvalsCommand.ts';
import { audit } from '../audit/auditCommand.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { mustBeAllowed, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { type Reaction, reactAsCommand, reactTo } from '../desk/reaction.ts';
import type { Use } from '../desk/use.ts';
import { namedIn, namedTwice } from '../forms/fill.ts';
import { openForm } from '../forms/openForm.ts';
import { runAtOnce } from '../forms/runAtOnce.ts';
import { leaseOf } from '../leases/leaseCommand.ts';
import { leaseList } from '../leases/leaseList.ts';
import { jobList, listedJobs } from '../messages/jobList.ts';
import { listPresets } from '../presets/presetClicks.ts';
import { listPage } from '../records/recordList.ts';
import { showList, showOne } from '../records/show.ts';
import { listSchedules } from '../schedules/scheduleClicks.ts';
import { scheduleOf, schedulesAtOnce } from '../schedules/scheduleCommand.ts';
import { signedInAlready, signInOffer, signOut, whoAmI } from '../signIn/signIn.ts';
import { stats } from '../stats/statsCommand.ts';
import { report } from '../status/reportCommand.ts';
import { status } from '../status/statusCommand.ts';
import { ofAnotherRelease } from '../uses/doing.ts';
import { commandButton, operationButtons, operationMenu, runCommand } from '../words/commandActions.ts';
import { readCommand } from '../words/commandWords.ts';
import { meantBy } from '../words/otherCommands.ts';
import { doctor } from './doctor.ts';
import { help, helpFor, unknown } from './help.ts';
import { ownCommands } from './ownCommands.ts';
import { strayInOwn, strayInputs } from './strayWords.ts';
import { why } from './whyCommand.ts';

/**
 * Reacts to a command: a use whose value is the command's words. No button has this action; the buttons below run
 * commands.
 */
const command: Reaction = {
  action: 'command',
  useOf: () => undefined,
  acts,
  intent: words => words,
  note: countCommand,
  perform: carryOut,
};

/** Reacts to commands, and to the buttons that do what a command does. */
export const commandReactions: readonly Reaction[] = [
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
    async perform(desk, use, { o, q, p, s }) {
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
function acts(desk: Desk, text: string): boolean {
  const { words } = readCommand(text);
  const found = findOperation(words);
  const first = words[0]?.toLowerCase() ?? '';
  if (first === 'schedule') return schedulesAtOnce(readCommand(text));
  return (
    ['logout', 'lease', 'report', 'alerts'].includes(first) ||
    (found !== undefined && isAtOnce(desk, found.operation, found.rest))
  );
}

/**
 * Whether an operation needs no form: its target is named, it asks for nothing else, does no harm and needs no
 * approval.
 */
function isAtOnce(desk: Desk, operation: Operation, rest: readonly string[]): operation is WriteOperation {
  if (operation.type !== 'write' || rest.length === 0) return false;
  return asksOnlyForTarget(operation) && !operation.warning && !mayNeedApproval(desk.policy, operation);
}

/** Counts and logs a use of a command: its name, but none of the words that the person typed. */
function countCommand({ meter, log }: Desk, { value, person }: Use, outcome: string): void {
  const { words } = readCommand(value);
  const first = words[0]?.toLowerCase() ?? 'help';
  const name =
    ownCommands.find(({ word }) => word === first)?.word ?? findOperation(words)?.operation.name ?? 'unknown';
  meter.count('commands', { command: name, outcome });
  log.info({ command: name, outcome, person }, 'a command was answered');
}

/** Runs a command. Returns the answer for the person; `undefined` where a form is the answer. */
async function carryOut(desk: Desk, use: Use): Promise<Content | undefined> {
  const typed = readCommand(use.value);
  const [first = 'help', ...others] = typed.words;
  const vain = strayInOwn(desk.names, typed);
  if (vain !== undefined) return said(vain);
  switch (first.toLowerCase()) {
    case 'help':
      return typed.words.length === 0 ? helpFor(desk, use) : help(desk.names, others);
    case 'login':
      return signInOffer(desk, use, null, await signedInAlready(desk, use));
    case 'logout':
      return signOut(desk, use, use.channel);
    case 'whoami':
      return whoAmI(desk, use);
    case 'doctor':
      return doctor(desk, use, use.channel);
    case 'lease':
      await mustBeSignedIn(desk, use);
      return leaseOf(desk, use, typed);
    case 'leases':
      await mustBeSignedIn(desk, use);
      return leaseList(desk, use, others);
    case 'status':
      await mustBeSignedIn(desk, use);
      return status(desk, use, typed);
    case 'stats':
      await mustBeSignedIn(desk, use);
      return stats(desk, use, typed);
    case 'report':
      await mustBeSignedIn(desk, use);
      return report(desk, use, typed);
    case 'alerts':
      return alertsCommand(desk, use, typed);
    case 'jobs':
      return jobList(await desk.jobs.ofPerson(use, listedJobs.inTable), {
        workspace: await desk.workspace(use.team),
        zone: zoneOrUtc(await desk.people.zoneOf(use)),
      });
    case 'presets':
      return listPresets(desk, use, others);
    case 'schedule':
      return scheduleOf(desk, use, typed, command => unknown(desk.names, command, ['schedule']));
    case 'schedules':
      return listSchedules(desk, use, others);
    case 'approvals':
      return listApprovals(desk, use, others[0]);
    case 'audit':
      return audit(desk, use, after(use.value));
    case 'why':
      return why(desk, { team: use.team, person: use.person }, use.channel, use.value);
  }
  const found = findOperation(typed.words);
  if (!found) return unknown(desk.names, typed);
  const { operation, rest } = found;
  const stray = strayInputs(desk.names, operation, typed.inputs) ?? namedTwice(operation, rest, typed.inputs);
  if (stray !== undefined) {
    const meant = operation.type !== 'read' ? meantBy(operation, ...Object.keys(typed.inputs)) : undefined;
    return said(stray, meant === undefined ? [] : [commandButton(desk.names.db, [meant, ...rest])]);
  }
  if (operation.type === 'read') {
    const words = rest.join(' ');
    return operation.shows === 'one'
      ? showOne(desk, use, operation, words)
      : showList(desk, use, operation, { query: words, page: 0 });
  }
  await mustBeSignedIn(desk, use);
  await mustBeAllowed(desk, use, operation);
  const wish = { ...use, inputs: { ...namedIn(operation, rest), ...typed.inputs } };
  if (isAtOnce(desk, operation, rest)) return runAtOnce(desk, operation, wish);
  await openForm(desk, operation, wish);
  return undefined;
}

/** A command's text without its first word. */
function after(text: string): string {
  return text.trim().replace(/^\S+\s*/, '');
}
