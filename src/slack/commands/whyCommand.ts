import { type Identifier, type Noun, typedIdentifier } from '../../api/identifiers.ts';
import { Failure, isSignedOut, sentence } from '../../ground/failure.ts';
import { examine } from '../../jobs/approval/checks.ts';
import { concluded, type Finding } from '../../jobs/approval/findings.ts';
import { check, type Inputs } from '../../jobs/newJob.ts';
import { findOperation } from '../../operations/catalogue.ts';
import { fieldsFor, type Operation, targetNouns, type WriteOperation } from '../../operations/operation.ts';
import { find, isOneOf, type Named } from '../../records/find.ts';
import { type RecordReader, recordReader } from '../../records/recordReader.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Owner } from '../../store/vault.ts';
import { button, type Content, message, said } from '../blocks/blocks.ts';
import { code, limits } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import { knownInputs, lookUp, namedIn, namedTwice, recordInputs } from '../forms/fill.ts';
import { whyBlock } from '../forms/modal.ts';
import { chooser } from '../records/chooser.ts';
import { signInOffer } from '../signIn/signIn.ts';
import { type Command, readCommand, writeCommand } from '../words/commandWords.ts';
import { ownCommands, unknown } from './help.ts';
import { strayInputs } from './strayWords.ts';
import { answerTo } from './whyAnswer.ts';

/** What was found of a target by what was typed for it, and what else may have been meant. */
type Target = Readonly<{ id?: Identifier; name?: string; finding?: Finding; near?: readonly Named[] }>;

/**
 * `why <command>`: holds a command against every gate as if it were asked, and says of each whether it would pass.
 * Nothing but reads is sent to the service, and no job is made.
 */
export async function why(desk: Desk, owner: Owner, channel: string, text: string): Promise<Content> {
  const { names } = desk;
  const { words: all, inputs } = readCommand(text);
  const command: Command = { words: asTyped(desk, all.slice(1)), inputs };
  const [first] = command.words;
  if (first === undefined)
    return said(
      `Say which command: ${code(`${names.db} why delete orders`)}, ${code(`${names.db} why ${names.clone} orders`)}.`,
    );
  const found = findOperation(command.words);
  if (!found) {
    const isOwn = ownCommands.some(({ word }) => word === first.toLowerCase());
    return isOwn
      ? said(`${code(`${names.db} ${first}`)} is between you and me: no gate stands before it.`)
      : unknown(names, command);
  }
  const stray = strayInputs(names, found.operation, inputs) ?? namedTwice(found.operation, found.rest, inputs);
  if (stray !== undefined) return said(stray);
  const credential = await desk.credentials.find(owner);
  const asked = { operation: found.operation, rest: found.rest, inputs };
  const line = writeCommand(command);
  if (!credential) {
    const findings: Finding[] = [
      { gate: 'signIn', result: 'failed', sentence: 'You are not signed in to the service.' },
    ];
    return withOffer(desk, owner, channel, line, await unread(desk, owner, asked, findings));
  }
  const findings: Finding[] = [
    { gate: 'signIn', result: 'passed', sentence: `You are signed in as ${credential.username}.` },
  ];
  const records = recordReader(call => desk.service.fetch(credential.token, call), desk.mapping);
  try {
    const token = await tokenOf(records, found.operation, credential);
    const all = [...findings, token];
    // What cannot be asked now cannot be looked at either.
    if (token.result !== 'passed') return answerTo(shownAs(desk, line), await unread(desk, owner, asked, all));
    return await answer(desk, owner, asked, all, records, line);
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    await desk.credentials.drop(owner, credential.token, desk.clock.now());
    const refused: Finding[] = [...findings, { gate: 'token', result: 'failed', sentence: sentence(error) }];
    return withOffer(desk, owner, channel, line, await unread(desk, owner, asked, refused));
  }
}

type Asked = Readonly<{ operation: Operation; rest: readonly string[]; inputs: Inputs }>;

