import type { App } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../api/tree.ts';
import { isSignedOut, kindOf, sentence } from '../failure.ts';
import { onlyRequester } from '../jobs/decide.ts';
import { asked } from '../jobs/parts.ts';
import { mayAsk } from '../jobs/policy.ts';
import { lookAgain, stopLooking, withdraw } from '../jobs/steer.ts';
import { catalogue, findOperation } from '../operations/catalogue.ts';
import { asksOnlyForTarget } from '../operations/operation.ts';
import type { Job } from '../store/job.ts';
import type { Owner } from '../store/vault.ts';
import { answerClick, ephemeral, placeOf } from './answers.ts';
import { audit } from './audit.ts';
import { type Content, said } from './blocks.ts';
import { signInOffer, signOut, whoAmI } from './connect.ts';
import { approvals } from './decisions.ts';
import { type Desk, mustBeAdmitted, mustBeAllowed, mustBeSignedIn, whoIn } from './desk.ts';
import { doctor } from './doctor.ts';
import { namedIn, namedTwice } from './fill.ts';
import { commandOf, openAgain, openForm, runAtOnce } from './forms.ts';
import { help, ownCommands, unknown } from './help.ts';
import { plain } from './limits.ts';
import { jobList } from './messages.ts';
import { showList, showOne } from './show.ts';
import { strayInOwn, strayInputs } from './strayWords.ts';
import { why } from './why.ts';
import { readCommand } from './words.ts';

/** One use of a command: by a slash command or by a button that stands for one. */
type Use = Owner & { channel: string; trigger: string; text: string };

/** Listens to the slash commands, and to buttons that do what a command does. */
export function listenToCommands(app: App, desk: Desk): void {
  const { names } = desk;
  for (const [name, prefix] of [
    [names.db, ''],
    [names.clone, 'clone'],
    [names.restore, 'restore'],
  ] as const) {
    app.command(name, async ({ ack, command, respond }) => {
      await ack();
      const owner = { team: command.team_id, person: command.user_id };
      const use = {
        ...owner,
        channel: command.channel_id,
        trigger: command.trigger_id,
        text: `${prefix} ${command.text}`.trim(),
      };
      answer(desk, use, content => respond({ ...content, ...ephemeral, replace_original: false }));
    });
  }

  app.action({ action_id: /^command\.run/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    await ack();
    const text = given(action);
    const use = { ...whoIn(body), channel: placeOf(body), trigger: body.trigger_id, text };
    answer(desk, use, content => answerClick(desk, body, respond, content));
  });

  app.action({ action_id: /^operation/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    await ack();
    // A button names the operation in its action and the record in its value; a menu's option holds both.
    const [name = '', target = ''] =
      action.type === 'overflow'
        ? action.selected_option.value.split(' ')
        : [action.action_id.replace('operation:', ''), given(action)];
    const operation = catalogue.find(entry => entry.name === name);
    if (!operation) return;
    const text = `${operation.words.join(' ')} ${target}`;
    const use = { ...whoIn(body), channel: placeOf(body), trigger: body.trigger_id, text };
    answer(desk, use, content => answerClick(desk, body, respond, content));
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
    await ack();
    const owner = whoIn(body);
    const channel = placeOf(body);
    const work = onJob(desk, { ...owner, channel, trigger: body.trigger_id }, action.action_id, given(action)).catch(
      (error: unknown) => refused(desk, owner, channel, null, error),
    );
    desk.run(
      'answer a click',
      work.then(content => content && answerClick(desk, body, respond, content)),
    );
  });
}

const Page = z.object({ o: z.string(), q: z.string(), p: z.number().int() });

/** Does what was asked and answers the person alone; nobody else sees it. */
function answer(desk: Desk, use: Use, tell: (content: Content) => Promise<unknown>): void {
  const work = carryOut(desk, use).then(
    content => {
      noted(desk, use, content ? 'answered' : 'form');
      return content;
    },
    (error: unknown) => {
      noted(desk, use, kindOf(error));
      return refused(desk, use, use.channel, use.text, error);
    },
  );
  desk.run(
    'answer a command',
    work.then(content => content && tell(content)),
  );
}

/** Counts and logs a use of a command: what it asked for, but none of the words that were typed. */
function noted({ meter, log }: Desk, { text, person }: Use, outcome: string): void {
  const { words } = readCommand(text);
  const first = words[0]?.toLowerCase() ?? 'help';
  const command =
    ownCommands.find(({ word }) => word === first)?.word ?? findOperation(words)?.operation.name ?? 'unknown';
  meter.count('commands', { command, outcome });
  log.info({ command, outcome, person }, 'a command was answered');
}

/** Carries a command out. What it returns is told to the person; `undefined` where a form speaks for itself. */
async function carryOut(desk: Desk, use: Use): Promise<Content | undefined> {
  await mustBeAdmitted(desk, use);
  const command = readCommand(use.text);
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
      return approvals(desk, use);
    case 'audit':
      return audit(desk, { team: use.team, person: use.person }, use.channel, after(use.text));
    case 'why':
      return why(desk, { team: use.team, person: use.person }, use.channel, use.text);
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
  // What asks for nothing but its target, and does no harm, needs no form once the target is named.
  const isHarmless = asksOnlyForTarget(operation) && !operation.warning && !mayAsk(desk.policy, operation);
  if (isHarmless && rest.length > 0) return runAtOnce(desk, operation, wish);
  await openForm(desk, operation, wish);
  return undefined;
}

/** A click on a job's message. */
async function onJob(
  desk: Desk,
  click: Owner & { channel: string; trigger: string },
  action: string,
  id: string,
): Promise<Content | undefined> {
  await mustBeAdmitted(desk, click);
  const job = await desk.jobs.find(id);
  if (!job || job.team !== click.team) return said('I do not know this job any more.');
  if (action === 'job.again') {
    const credential = await desk.credentials.find(click);
    if (!credential) return signInOffer(desk, click, click.channel, commandOf(job), 'You are not signed in.');
    await mustBeAllowed(desk, click, asked(job).operation);
    await openAgain(desk, job, click);
    return undefined;
  }
  if (job.person !== click.person) {
    await onlyRequester(desk, job, { ...click, digest: '' }, action.replace('job.', ''));
    return said(`Only <@${job.person}> can do this: the job runs with their sign-in.`);
  }
  const content = await steer(desk, job, action, click.channel);
  desk.wake();
  desk.tell();
  return content;
}

async function steer(desk: Desk, job: Job, action: string, channel: string): Promise<Content> {
  switch (action) {
    case 'job.look':
      return said(await lookAgain(desk, job, channel));
    case 'job.stop':
      return said(await stopLooking(desk, job, channel));
    case 'job.withdraw':
      return said(await withdraw(desk, job, channel));
    default:
      return signInOffer(desk, job, channel, null);
  }
}

/** What a person is told of a failure; one that a sign-in mends comes with the link, and goes on with `intent` then. */
async function refused(
  desk: Desk,
  owner: Owner,
  channel: string,
  intent: string | null,
  error: unknown,
): Promise<Content> {
  if (isSignedOut(error)) return signInOffer(desk, owner, channel, intent, sentence(error));
  desk.log.warn({ error }, 'could not do what was asked');
  return said(`:warning: ${plain(sentence(error), 1000)}`);
}

/** A command's text without its first word. */
function after(text: string): string {
  return text.trim().replace(/^\S+\s*/, '');
}

function given(action: object): string {
  return 'value' in action && typeof action.value === 'string' ? action.value : '';
}
