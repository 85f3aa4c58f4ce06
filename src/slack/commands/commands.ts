import type { App } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { kindOf } from '../../ground/failure.ts';
import { mayNeedApproval } from '../../jobs/approval/verdict.ts';
import { catalogue, findOperation } from '../../operations/catalogue.ts';
import { asksOnlyForTarget, type Operation, type WriteOperation } from '../../operations/operation.ts';
import { decideOn } from '../approvals/approvalClicks.ts';
import { listApprovals } from '../approvals/approvalsCommand.ts';
import { audit } from '../audit/auditCommand.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { mustBeAdmitted, mustBeAllowed, mustBeSignedIn } from '../desk/admission.ts';
import { answerClick, answerCommand, ephemeral } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { type Ack, newUse, type Tell, type Use } from '../desk/use.ts';
import { placeOf, whoIn } from '../desk/who.ts';
import { namedIn, namedTwice } from '../forms/fill.ts';
import { openForm, runAtOnce } from '../forms/forms.ts';
import { actsOnJob, onJob } from '../messages/jobButtons.ts';
import { jobList } from '../messages/jobMessage.ts';
import { showList, showOne } from '../records/show.ts';
import { refused, signInOffer, signOut, whoAmI } from '../signIn/signIn.ts';
import { ackClick, clicked } from '../uses/keptUses.ts';
import { readCommand } from '../words/commandWords.ts';
import { doctor } from './doctor.ts';
import { help, ownCommands, unknown, wordsBySlashCommand } from './help.ts';
import { strayInOwn, strayInputs } from './strayWords.ts';
import { why } from './whyCommand.ts';

/** Listens to the slash commands, and to buttons that do what a command does. */
export function listenToCommands(app: App, desk: Desk): void {
  const { names } = desk;
  for (const [name, words] of wordsBySlashCommand(names)) {
    app.command(name, async ({ ack, command, respond }) => {
      const use = newUse({
        ...{ team: command.team_id, person: command.user_id, channel: command.channel_id },
        ...{ trigger: command.trigger_id, action: 'command', value: [...words, command.text].join(' ').trim() },
      });
      const asker = { person: use.person, place: use.channel };
      const tell = (content: Content) => answerCommand(desk, asker, respond, content);
      desk.askers.remember(use, content => respond({ ...content, ...ephemeral, replace_original: false }));
      const refuse = (sentence: string) => ack({ ...said(`:warning: ${sentence}`), ...ephemeral });
      await take(desk, use, refusal => (refusal === undefined ? ack() : refuse(refusal)), tell);
    });
  }

  app.action({ action_id: /^command\.run/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    const tell = (content: Content) => answerClick(desk, body, respond, content);
    const use = clicked(body, 'command', given(action));
    desk.askers.remember(use, content => respond({ ...content, ...ephemeral, replace_original: false }));
    await take(desk, use, ackClick(ack, tell), tell);
  });

  app.action({ action_id: /^operation/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    // A button names the operation in its action and the record in its value; a menu's option holds both.
    const [name = '', target = ''] =
      action.type === 'overflow'
        ? action.selected_option.value.split(' ')
        : [action.action_id.replace('operation:', ''), given(action)];
    const operation = catalogue.find(entry => entry.name === name);
    if (!operation) return ack();
    const tell = (content: Content) => answerClick(desk, body, respond, content);
    const use = clicked(body, 'command', `${operation.words.join(' ')} ${target}`);
    desk.askers.remember(use, content => respond({ ...content, ...ephemeral, replace_original: false }));
    await take(desk, use, ackClick(ack, tell), tell);
  });

  app.action({ action_id: /^list\.page:/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    await ack();
    const page = Page.safeParse(parseJson(given(action)));
    const operation = catalogue.find(({ name }) => page.success && name === page.data.o);
    if (!page.success || operation?.type !== 'read') return;
    const { q: query, p: at } = page.data;
    const again = [...operation.words, query].join(' ').trim();
    const owner = whoIn(body);
    const work = mustBeAdmitted(desk, owner)
      .then(() => showList(desk, owner, operation, query, at))
      .catch((error: unknown) => refused(desk, owner, placeOf(body), again, error));
    desk.run(
      'turn a page',
      work.then(content => answerClick(desk, body, respond, content, { replaces: true })),
    );
  });

  app.action({ action_id: /^job\./, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    const tell = (content: Content) => answerClick(desk, body, respond, content);
    const use = clicked(body, action.action_id, given(action));
    if (actsOnJob(use.action)) return desk.takeOn(use, ackClick(ack, tell), tell);
    await ack();
    const work = onJob(desk, use).catch((error: unknown) => refused(desk, use, use.channel, null, error));
    desk.run(
      'answer a click',
      work.then(content => content && tell(content)),
    );
  });
}

