import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { lists } from '../api/call.ts';
import { type Noun, nounNames, typedIdentifier } from '../api/identifiers.ts';
import type { RecordView } from '../api/records.ts';
import { Failure, sentence } from '../failure.ts';
import { asked } from '../jobs/parts.ts';
import { check, type Inputs, leftOut, newJob } from '../jobs/submit.ts';
import { writeOperation } from '../operations/catalogue.ts';
import { writeDatabaseParams } from '../operations/fields.ts';
import type { WriteOperation } from '../operations/operation.ts';
import type { Job } from '../store/jobs.ts';
import type { Owner } from '../store/vault.ts';
import { signInOffer } from './connect.ts';
import { type Desk, openView, readRecords, showView } from './desk.ts';
import { closest, find, isOneOf } from './find.ts';
import { code, cut, limits, plain } from './limits.ts';
import { form, inputAction, type Metadata, notice, option, readView, redrawn, waitingForm } from './modal.ts';
import { choices } from './pickers.ts';
import { writeCommand } from './words.ts';

/** Who asks for a form, where, and with what filled in. `target` is a name or an identifier. */
export type Wish = Owner & { channel: string; trigger: string; target?: string | undefined; inputs: Inputs };

/**
 * Opens an operation's form at once, since a trigger lives for 3 s only; names in what is filled in are looked up
 * afterwards, and the form is shown when they are found.
 */
export async function openForm(desk: Desk, operation: WriteOperation, wish: Wish): Promise<void> {
  const { inputs, notes } = knownInputs(operation, wish.inputs);
  const target = wish.target ?? inputs[operation.target];
  const typed = { ...inputs, ...(target === undefined ? {} : { [operation.target]: target }) };
  const metadata: Metadata = { request: randomUUID(), channel: wish.channel, chosen: {}, labels: {} };
  const records = recordInputs(operation, typed);
  if (records.length === 0) {
    const view = form(operation, { metadata, inputs: typed, labels: {}, resets: {}, notes });
    await openView(desk, wish.trigger, view);
    return;
  }
  const names = records.map(({ text }) => code(text, 60)).join(', ');
  const opened = await openView(
    desk,
    wish.trigger,
    waitingForm(operation, metadata, `:hourglass_flowing_sand: Looking for ${names} …`),
  );
  const found = await lookUp(desk, wish, records);
  const others = Object.entries(typed).filter(([name]) => !records.some(field => field.name === name));
  const all = { ...Object.fromEntries(others), ...found.inputs };
  const unused = leftOut(operation, all).map(fault => `${plain(fault)}, so it is left out.`);
  const lead = found.signedOut ? await signInLead(desk, wish, wish.channel) : [];
  const state = {
    metadata,
    inputs: all,
    labels: found.labels,
    resets: {},
    notes: [...notes, ...found.notes, ...unused],
    lead,
  };
  await showView(desk, opened, form(operation, state));
}

/** What a form shows whose pickers cannot be filled without a sign-in; what was typed stays in it meanwhile. */
async function signInLead(desk: Desk, owner: Owner, channel: string): Promise<readonly KnownBlock[]> {
  const why =
    'Your sign-in at the service is missing or no longer valid, so the choices cannot be loaded. This form stays as it is.';
  return (await signInOffer(desk, owner, channel, null, why)).blocks;
}

/** Opens the form of a job again with what it asked for, as a new request. */
export async function openAgain(desk: Desk, job: Job, wish: Omit<Wish, 'inputs'>): Promise<void> {
  await openForm(desk, asked(job).operation, { ...wish, inputs: inputsOf(job) });
}

/** The words that ask for the same as a job did. */
export function commandOf(job: Job): string {
  return writeCommand({ words: asked(job).operation.words, inputs: inputsOf(job) });
}

function inputsOf(job: Job): Inputs {
  const texts = Object.entries(asked(job).values).map(([name, value]) => [
    name,
    typeof value === 'object' ? writeDatabaseParams(value) : String(value),
  ]);
  return Object.fromEntries(texts);
}

