import { operationOf } from '../../jobs/request.ts';
import { type FieldValue, fieldsFor, type Role } from '../../operations/operation.ts';
import type { Job } from '../../store/jobs/job.ts';
import { code, plain } from '../blocks/limits.ts';

/** The inputs of a job besides its target and those of some roles, in a line; empty if there are none. */
export function requestLine(job: Job, without: readonly Role[] = []): string {
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

/** A value for people: by its name, if it has one. */
function shown(value: FieldValue, labels: Readonly<Record<string, string>>): string {
  if (typeof value === 'object') return code(value.map(param => `${param.name}=${param.value}`).join(', '), 200);
  const label = labels[String(value)];
  return label === undefined ? code(String(value), 100) : `${plain(label, 80)} (${code(String(value))})`;
}