/** The words of a command without its slash: `/clone orders` is `clone orders`. */
function asTyped({ names }: Desk, words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  switch (first.toLowerCase()) {
    case names.db:
      return rest;
    case names.clone:
      return ['clone', ...rest];
    case names.restore:
      return ['restore', ...rest];
    default:
      return words;
  }
}

/** A command as it would be typed. */
function shownAs({ names }: Desk, line: string): string {
  return `${names.db} ${line}`;
}

async function withOffer(
  desk: Desk,
  owner: Owner,
  channel: string,
  line: string,
  findings: readonly Finding[],
): Promise<Content> {
  const shown = answerTo(shownAs(desk, line), findings);
  const offer = await signInOffer(desk, owner, channel, `why ${line}`);
  return message([...shown.blocks, ...offer.blocks]);
}

/** Whether the service honours the token, asked now. @throws {Failure} `signed-out` where it does not */
async function tokenOf(records: RecordReader, operation: Operation, { username }: Credential): Promise<Finding> {
  const [noun = 'live'] = nounsOf(operation);
  try {
    await records.list(noun === 'snapshot' ? 'live' : noun);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    if (error.kind !== 'forbidden' && error.kind !== 'missing' && error.kind !== 'refused')
      return { gate: 'token', result: 'hidden', sentence: error.message };
  }
  return { gate: 'token', result: 'passed', sentence: `The service honours the sign-in of ${username}.` };
}

/** What can be said without asking the service. */
async function unread(
  desk: Desk,
  owner: Owner,
  { operation, rest, inputs }: Asked,
  findings: readonly Finding[],
): Promise<readonly Finding[]> {
  const token: Finding = { gate: 'token', result: 'hidden', sentence: 'Not asked, since you are not signed in.' };
  const target: Finding = { gate: 'target', result: 'hidden', sentence: 'It was not looked for.' };
  const known = [...findings, ...(findings.some(({ gate }) => gate === 'token') ? [] : [token])];
  if (operation.type === 'read') return operation.shows === 'one' ? [...known, target] : known;
  const values = knownInputs(operation, { ...namedIn(operation, rest), ...inputs }).inputs;
  const question = { owner, operation, values, target: undefined, name: undefined, records: undefined };
  return [...known, target, ...(await examine(desk, question))];
}

async function answer(
  desk: Desk,
  owner: Owner,
  { operation, rest, inputs: given }: Asked,
  before: readonly Finding[],
  records: RecordReader,
  line: string,
): Promise<Content> {
  if (operation.type === 'read') {
    const typed = rest.join(' ');
    const found = operation.shows === 'one' ? await targetOf(records, operation.nouns, typed) : {};
    const missing = operation.shows === 'one' && typed === '' ? [nothingNamed] : [];
    const finding = found.finding ?? (found.id && (await shown(records, found.id, found.name)));
    const findings = [...before, ...missing, ...(finding ? [finding] : [])];
    return answerTo(shownAs(desk, line), findings, { actions: actionsFor(operation, line, findings, found.near) });
  }
  const isWhy = (name: string) => name.toLowerCase() === whyBlock;
  const others = Object.entries(given).filter(([name]) => !isWhy(name));
  const { inputs: typed, notes } = knownInputs(operation, {
    ...namedIn(operation, rest),
    ...Object.fromEntries(others),
  });
  const wanted = typed[operation.target];
  const found = wanted === undefined ? {} : await targetOf(records, targetNouns(operation), wanted);
  const rests = recordInputs(operation, typed).filter(({ name }) => name !== operation.target);
  const looked = await lookUp(desk, owner, operation, rests, found.id ? { [operation.target]: found.id.text } : {});
  const plainInputs = Object.entries(typed).filter(([name]) => !rests.some(field => field.name === name));
  const { [operation.target]: _, ...rest_ } = Object.fromEntries(plainInputs);
  const inputs: Inputs = { ...rest_, ...looked.inputs, ...(found.id ? { [operation.target]: found.id.text } : {}) };
  const checked = check(operation, inputs);
  const question = {
    ...{ owner, operation, records, target: found.id, name: found.name },
    values: checked.ok ? checked.values : inputs,
  };
  const findings = [...before, ...(found.finding ? [found.finding] : []), ...(await examine(desk, question))];
  return answerTo(shownAs(desk, line), findings, {
    notes: [...notes, ...looked.notes, ...(found.finding ? [] : stillAsked(operation, inputs))],
    actions: actionsFor(operation, line, findings, found.near),
  });
}

