import { operationOf } from '../../../jobs/request.ts';
import { type FieldValue, fieldsFor, type Role } from '../../../operations/operation.ts';
import { code, cut, plain } from '../../blocks/limits.ts';
import type { CommandNames } from '../../desk/interaction.ts';
import { type AskedFor, commandToCopy } from '../../forms/jobCommand.ts';

/** The inputs of a job besides its target and those of some roles, in a line; empty if there are none. */
export function requestLine(job: AskedFor, without: readonly Role[] = []): string {
  const operation = operationOf(job);
  const { values, labels } = job;
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
export function commandLine(job: AskedFor, names: CommandNames, room = 1_500): string {
  const { line = '', without = [] } = commandToCopy(names, job) ?? {};
  const left = without.length > 0 ? ` (without ${plain(without.join(', '))})` : '';
  const whole = line === '' ? '' : `${code(line, 5 * line.length)}${left}`;
  return whole === '' || whole.length > room ? cut(requestLine(job), room) : whole;
}

/** A value for people: by its name, if it has one. */
function shown(value: FieldValue, labels: Readonly<Record<string, string>>): string {
  if (typeof value === 'object') return code(value.map(param => `${param.name}=${param.value}`).join(', '), 200);
  const label = labels[String(value)];
  return label === undefined ? code(String(value), 100) : `${plain(label, 80)} (${code(String(value))})`;
}
