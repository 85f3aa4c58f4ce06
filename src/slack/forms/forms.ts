import { randomUUID } from 'node:crypto';
import type { App } from '@slack/bolt';
import type { KnownBlock, ModalView } from '@slack/types';
import { recordCall } from '../../api/call.ts';
import { typedIdentifier } from '../../api/identifiers.ts';
import { readRecord } from '../../api/reading/recordList.ts';
import { isSignedOut, StoreTrouble, sentence } from '../../ground/failure.ts';
import { canBeRead } from '../../ground/lookalikes.ts';
import { actorOf } from '../../jobs/actor.ts';
import { mayNeedApproval } from '../../jobs/approval/verdict.ts';
import { check, type Inputs, leftOut, newJob, requestKeyOf } from '../../jobs/newJob.ts';
import { operationOf } from '../../jobs/parts.ts';
import { pointlessState } from '../../jobs/pointless.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { writeDatabaseParams } from '../../operations/fields.ts';
import { asksOnlyForTarget, type Values, type WriteOperation } from '../../operations/operation.ts';
import type { Job } from '../../store/jobs/job.ts';
import type { Owner } from '../../store/vault.ts';
import { type Content, notice, option, said } from '../blocks/blocks.ts';
import { code, cut, limits, plain } from '../blocks/limits.ts';
import { mustBeAdmitted, mustBeAllowed } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { Use } from '../desk/use.ts';
import { openView, showView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { chooser } from '../records/chooser.ts';
import { read, readRecords } from '../records/reading.ts';
import { signInOffer } from '../signIn/signIn.ts';
import { writeCommand } from '../words/commandWords.ts';
import { meantBy } from '../words/otherCommands.ts';
import { knownBeforehand } from './beforehand.ts';
import { fitChoices, knownInputs, lookUp, recordInputs } from './fill.ts';
import { inputAction, type Metadata, readView } from './formState.ts';
import { confirmBlock, form, lastPage, mostWhy, nameToType, redrawn, waitingForm, whyBlock } from './modal.ts';
import { choices } from './pickers.ts';

/** Slack waits for an answer for 3 s: what takes longer than this, in milliseconds, is answered without it. */
const ackPatience = 2_500;
/** So long of it is left to a look at the record, in milliseconds. */
const lookPatience = 1_000;
const storeFault =
  'My store is in trouble: I cannot store this at the moment, so nothing was sent. Please try again in a while.';
const storedLate =
  'My store is slow, so I do not know yet whether I have this. Submit it again: it is done once in any case.';

/** Who asks for a form, where, and with what filled in: names or identifiers for records. */
export type Wish = Owner & { channel: string; trigger: string; inputs: Inputs };

/**
 * Opens an operation's form at once, since a trigger lives for 3 s only; names in what is filled in are looked up
 * afterwards, and the form is shown when they are found: its last page, where nothing is left to ask.
 */
export async function openForm(desk: Desk, operation: WriteOperation, wish: Wish): Promise<void> {
  const { why, others: given } = whyOf(wish.inputs);
  const { inputs: typed, notes } = knownInputs(operation, given);
  const metadata: Metadata = {
    request: randomUUID(),
    channel: wish.channel,
    chosen: {},
    labels: {},
    ...(mayNeedApproval(desk.policy, operation) ? { asksWhy: true } : {}),
    ...(why ? { why } : {}),
  };
  const records = recordInputs(operation, typed);
  if (records.length === 0) {
    await openView(desk, wish.trigger, form(operation, { metadata, inputs: typed, labels: {}, resets: {}, notes }));
    return;
  }
  const names = records.map(({ text }) => code(text, 60)).join(', ');
  const opened = await openView(
    desk,
    wish.trigger,
    waitingForm(operation, metadata, `:hourglass_flowing_sand: Looking for ${names} …`),
  );
  const found = await lookUp(desk, wish, operation, records);
  const others = Object.entries(typed).filter(([name]) => !records.some(field => field.name === name));
  const { inputs, notes: unfit } = fitChoices(operation, { ...Object.fromEntries(others), ...found.inputs });
  const unused = leftOut(operation, inputs).map(fault => `${plain(fault)}, so it is left out.`);
  const lead = found.signedOut ? await signInLead(desk, wish, wish.channel) : [];
  const state = {
    metadata,
    inputs,
    labels: found.labels,
    resets: {},
    notes: [...notes, ...found.notes, ...unfit, ...unused],
    lead,
  };
  const checked = check(operation, inputs);
  const isWhole = checked.ok && operation.warning && asksOnlyForTarget(operation);
  const settled = isWhole ? await settledAlready(desk, wish, operation, checked.values, found.labels) : undefined;
  if (settled !== undefined) return showView(desk, opened, notice('Nothing to do', settled));
  const view = isWhole
    ? await confirmation(desk, wish, operation, { ...metadata, labels: found.labels }, inputs, checked.values)
    : form(operation, state);
  await showView(desk, opened, view);
}

/**
 * Does at once what needs no form: an operation that asks for nothing but its target, and does no harm. Answers what
 * the person is told; `undefined` where the job's own message says it all.
 */
export async function runAtOnce(
  desk: Desk,
  operation: WriteOperation,
  wish: Wish & Pick<Use, 'id'>,
): Promise<Content | undefined> {
  // Who was killed after this has its message.
  if (await desk.jobs.findByRequest(requestKeyOf(wish, wish.id))) return undefined;
  const { why = null, others } = whyOf(wish.inputs);
  const [target] = recordInputs(operation, others);
  if (!target) return said(`Say which one: ${code(`${operation.words.join(' ')} <name or identifier>`)}.`);
  const found = await lookUp(desk, wish, operation, [target]);
  const checked = check(operation, found.inputs);
  if (!checked.ok) {
    if (found.fault) throw found.fault;
    const hint = meantBy(desk.names.db, operation, ...target.text.split(/\s+/));
    const fault = found.notes.join('\n') || plain(Object.values(checked.faults).join(' '));
    return said([fault, hint].filter(Boolean).join(' '), chooser(operation.words, found.near));
  }
  const settled = await settledAlready(desk, wish, operation, checked.values, found.labels);
  if (settled) return said(settled);
  const metadata = { request: wish.id, channel: wish.channel, labels: found.labels };
  if (await keepJob(desk, operation, wish, metadata, checked.values, why && cut(why, mostWhy))) return undefined;
  throw new StoreTrouble(storeFault);
}

/**
 * Says that the target stands as it is asked to, so that nothing is sent; `undefined` where it does not, or cannot be read.
 */
async function settledAlready(
  desk: Desk,
  { team, person }: Owner,
  operation: WriteOperation,
  values: Values,
  labels: Inputs,
): Promise<string | undefined> {
  const id = typedIdentifier(String(values[operation.target] ?? ''));
  const call = id && operation.pointlessIn && recordCall(id);
  if (!call || !id.noun) return undefined;
  const owner = { team, person };
  try {
    const record = readRecord(await read(desk, owner, call, desk.clock.now()), id, desk.mapping);
    const beside = id.noun === 'environment' ? [id.noun] : (['live', 'clone'] as const);
    const word = record && pointlessState(operation, record, (await readRecords(desk, owner, beside)).records);
    const name = record?.name ?? labels[id.text] ?? id.text;
    return word && `${plain(name, 100)} is ${plain(word, 60)} already, so nothing was sent.`;
  } catch (error) {
    desk.log.info({ error, record: id.text }, 'a record could not be read before it is asked for');
    return undefined;
  }
}

/** Why somebody asks, as `reason=…` says it, apart from the fields. */
function whyOf(inputs: Inputs): { why?: string | undefined; others: Inputs } {
  const isWhy = (name: string) => name.toLowerCase() === whyBlock;
  const why = Object.entries(inputs).find(([name]) => isWhy(name))?.[1];
  return { why, others: Object.fromEntries(Object.entries(inputs).filter(([name]) => !isWhy(name))) };
}

/** The page that says what will happen to the target, and what is known of that unless it is `late`. */
async function confirmation(
  desk: Desk,
  { team, person }: Owner,
  operation: WriteOperation,
  metadata: Metadata,
  pending: Inputs,
  values: Values,
  late?: Promise<unknown>,
): Promise<ModalView> {
  const name = nameOf(operation, metadata.labels, pending);
  // A record is said by its name, too.
  const told = recordInputs(operation, pending).flatMap(field => {
    const [value, label] = [values[field.name], metadata.labels[field.text]];
    return value === undefined || label === undefined || label === value ? [] : [[field.name, `${label} (${value})`]];
  });
  const warning = operation.warning?.(name, { ...values, ...Object.fromEntries(told) }) ?? '';
  const known = await Promise.race([
    knownBeforehand(desk, { team, person }, operation, values),
    ...(late ? [late.then(() => [])] : []),
  ]);
  return lastPage(operation, metadata, pending, warning, name, known);
}

function nameOf(operation: WriteOperation, labels: Readonly<Record<string, string>>, inputs: Inputs): string {
  const target = inputs[operation.target] ?? '';
  return labels[target] ?? target;
}

/** Stores a job and starts on it; `false` where the store does not take it. */
async function keepJob(
  desk: Desk,
  operation: WriteOperation,
  { team, person }: Owner,
  { request, channel, labels }: Pick<Metadata, 'request' | 'channel' | 'labels'>,
  values: Values,
  purpose: string | null,
): Promise<boolean> {
  const job = newJob(operation, values, { team, person, request, channel, labels, purpose, now: desk.clock.now() });
  try {
    await desk.jobs.add(job, await actorOf(desk, { team, person }, channel));
  } catch (error) {
    desk.log.error({ error, job: job.id, operation: operation.name, person, team }, 'a job could not be stored');
    return false;
  }
  desk.wake();
  desk.tell();
  return true;
}

/** What a form shows whose pickers cannot be filled without a sign-in; what was typed stays in it meanwhile. */
async function signInLead(desk: Desk, owner: Owner, channel: string): Promise<readonly KnownBlock[]> {
  const why =
    'Your sign-in at the service is missing or no longer valid, so the choices cannot be loaded. This form stays as it is.';
  return (await signInOffer(desk, owner, channel, null, why)).blocks;
}

/** Opens the form of a job again with what it asked for, as a new request. */
export async function openAgain(desk: Desk, job: Job, wish: Omit<Wish, 'inputs'>): Promise<void> {
  await openForm(desk, operationOf(job), { ...wish, inputs: inputsOf(job) });
}

/** The words that ask for the same as a job did. */
export function commandOf(job: Job): string {
  return writeCommand({ words: operationOf(job).words, inputs: inputsOf(job) });
}

function inputsOf(job: Job): Inputs {
  const texts = Object.entries(job.values).map(([name, value]) => [
    name,
    typeof value === 'object' ? writeDatabaseParams(value) : String(value),
  ]);
  return Object.fromEntries(job.purpose === null ? texts : [...texts, [whyBlock, job.purpose]]);
}

/** Listens to forms: pickers, redraws and submits. */
export function listenToForms(app: App, desk: Desk): void {
  app.options<'block_suggestion'>({ action_id: inputAction }, async ({ ack, body }) => {
    const view = readView(body.view);
    const operation = view && writeOperation(view.operation);
    const field = operation?.fields.find(({ name }) => name === body.block_id.split(':')[0]);
    if (!view || !operation || !field) return ack({ options: [] });
    const owner = whoIn(body);
    const chosen = { ...view.metadata.chosen, ...view.inputs };
    const filled = () =>
      choices(desk, owner, operation, field, chosen, body.value).catch((error: unknown) => {
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
    const late = new Promise<undefined>(resolve => setTimeout(resolve, ackPatience, undefined).unref());
    const options = mustBeAdmitted(desk, owner).then(filled, () => []);
    await ack({
      options: (await Promise.race([options, late])) ?? [option('-', 'Still loading …', 'Type a letter to ask again')],
    });
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
    const owner = whoIn(body);
    const { metadata } = view;
    const late = new Promise<'late'>(resolve => setTimeout(resolve, ackPatience, 'late').unref());
    const use = { ...owner, channel: metadata.channel };
    // Side by side, since Slack waits for 3 s; a form may be older than the policy.
    const asking = Promise.all([mustBeAdmitted(desk, owner), mustBeAllowed(desk, use, operation)]);
    const refusal = await asking.then(() => undefined, sentence);
    if (refusal !== undefined) return ack({ response_action: 'update', view: notice('Not sent', plain(refusal)) });
    const labels = { ...metadata.labels, ...view.labels };
    const inputs = metadata.pending ?? trimmed(view.inputs);
    const checked = check(operation, inputs);
    if (!checked.ok) {
      const errors = Object.entries(checked.faults).map(([name, fault]) => [
        view.blockIds[name] ?? view.blockIds[operation.target] ?? name,
        cut(fault, limits.errorText),
      ]);
      return ack({ response_action: 'errors', errors: Object.fromEntries(errors) });
    }
    if (!metadata.pending) {
      const unread = new Promise<undefined>(resolve => setTimeout(resolve, lookPatience, undefined).unref());
      const looked = settledAlready(desk, owner, operation, checked.values, labels);
      const settled = await Promise.race([looked, unread]);
      const block = view.blockIds[operation.target] ?? operation.target;
      if (settled !== undefined)
        return ack({ response_action: 'errors', errors: { [block]: cut(settled, limits.errorText) } });
    }
    if (operation.warning && !metadata.pending) {
      return ack({
        response_action: 'push',
        view: await confirmation(desk, owner, operation, { ...metadata, labels }, inputs, checked.values, late),
      });
    }
    const target = inputs[operation.target] ?? '';
    const wanted = nameToType(nameOf(operation, labels, inputs), target);
    const typed = view.inputs[confirmBlock]?.trim();
    const why = view.inputs[whyBlock]?.trim() ?? '';
    const errors = {
      ...(operation.typed && typed !== wanted && typed !== target
        ? { [confirmBlock]: cut(`Type ${wanted} as it is written here, or ${target}.`, limits.errorText) }
        : {}),
      ...(mayNeedApproval(desk.policy, operation) && !canBeRead(why)
        ? { [whyBlock]: 'Say why, for those who approve it.' }
        : {}),
    };
    if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
    // The row stands before Slack hears that all is well: a form that closes is a job that is kept.
    const keeping = keepJob(desk, operation, owner, { ...metadata, labels }, checked.values, why || null);
    const kept = await Promise.race([keeping, late]);
    if (kept !== true) {
      const block = operation.typed ? confirmBlock : (view.blockIds[operation.target] ?? operation.target);
      const fault = kept === 'late' ? storedLate : storeFault;
      return ack({ response_action: 'errors', errors: { [block]: fault } });
    }
    return metadata.pending ? ack({ response_action: 'clear' }) : ack();
  });

  app.view({ type: 'view_closed', callback_id: /.*/ }, async ({ ack }) => ack());
}

/** Without the blanks around them, which would count where Slack keeps them between two pages. */
function trimmed(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, text.trim()]));
}

function pick(chosen: Readonly<Record<string, string>>, name: string): Record<string, string> {
  return chosen[name] === undefined ? {} : { [name]: chosen[name] };
}

function erased(inputs: Inputs, name: string): Record<string, string> {
  return name in inputs ? { [name]: '' } : {};
}
