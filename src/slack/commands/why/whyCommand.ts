import pLimit from 'p-limit';
import { Failure, failureBut, isSignedOut, sentence } from '../../../ground/failure.ts';
import { checkSignIn, examine } from '../../../jobs/approval/checks.ts';
import { type Finding, outlookOf } from '../../../jobs/approval/facts/findings.ts';
import { openInquiry } from '../../../jobs/approval/inquiry.ts';
import { guardedFor } from '../../../jobs/approval/people/maker.ts';
import { check, type Inputs } from '../../../jobs/newJob.ts';
import type { Inquirer } from '../../../jobs/parts.ts';
import { findOperation } from '../../../operations/catalogue.ts';
import {
  fieldsFor,
  isRenewal,
  type JobOperation,
  type Operation,
  type ReadOperation,
  targetNouns,
} from '../../../operations/operation.ts';
import { isForBatches, togetherNouns } from '../../../operations/plans/batch.ts';
import type { Named } from '../../../records/find.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import type { Credential } from '../../../store/tables/credentials.ts';
import type { Owner } from '../../../store/vault.ts';
import { type Content, message, said } from '../../blocks/message.ts';
import { code } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { knownInputs, lookUp, namedIn, namedTwice, recordInputs } from '../../forms/fill/inputsInWords.ts';
import { neededFields } from '../../forms/fill/needed.ts';
import type { Filler, FormFiller } from '../../forms/formDesk.ts';
import { readRenewal } from '../../forms/plans/renewal.ts';
import { findPreset } from '../../forms/presets/askedPreset.ts';
import { textsOfPreset } from '../../forms/presets/fillFromPreset.ts';
import { presetBlock } from '../../forms/presets/presetWords.ts';
import { commandCalled } from '../../house.ts';
import { chooser } from '../../records/chooser.ts';
import { signInOffer } from '../../signIn/signIn.ts';
import { runCommand } from '../../words/commandActions.ts';
import { type Command, readCommand, takeInput, takeReason, writeCommand } from '../../words/commandText.ts';
import { wordsBySlashCommand } from '../help.ts';
import { strayInputs } from '../strayWords.ts';
import { unknown } from '../unknown.ts';
import { whyAnswer, whySeveral } from './whyAnswer.ts';
import { examineSteps } from './whySteps.ts';
import { checkShown, findTarget, findTargets, targetFailure } from './whyTarget.ts';

/** The command in question: its operation, the words behind the operation's name, its fields, and its text. */
type CommandInQuestion<Of extends Operation = Operation> = Readonly<{
  operation: Of;
  rest: readonly string[];
  inputs: Inputs;
  line: string;
}>;

/** The person who asks, with their sign-in and its record reader, if there are any. */
type WhyAsker = Readonly<{ owner: Owner; credential: Credential | undefined; records: RecordReader | undefined }>;

/** The findings about a command, with the notes and buttons of the answer. */
type Examined = Readonly<{
  findings: readonly Finding[];
  notes?: readonly string[];
  /** Records that the person may have meant. */
  near?: readonly Named[] | undefined;
}>;

/** Makes the checks that a command would meet. */
export type Examiner = FormFiller & Desk<'credentials' | 'people' | 'presets' | 'house'>;

/**
 * Answers `why <command>`: makes the checks that the command would meet, and says which of them it would pass. Sends
 * only reads to the service, and creates no job.
 */
export async function why(desk: Examiner, owner: Owner, channel: string, text: string): Promise<Content> {
  const { names } = desk;
  const { words: all, inputs } = readCommand(text);
  const command: Command = { words: withoutSlash(desk, all.slice(1)), inputs };
  const [first] = command.words;
  if (first === undefined)
    return said(
      `Say which command: ${code(`${names.db} why delete orders`)}, ${code(`${names.db} why ${names.clone} orders`)}.`,
    );
  const found = findOperation(command.words);
  if (!found) {
    const isOwn = commandCalled(desk.house, first) !== undefined;
    return isOwn
      ? said(`${code(`${names.db} ${first}`)} is between you and me: nobody has to allow it.`)
      : unknown(desk, command, ['why']);
  }
  const stray = strayInputs(names, found.operation, inputs) ?? namedTwice(found.operation, found.rest, inputs);
  if (stray !== undefined) return said(stray);
  const given = await withPresetWords(desk, { ...owner, channel }, found, inputs);
  const asked: CommandInQuestion = {
    operation: found.operation,
    rest: found.rest,
    inputs: given,
    line: writeCommand(command),
  };
  const session = await desk.pages.records.session(owner);
  if (!session)
    return withSignInOffer(desk, { ...owner, channel }, asked, await examineUnread(desk.pages, owner, asked));
  const { credential, records } = session;
  try {
    const token = await checkToken(records, asked.operation, credential);
    if (token.result !== 'passed')
      return answer(desk, asked, await examineUnread(desk.pages, owner, asked, { credential, token }));
    const asker = { owner, credential, records };
    const several = await meantTogether(desk, asker, asked);
    if (several) return await answerSeveral(desk, asker, asked, several);
    const examined = await examineWhole(desk, asker, asked);
    return answer(desk, asked, { ...examined, findings: [token, ...examined.findings] });
  } catch (error) {
    if (!isSignedOut(error)) throw error;
    const token = { gate: 'token', result: 'failed', sentence: sentence(error), stops: 'refused' } as const;
    const examined = await examineUnread(desk.pages, owner, asked, { credential, token });
    return withSignInOffer(desk, { ...owner, channel }, asked, examined);
  }
}