const Page = z.object({ o: z.string(), q: z.string(), p: z.number().int() });

/** Does what a kept use asks for, whatever it is. */
export function perform(desk: Desk, use: Use): Promise<Content | undefined> {
  if (use.action === 'command') return doCommand(desk, use);
  return use.action.startsWith('job.') ? onJob(desk, use) : decideOn(desk, use);
}

/**
 * Acknowledges a command, does what it asks for, and answers the person alone; nobody else sees it. What acts by itself is
 * kept before that. A form needs no keeping: it opens or it does not, and nothing was asked for yet.
 */
async function take(desk: Desk, use: Use, ack: Ack, tell: Tell): Promise<void> {
  if (acts(desk, use.value)) return desk.takeOn(use, ack, tell);
  await ack();
  const work = doCommand(desk, use).catch((error: unknown) => refused(desk, use, use.channel, use.value, error));
  desk.run(
    'answer a command',
    work.then(content => content && tell(content)),
  );
}

/** Whether a command does something, rather than show something or open a form. */
function acts(desk: Desk, text: string): boolean {
  const { words } = readCommand(text);
  const found = findOperation(words);
  return words[0]?.toLowerCase() === 'logout' || (found !== undefined && isAtOnce(desk, found.operation, found.rest));
}

/** Whether an operation needs no form: once its target is named it asks for nothing more, and does no harm. */
function isAtOnce(desk: Desk, operation: Operation, rest: readonly string[]): operation is WriteOperation {
  if (operation.type === 'read' || rest.length === 0) return false;
  return asksOnlyForTarget(operation) && !operation.warning && !mayNeedApproval(desk.policy, operation);
}

async function doCommand(desk: Desk, use: Use): Promise<Content | undefined> {
  try {
    const content = await carryOut(desk, use);
    noted(desk, use, content ? 'answered' : 'form');
    return content;
  } catch (error) {
    noted(desk, use, kindOf(error));
    throw error;
  }
}

/** Counts and logs a use of a command: what it asked for, but none of the words that were typed. */
function noted({ meter, log }: Desk, { value, person }: Use, outcome: string): void {
  const { words } = readCommand(value);
  const first = words[0]?.toLowerCase() ?? 'help';
  const command =
    ownCommands.find(({ word }) => word === first)?.word ?? findOperation(words)?.operation.name ?? 'unknown';
  meter.count('commands', { command, outcome });
  log.info({ command, outcome, person }, 'a command was answered');
}

/** Carries a command out. What it returns is told to the person; `undefined` where a form speaks for itself. */
async function carryOut(desk: Desk, use: Use): Promise<Content | undefined> {
  await mustBeAdmitted(desk, use);
  const command = readCommand(use.value);
  const [first = 'help', ...others] = command.words;
  const vain = strayInOwn(desk.names, command);
  if (vain !== undefined) return said(vain);
  switch (first.toLowerCase()) {
    case 'help':
      return help(desk.names, others);
    case 'login':
      return signInOffer(desk, use, use.channel, null);
    case 'logout':
      return signOut(desk, use, use.channel);
    case 'whoami':
      return whoAmI(desk, use, use.channel);
    case 'doctor':
      return doctor(desk, use, use.channel);
    case 'jobs':
      return jobList(await desk.jobs.ofPerson(use, 10));
    case 'approvals':
      return listApprovals(desk, use);
    case 'audit':
      return audit(desk, { team: use.team, person: use.person }, use.channel, after(use.value));
    case 'why':
      return why(desk, { team: use.team, person: use.person }, use.channel, use.value);
  }
  const found = findOperation(command.words);
  if (!found) return unknown(desk.names, command);
  const { operation, rest } = found;
  const stray = strayInputs(desk.names, operation, command.inputs) ?? namedTwice(operation, rest, command.inputs);
  if (stray !== undefined) return said(stray);
  if (operation.type === 'read') {
    const words = rest.join(' ');
    return operation.shows === 'one' ? showOne(desk, use, operation, words) : showList(desk, use, operation, words, 0);
  }
  await mustBeSignedIn(desk, use);
  await mustBeAllowed(desk, use, operation);
  const wish = { ...use, inputs: { ...namedIn(operation, rest), ...command.inputs } };
  if (isAtOnce(desk, operation, rest)) return runAtOnce(desk, operation, wish);
  await openForm(desk, operation, wish);
  return undefined;
}

/** A command's text without its first word. */
function after(text: string): string {
  return text.trim().replace(/^\S+\s*/, '');
}

function given(action: object): string {
  return 'value' in action && typeof action.value === 'string' ? action.value : '';
}