const nothingNamed: Finding = { gate: 'target', result: 'failed', sentence: 'None is named, and this needs one.' };

/** The record that a name or an identifier stands for. */
async function targetOf(records: RecordReader, nouns: readonly Noun[], typed: string): Promise<Target> {
  const own = typedIdentifier(typed);
  if (typed === '') return {};
  const all = await namesIn(records, nouns).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    return error;
  });
  if (all instanceof Failure && !isOneOf(own, nouns))
    return {
      finding: { gate: 'target', result: 'hidden', sentence: `“${typed}” could not be looked for: ${all.message}` },
    };
  const found = find(typed, nouns, all instanceof Failure ? [] : all);
  const failed = (why: string, near: readonly Named[] = []): Target => ({
    finding: { gate: 'target', result: 'failed', sentence: why },
    near,
  });
  switch (found.type) {
    case 'wrong':
      return failed(found.sentence);
    case 'several':
      return failed(`${found.records.length} are called “${typed}”.`, found.records);
    case 'none':
      return failed(`Nothing is called “${typed}”.`, found.close);
    case 'one': {
      const id = typedIdentifier(found.id);
      return { ...(id ? { id } : {}), ...(found.name === undefined ? {} : { name: found.name }) };
    }
  }
}

/** Snapshots stand inside databases only. */
async function namesIn(records: RecordReader, nouns: readonly Noun[]): Promise<readonly Named[]> {
  const [noun = 'live'] = nouns;
  if (noun !== 'snapshot') return (await records.list(noun)).records;
  const mentions = (await records.list('live')).records.flatMap(record => record.mentions);
  return mentions
    .filter(({ id }) => id.noun === noun)
    .map(({ id, label }) => ({ id, name: label, environment: undefined }));
}

/** Whether a record can be shown to this person. */
async function shown(records: RecordReader, id: Identifier, name: string | undefined): Promise<Finding> {
  const what = name === undefined || name === id.text ? id.text : `${name} is ${id.text}`;
  try {
    return (await records.one(id))
      ? { gate: 'target', result: 'passed', sentence: `${what}.` }
      : { gate: 'target', result: 'failed', sentence: `No record shows ${id.text}.` };
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
    return { gate: 'target', result: error.kind === 'forbidden' ? 'failed' : 'hidden', sentence: error.message };
  }
}

/** What the form still asks for; of a choice, one is made already. */
function stillAsked(operation: WriteOperation, inputs: Inputs): readonly string[] {
  const missing = fieldsFor(operation, inputs)
    .filter(({ name, required, widget }) => required && widget.type !== 'choice' && inputs[name] === undefined)
    .map(({ label }) => label);
  return missing.length > 0 ? [`The form asks for: ${missing.join(', ')}.`] : [];
}

/** A button that runs the command, or one for each record that may have been meant. */
function actionsFor(operation: Operation, line: string, findings: readonly Finding[], near: readonly Named[] = []) {
  if (near.length > 0) return chooser(['why', ...operation.words], near);
  const { type } = concluded(findings);
  return type === 'refused' || line.length > limits.buttonValue
    ? []
    : [button('command.run:why', 'Run the command', line)];
}

function nounsOf(operation: Operation): readonly Noun[] {
  return operation.type === 'read' ? operation.nouns : targetNouns(operation);
}