/** Listens to forms: pickers, redraws and submits. */
export function listenToForms(app: App, desk: Desk): void {
  app.options<'block_suggestion'>({ action_id: inputAction }, async ({ ack, body }) => {
    const view = readView(body.view);
    const operation = view && writeOperation(view.operation);
    const field = operation?.fields.find(({ name }) => name === body.block_id.split(':')[0]);
    if (!view || !operation || !field) return ack({ options: [] });
    const owner = { team: body.team?.id ?? '', person: body.user.id };
    const chosen = { ...view.metadata.chosen, ...view.inputs };
    const options = choices(desk, owner, operation, field, chosen, body.value).catch((error: unknown) => {
      desk.log.info({ error, field: field.name }, 'a picker could not be filled');
      const { view: open } = body;
      if (open && isSignedOut(error)) {
        const offer = signInLead(desk, owner, view.metadata.channel).then(lead =>
          showView(
            desk,
            open.id,
            form(operation, { ...view, lead, inputs: { ...view.metadata.chosen, ...view.inputs } }),
          ),
        );
        desk.run('offer a sign-in in a form', offer);
      }
      // Slack shows no error in a picker, so the reason stands among its options; choosing it is refused at the field.
      return [option('-', sentence(error), 'An identifier can be typed in full')];
    });
    // Slack waits for 3 s: what is not there by then is there for the next letter that is typed.
    const late = new Promise<undefined>(resolve => setTimeout(resolve, 2_500, undefined).unref());
    await ack({ options: (await Promise.race([options, late])) ?? [] });
  });

  app.action({ action_id: inputAction, type: 'block_actions' }, async ({ ack, body, action }) => {
    await ack();
    const before = readView(body.view);
    const operation = before && writeOperation(before.operation);
    const changed = 'block_id' in action ? action.block_id.split(':')[0] : undefined;
    if (!before || !operation || !changed || !body.view) return;
    const previous = {
      ...before,
      inputs: { ...before.inputs, ...erased(before.inputs, changed), ...pick(before.metadata.chosen, changed) },
    };
    const view = redrawn(operation, previous, changed, before);
    const { id, hash } = body.view;
    desk.run('redraw a form', desk.slack.views.update({ view_id: id, hash, view }));
  });

  app.view({ callback_id: /\./, type: 'view_submission' }, async ({ ack, body, view: payload }) => {
    const view = readView(payload);
    const operation = view && writeOperation(view.operation);
    if (!view || !operation)
      return ack({
        response_action: 'update',
        view: notice('Too old', 'This form is of an older release. Please ask again.'),
      });
    const checked = check(operation, view.inputs);
    if (!checked.ok) {
      const errors = Object.entries(checked.faults).map(([name, fault]) => [
        view.blockIds[name] ?? view.blockIds[operation.target] ?? name,
        cut(fault, limits.errorText),
      ]);
      return ack({ response_action: 'errors', errors: Object.fromEntries(errors) });
    }
    const owner = { team: body.team?.id ?? body.user.team_id ?? '', person: body.user.id };
    const { request, channel } = view.metadata;
    const job = newJob(operation, checked.values, {
      ...owner,
      request,
      channel,
      labels: view.labels,
      now: desk.clock.now(),
    });
    // The row stands before Slack hears that all is well: a form that closes is a job that is kept.
    const kept = await desk.jobs.add(job).catch((error: unknown) => {
      desk.log.error({ error }, 'a job could not be stored');
    });
    if (!kept) {
      const block = view.blockIds[operation.target] ?? operation.target;
      return ack({
        response_action: 'errors',
        errors: { [block]: 'I cannot store this at the moment, so nothing was sent. Please try again.' },
      });
    }
    await ack();
    desk.log.info(
      { job: kept.job.id, operation: operation.name, person: owner.person, isNew: kept.isNew },
      'job asked for',
    );
    desk.wake();
    desk.tell();
  });

  app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack }) => ack());
}

