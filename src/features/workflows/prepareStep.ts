import { Failure } from '../../ground/failure.ts';
import { counted } from '../../ground/wording.ts';
import { digestOfPermitted, newSalt } from '../../jobs/approval/facts/digest.ts';
import { type ShownValue, shownText } from '../../jobs/approval/facts/items.ts';
import { isMember } from '../../jobs/approval/people/hasSay.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { fillPhrase } from '../../operations/phrases.ts';
import { notSignedIn } from '../../records/records.ts';
import { cut } from '../../slack/blocks/limits.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import { mustBeAllowed } from '../../slack/desk/admission.ts';
import type { Desk, Doorkeeper } from '../../slack/desk/desk.ts';
import { lookUp, recordInputs } from '../../slack/forms/fill/inputsInWords.ts';
import { readAsked } from '../../slack/forms/presets/askedPreset.ts';
import { accountOwner } from '../../store/serviceOwner.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Owner } from '../../store/vault.ts';
import { type ConsentAbout, type NewConsent, noAccount } from './consent/consent.ts';
import type { Execution } from './execution.ts';
import { stepOperations, waitHours } from './functions.ts';
import { readWaitState, type WaitState, waitStates } from './lookUntil.ts';
import { readStepInputs, type StepInputs } from './stepInputs.ts';

/** The work of a step, as far as it is known before anything is done. */
export type StepWork =
  | Readonly<{
      type: 'job';
      operation: JobOperation;
      inputs: Readonly<Record<string, string>>;
      labels: Readonly<Record<string, string>>;
      preset: Preset | undefined;
      /** What keeps it from being done, in sentences of mrkdwn. */
      faults: readonly string[];
    }>
  | Readonly<{ type: 'wait'; record: string; until: WaitState; hours: number }>;

/** A step that is ready to be asked for: whose it is, what it does, and the consent that it needs. */
export type PreparedStep = Readonly<{
  owner: Owner;
  /** The owner of the sign-in with which it reads and works. */
  runner: Owner;
  asked: StepInputs;
  work: StepWork;
  needed: NewConsent;
}>;

/** Prepares steps: their values, their consent, and the sign-in with which they run. */
export type StepPreparer = Doorkeeper & Desk<'account' | 'records' | 'names' | 'presets' | 'run'>;

/**
 * Prepares an execution: reads its inputs, checks its person, and looks up the records that it names, all without any
 * effect. Gives the sentence that says why it cannot be done, as mrkdwn.
 * @throws {Failure} `signed-out` where its person is not signed in; `busy` and the like where another try may help
 */
export async function prepareStep(desk: StepPreparer, execution: Execution): Promise<PreparedStep | string> {
  const asked = readStepInputs(execution);
  if (typeof asked === 'string') return plain(asked, 500);
  const owner = { team: execution.team, person: asked.person };
  const stranger = await strangerFault(desk, owner);
  if (stranger !== undefined) return stranger;
  if (asked.runsAs === 'service' && !desk.account) return noAccount;
  const runner = asked.runsAs === 'service' ? accountOwner(owner.team) : owner;
  if (!(await desk.credentials.find(runner))) {
    if (asked.runsAs === 'service') throw accountIsOut();
    throw notSignedIn();
  }
  const operation = stepOperations.find(({ step }) => step?.id === execution.step);
  const found = operation ? await readWork(desk, { owner, runner, asked, operation }) : readWait(asked);
  if (typeof found === 'string') return plain(found, 500);
  const { work, about, covers } = found;
  const { team, person } = owner;
  const { workflow, channel, runsAs } = asked;
  const id = digestOfPermitted([team, person, execution.step, workflow, channel, runsAs, asked.why, ...covers]);
  const needed = { id, team, person, step: execution.step, workflow, channel, about, runsAs };
  return { owner, runner, asked, work, needed: { ...needed, createdAt: desk.clock.now() } };
}

/** The failure of a step that is to run with the service account while that has no sign-in. */
export function accountIsOut(cause?: unknown): Failure {
  return new Failure('busy', 'The service account cannot sign in at the moment.', { cause });
}

/**
 * Says that a person is no member: only members act by workflows. Nobody is at the screen, so Slack’s silence is waited
 * for. @throws {Failure} `busy` where Slack does not tell
 */