/** The inputs of a command with those of the preset that it names, as its form would have them. */
async function withPresetWords(
  desk: Desk<'credentials' | 'people' | 'clock' | 'presets'>,
  speaker: Owner & { channel: string },
  { operation, rest }: Readonly<{ operation: Operation; rest: readonly string[] }>,
  inputs: Inputs,
): Promise<Inputs> {
  if (operation.type === 'read' || takeInput(inputs, presetBlock).text === undefined) return inputs;
  const typed = { ...namedIn(operation, rest), ...inputs };
  const { preset } = await findPreset(desk, operation, { ...speaker, inputs });
  const texts = preset && (await textsOfPreset(desk, speaker, operation, preset)).inputs;
  const names = Object.keys(typed).map(name => name.toLowerCase());
  const missing = Object.entries(texts ?? {}).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...takeInput(inputs, presetBlock).others, ...Object.fromEntries(missing) };
}

/** Reads `/clone orders` as `clone orders`. */
function withoutSlash({ names }: Desk<'names'>, words: readonly string[]): readonly string[] {
  const [first = '', ...rest] = words;
  const known = wordsBySlashCommand(names).find(([name]) => name === first.toLowerCase());
  return known ? [...known[1], ...rest] : words;
}

function answer(
  { names }: Desk<'names'>,
  { operation, line }: CommandInQuestion,
  { findings, notes = [], near = [] }: Examined,
) {
  const isRefused = outlookOf(findings).type === 'refused';
  const isRunnable = !isRefused && runCommand.fits(line);
  const run = isRunnable ? [runCommand.button('Run the command', line, { suffix: 'why' })] : [];
  const actions = near.length > 0 ? chooser(['why', ...operation.words], near) : run;
  return whyAnswer(`${names.db} ${line}`, findings, { notes, actions });
}

/** The records that a command names or means together; `undefined` where it is about one. */
async function meantTogether(
  { house }: Desk<'house'>,
  { owner, records }: WhyAsker & { records: RecordReader },
  { operation, rest }: CommandInQuestion,
): Promise<Several | undefined> {
  if (!isForBatches(operation)) return undefined;
  const named = await findTargets(records, togetherNouns(operation), rest);
  if (named.length > 0) return { targets: named.map(({ id, name = id }) => ({ id, name })) };
  const meant = await (await house.meantBy(undefined, owner, { operation, words: rest }))?.();
  return meant && { ...meant, targets: meant.records.map(({ id: { text: id }, name = id }) => ({ id, name })) };
}

/** Records that are meant together; `none` says that a word means none of them now. */
type Several = Readonly<{ targets: readonly Readonly<{ id: string; name: string }>[]; notes?: readonly string[] }> &
  Readonly<{ none?: string | undefined }>;

/** Answers about several records at once, each as if it were asked for alone. */
async function answerSeveral(
  desk: Examiner,
  asker: WhyAsker & { records: RecordReader },
  asked: CommandInQuestion,
  { targets, notes = [], none }: Several,
): Promise<Content> {
  if (none !== undefined) return said([none, ...notes].join('\n'));
  const inTurn = pLimit(examinedAtOnce);
  const examined = targets.map(({ id, name }) =>
    inTurn(async () => ({ name, ...(await examineWhole(desk, asker, { ...asked, rest: [id] })) })),
  );
  return whySeveral(`${desk.names.db} ${asked.line}`, await Promise.all(examined), notes);
}

/** Max records that are examined at once. */
const examinedAtOnce = 6;

async function withSignInOffer(
  desk: Pick<FormFiller, 'greeter' | 'names'>,
  asker: Owner & { channel: string },
  { line }: CommandInQuestion,
  { findings }: Examined,
): Promise<Content> {
  const offer = await signInOffer(desk.greeter, asker, `why ${line}`);
  return message([...whyAnswer(`${desk.names.db} ${line}`, findings).blocks, ...offer.blocks]);
}

/** Checks whether the service accepts the token now. @throws {Failure} `signed-out` if it does not */
async function checkToken(records: RecordReader, operation: Operation, { username }: Credential): Promise<Finding> {
  const [noun = 'live'] = operation.type === 'read' ? operation.nouns : targetNouns(operation);
  const list = await records.list(noun === 'snapshot' ? 'live' : noun).catch(failureBut('signed-out'));
  const isAnswered =
    !(list instanceof Failure) || list.kind === 'forbidden' || list.kind === 'missing' || list.kind === 'refused';
  if (!isAnswered) return { gate: 'token', result: 'hidden', sentence: list.message, stops: 'unknown' };
  return { gate: 'token', result: 'passed', sentence: `The service accepts the sign-in of ${username}.` };
}