/** The inputs whose names the operation has, with a sentence for each that it has not or cannot use. */
function knownInputs(operation: WriteOperation, typed: Inputs): { inputs: Inputs; notes: string[] } {
  const inputs: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, value] of Object.entries(typed)) {
    const field = operation.fields.find(entry => entry.name.toLowerCase() === name.toLowerCase());
    if (!field) {
      const [close] = closest(name.toLowerCase(), operation.fields, entry => entry.name);
      notes.push(`There is no field ${code(name, 60)}.${close ? ` Did you mean ${code(close.name)}?` : ''}`);
      continue;
    }
    const text =
      field.widget.type === 'choice'
        ? (field.widget.options.find(entry =>
            [entry.value, entry.label].some(word => word.toLowerCase() === value.toLowerCase()),
          )?.value ?? value)
        : value;
    const fault = field.widget.type === 'record' ? undefined : field.schema.safeParse(text).error?.issues[0]?.message;
    if (fault) notes.push(`${code(`${name}=${value}`, 80)} cannot be used. ${plain(fault)}`);
    else inputs[field.name] = text;
  }
  return { inputs, notes };
}

type Typed = { name: string; nouns: readonly Noun[]; text: string };

function recordInputs(operation: WriteOperation, inputs: Inputs): Typed[] {
  return operation.fields.flatMap(({ name, widget }) => {
    const text = inputs[name];
    return widget.type === 'record' && text !== undefined ? [{ name, nouns: widget.nouns, text }] : [];
  });
}

/** Finds what was typed for record fields; what is not found, or found twice, becomes a note. */
async function lookUp(desk: Desk, owner: Owner, typed: readonly Typed[]) {
  const inputs: Record<string, string> = {};
  const labels: Record<string, string> = {};
  const notes: string[] = [];
  let signedOut = false;
  for (const { name, nouns, text } of typed) {
    let records: readonly RecordView[] = [];
    try {
      records = await recordsOf(desk, owner, nouns);
    } catch (error) {
      signedOut ||= isSignedOut(error);
      // The name stays among the notes, and an identifier is used as it is.
      if (!isOneOf(typedIdentifier(text), nouns)) {
        notes.push(`${plain(sentence(error))} ${code(`${name}=${text}`, 80)} is left for you to choose.`);
        continue;
      }
    }
    const found = find(text, nouns, records);
    if (found.type === 'one') {
      inputs[name] = found.id;
      if (found.name) labels[found.id] = found.name;
    } else notes.push(said(found, text, nouns));
  }
  return { inputs, labels, notes, signedOut };
}

async function recordsOf(desk: Desk, owner: Owner, nouns: readonly Noun[]): Promise<readonly RecordView[]> {
  if (nouns.includes('live') || nouns.includes('clone')) return readRecords(desk, owner, lists.databases, nouns);
  if (nouns.includes('environment')) return readRecords(desk, owner, lists.environments, nouns);
  if (nouns.includes('project')) return readRecords(desk, owner, lists.projects, nouns);
  return [];
}

function said(found: Exclude<ReturnType<typeof find>, { type: 'one' }>, text: string, nouns: readonly Noun[]): string {
  if (found.type === 'wrong') return plain(found.sentence);
  if (found.type === 'several') {
    const ids = found.records
      .slice(0, 8)
      .map(
        record =>
          `${code(record.id.text)}${record.environment?.label ? ` on ${plain(record.environment.label, 60)}` : ''}`,
      );
    return `${found.records.length} ${nounNames[nouns[0] ?? 'live'].many} are called ${code(text, 60)}: ${ids.join(', ')}. Choose one below.`;
  }
  const close = found.close.map(record => code(record.name ?? record.id.text, 60));
  return `Nothing is called ${code(text, 60)}.${close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : ''}`;
}

function pick(chosen: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return chosen[name] === undefined ? {} : { [name]: chosen[name] };
}

function erased(inputs: Inputs, name: string): Record<string, string> {
  return name in inputs ? { [name]: '' } : {};
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'signed-out';
}
