import { typedIdentifier } from '../../../api/identifiers.ts';
import { mask } from '../../../api/secrets/passwords.ts';
import { isSecret, isSecretParam } from '../../../jobs/approval/facts/secretValues.ts';
import { findOperation } from '../../../operations/catalogue.ts';
import { writeValues } from '../../../operations/fields.ts';
import { type FieldValue, fieldsFor, type JobOperation, type Role } from '../../../operations/operation.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import { legible } from '../../../records/legible.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { code, plain, recordNamed } from '../../blocks/mrkdwn.ts';
import type { CommandNames } from '../../desk/interaction.ts';
import { namedIn } from '../../forms/fill/inputsInWords.ts';
import { type Command, readCommand, writeCommand } from '../../words/commandText.ts';

/** The inputs of a job besides its target and those of some roles, in a line; empty if there are none. */
export function requestLine(
  { values, labels }: AskedFor,
  operation: JobOperation,
  without: readonly Role[] = [],
): string {
  return fieldsFor(operation, values)
    .filter(({ role }) => role === undefined || !without.includes(role))
    .filter(field => field.role !== 'target' && field.role !== 'kind' && field.sent !== false)
    .flatMap(field => {
      const value = values[field.name];
      return value === undefined ? [] : [`${field.label}: ${shown(value, labels)}`];
    })
    .join('  ·  ');
}

/**
 * The command that asks for the same as a job, ready to copy; the job's inputs where it has none, or where it has no room
 * in `room` characters: a part of a command asks for something else. Mrkdwn.
 */
export function commandLine(job: AskedFor, operation: JobOperation, names: CommandNames, room = 1_500): string {
  const { line = '', without = [] } = commandToCopy(names, job, operation) ?? {};
  const left = without.length > 0 ? ` (without ${plain(without.join(', '))})` : '';
  const whole = line === '' ? '' : `${code(line, 5 * line.length)}${left}`;
  return whole === '' || whole.length > room ? cut(requestLine(job, operation), room) : whole;
}

/** A value for people: by its name, if it has one. */
function shown(value: FieldValue, labels: Readonly<Record<string, string>>): string {
  if (typeof value === 'object')
    return code(value.map(one => `${one.name}=${isSecretParam(one) ? mask : one.value}`).join(', '), 200);
  const label = labels[String(value)];
  // Of a password of several words, the rest would pass for something else.
  if (isSecret(String(value))) return code(mask);
  return recordNamed(String(value), label);
}

/** What a command is written from. */
type AskedFor = Pick<Job, 'values' | 'labels' | 'target' | 'targetName'>;

/** Max characters of a command: a longer one is nothing to copy from a message. */
const maxLength = 700;

/**
 * The command that asks for the same as a job, to copy and type: `/clone shop targetEnvironment=dev port=3310`. Records
 * stand there by their names, as far as a name reads back as this record's. `without` are the labels of the fields that it
 * leaves out, since they cannot be typed or shown: several lines, or a password. `undefined` where it is too long to copy.
 */
export function commandToCopy(names: CommandNames, job: AskedFor, operation: JobOperation) {
  // No command asks for that: a schedule or a workflow does.
  if (asksForAccount(operation.name)) return undefined;
  const { shortcut } = operation;
  const first = shortcut === undefined ? [names.db, ...operation.words] : [names[shortcut]];
  const inputs: Record<string, string> = {};
  const without: string[] = [];
  const texts = writeValues(job.values);
  for (const { name, label, role, widget } of operation.fields) {
    const value = job.values[name];
    if (value === undefined || name === operation.target) continue;
    // Snapshots have names that tell only their time, if any.
    const isNamed = widget.type === 'record' && role !== 'snapshot';
    const text = (isNamed ? nameFor(job, value) : undefined) ?? texts[name] ?? '';
    if (isLegible(text) && !holdsSecret(value)) inputs[name] = text;
    else without.push(label);
  }
  const line = [...first, writeCommand({ words: [targetIn(operation, job)], inputs })].join(' ');
  return line.length > maxLength ? undefined : { line, without };
}

/** Whether a database parameter is a password. */
function holdsSecret(value: FieldValue): boolean {
  return typeof value === 'object' && value.some(isSecretParam);
}

/** The name of a record, if a person who types it means that record; `undefined` for other values. */
function nameFor({ labels }: AskedFor, value: FieldValue): string | undefined {
  const name = typeof value === 'string' ? labels[value] : undefined;
  const isShared = Object.values(labels).filter(label => label === name).length > 1;
  return name === undefined || isShared || !isName(name) ? undefined : name;
}

/** The target's name, if the command with it is read as the same command on a target of that name; else its identifier. */
function targetIn(operation: JobOperation, { target, targetName }: AskedFor): string {
  if (targetName === null || !isName(targetName)) return target;
  const { words, inputs } = readBack({ words: [...operation.words, targetName], inputs: {} });
  const found = findOperation(words);
  const isSame =
    found?.operation === operation &&
    Object.keys(inputs).length === 0 &&
    namedIn(operation, found.rest)[operation.target] === targetName;
  return isSame ? targetName : target;
}

function readBack(command: Command): Command {
  return readCommand(writeCommand(command));
}

/** Whether a text is a whole name, and nothing that would be read as the identifier of a record. */
function isName(text: string): boolean {
  return typedIdentifier(text)?.noun === undefined && text.length < limits.optionText && isLegible(text);
}

/** Whether a message shows a text letter for letter, and a command with it is read as it is written. */
function isLegible(text: string): boolean {
  const { inputs } = readBack({ words: [], inputs: { value: text } });
  return legible(text) === text && !text.includes('`') && inputs.value === text;
}