/** Makes the checks that need no answer of the service: a missing or doubtful sign-in can read nothing. */
async function examineUnread(
  desk: Inquirer,
  owner: Owner,
  { operation, rest, inputs }: CommandInQuestion,
  { credential, token }: Readonly<{ credential?: Credential; token?: Finding }> = {},
): Promise<Examined> {
  const notAsked: Finding = {
    gate: 'token',
    result: 'hidden',
    sentence: 'Not checked, because you are not signed in.',
  };
  const notSought: Finding = { gate: 'target', result: 'hidden', sentence: 'I did not look for it.' };
  const isOfRecord = operation.type !== 'read' || operation.shows === 'one';
  const known = [token ?? notAsked, ...(isOfRecord ? [notSought] : [])];
  if (operation.type === 'read') return { findings: [...(await checkSignIn({ credential })), ...known] };
  const values = knownInputs(operation, { ...namedIn(operation, rest), ...inputs }).inputs;
  const question = { owner, credential, operation, values, target: undefined, records: undefined };
  return { findings: [...(await examine(openInquiry(desk, question))), ...known] };
}

function examineWhole(
  desk: Filler,
  asker: WhyAsker & { records: RecordReader },
  asked: CommandInQuestion,
): Promise<Examined> {
  const { operation } = asked;
  return operation.type === 'read'
    ? examineRead(asker, { ...asked, operation })
    : examineWrite(desk, asker, { ...asked, operation });
}

async function examineRead(
  { credential, records }: WhyAsker & { records: RecordReader },
  { operation, rest }: CommandInQuestion<ReadOperation>,
): Promise<Examined> {
  const signedIn = await checkSignIn({ credential });
  if (operation.shows !== 'one') return { findings: signedIn };
  const typed = rest.join(' ');
  if (typed === '') return { findings: [...signedIn, targetFailure('You named none, and this command needs one.')] };
  const { id, name, near, ...found } = await findTarget(records, operation.nouns, typed);
  const finding = found.finding ?? (id && (await checkShown(records, id, name)));
  return { findings: [...signedIn, ...(finding ? [finding] : [])], near };
}

async function examineWrite(
  desk: Filler,
  { owner, credential, records }: WhyAsker & { records: RecordReader },
  { operation, rest, inputs: given }: CommandInQuestion<JobOperation>,
): Promise<Examined> {
  const { why, others: fields } = takeReason(given);
  const reason = why ?? undefined;
  const { inputs: typed, notes } = knownInputs(operation, { ...namedIn(operation, rest), ...fields });
  const wanted = typed[operation.target];
  const found = wanted === undefined ? {} : await findTarget(records, targetNouns(operation), wanted);
  const target = found.id ? { [operation.target]: found.id.text } : {};
  const others = recordInputs(operation, typed).filter(({ name }) => name !== operation.target);
  // A renewal’s form has what the clone was made of.
  const renewal = isRenewal(operation) ? await readRenewal(desk.pages, owner, operation, found.id?.text) : undefined;
  const known = { ...renewal?.made?.texts, ...target };
  const looked = await lookUp(desk.pages, owner, { operation, typed: others, known });
  const isPlain = (name: string) => name !== operation.target && !others.some(field => field.name === name);
  const plainInputs = Object.fromEntries(Object.entries(typed).filter(([name]) => isPlain(name)));
  const inputs: Inputs = { ...known, ...plainInputs, ...looked.inputs, ...target };
  const checked = check(operation, inputs);
  const guarded = found.id ? await guardedFor(desk.pages, owner, operation, found.id.text) : operation;
  const about = { owner, credential, operation: guarded, records, target: found.id, name: found.name, reason };
  const question = { ...about, values: checked.ok ? checked.values : inputs };
  const plan = await examineSteps(desk.pages, { owner, operation, inputs, target: found.id, reason, records });
  const ofTarget = found.finding ? [found.finding] : [];
  const lacking = found.finding ? [] : await stillAsked(desk, operation, inputs);
  return {
    findings: [...ofTarget, ...(await examine(openInquiry(desk.pages, question))), ...plan.findings],
    notes: [...notes, ...plan.notes, ...looked.notes, ...lacking],
    near: found.near,
  };
}

/** The fields that the form still asks for. A choice is never among them: one option is selected from the start. */
async function stillAsked(desk: Filler, operation: JobOperation, inputs: Inputs): Promise<readonly string[]> {
  const needed = await neededFields(desk, operation, inputs);
  const missing = fieldsFor(operation, inputs)
    .filter(({ name, required }) => required || needed.includes(name))
    .filter(({ name, widget }) => widget.type !== 'choice' && inputs[name] === undefined)
    .map(({ label }) => label);
  return missing.length > 0 ? [`The form asks for: ${missing.join(', ')}.`] : [];
}