export async function strangerFault(desk: Desk<'people'>, owner: Owner): Promise<string | undefined> {
  return (await isMember(desk, owner, 'lately'))
    ? undefined
    : 'The person in whose name it should run is not a member of this workspace.';
}

type ReadStepWork = Readonly<{ work: StepWork; about: ConsentAbout; covers: readonly unknown[] }>;

type WantedWork = Pick<PreparedStep, 'owner' | 'runner' | 'asked'> & Readonly<{ operation: JobOperation }>;

/** Reads the work of a step that becomes a job. The consent covers its words, its preset, and the records that they mean. */
async function readWork(desk: StepPreparer, { owner, runner, asked, operation }: WantedWork): Promise<ReadStepWork> {
  // A channel that only an input names gives no sight of what belongs to that channel.
  const speaker = { ...owner, channel: owner.person };
  await mustBeAllowed(desk, speaker, operation);
  const { inputs: typed, notes, preset } = await readAsked(desk, operation, { ...speaker, inputs: asked.typed });
  const records = recordInputs(operation, typed);
  const found = await lookUp(desk, runner, { operation, typed: records });
  if (found.signedOut) throw notSignedIn();
  if (found.fault) throw found.fault;
  const inputs = { ...withoutRecords(typed, records), ...found.inputs };
  const labels = { ...preset?.labels, ...found.labels };
  const target = inputs[operation.target] ?? null;
  // What the service account sees is not for everybody who can name it in a workflow.
  const isOpen = asked.runsAs === null;
  const faults = [...notes, ...(isOpen || found.notes.length === 0 ? found.notes : [unfound])];
  const named = (text: string) => (isOpen ? (labels[text] ?? text) : text);
  const shown = isOpen ? { ...typed, ...inputs } : typed;
  const words = Object.fromEntries(Object.entries(shown).map(([name, text]) => [name, named(text)]));
  const place = operation.fields.find(({ role }) => role === 'environment')?.name ?? '';
  const name = words[operation.target] ?? 'a database';
  const salt = newSalt();
  const lines = operation.fields.flatMap((field): ShownValue[] => {
    const text = shown[field.name];
    if (text === undefined) return [];
    const chosen = field.widget.type === 'choice' && field.widget.options.find(({ value }) => value === text);
    if (chosen) return [[field.label, chosen.label]];
    return [shownText(field.label, named(text) === text ? text : `${named(text)} (${text})`, salt)];
  });
  const presetLine: ShownValue[] = preset ? [['Preset', preset.name]] : [];
  const reason = asked.why === null ? [] : [shownText('Reason', asked.why, salt)];
  return {
    work: { type: 'job', operation, inputs, labels, preset, faults },
    about: {
      ...{ title: asked.title, target, targetName: target === null ? null : (labels[target] ?? null) },
      names: found.labels,
      asks: fillPhrase(operation.phrases.asks, { ...words, name, place: words[place] }),
      lines: [...presetLine, ...lines, ...reason],
      ...(operation.warning ? { warning: operation.warning(name, {}) } : {}),
    },
    covers: [sorted(asked.typed), sorted(preset?.inputs ?? {}), sorted(found.inputs)],
  };
}

const unfound = 'With the service account, I could not find every record that the step names.';

function withoutRecords(typed: Readonly<Record<string, string>>, records: ReturnType<typeof recordInputs>) {
  return Object.fromEntries(Object.entries(typed).filter(([name]) => !records.some(record => record.name === name)));
}

function sorted(texts: Readonly<Record<string, string>>) {
  return Object.entries(texts).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** Reads the work of the step that waits for a record. */
function readWait({ title, typed }: StepInputs): ReadStepWork | string {
  const { record = '', until: word = '', hours: many } = typed;
  const until = readWaitState(word);
  if (!until) return `I cannot wait for “${cut(word, 40)}”. Choose ${Object.keys(waitStates).join(', ')}.`;
  const hours = many === undefined ? waitHours.usual : Number(many);
  if (!Number.isInteger(hours) || hours < 1 || hours > waitHours.most)
    return `Wait for 1 to ${waitHours.most} whole hours; a week is the most.`;
  const said = { Record: record, 'Until it': waitStates[until], 'For at most': counted(hours, 'hour') };
  const asks = `look until ${record} ${waitStates[until]}`;
  const about = { title, target: null, targetName: null, asks, lines: Object.entries(said) };
  return { work: { type: 'wait', record, until, hours }, about, covers: [sorted(typed)] };
}
