import type { Identifier } from '../api/identifiers.ts';
import type { Failure } from '../ground/failure.ts';
import { fieldsFor, type JobOperation } from '../operations/operation.ts';
import { complaintsIn } from '../operations/serviceComplaints.ts';
import type { Requiring } from '../store/tables/requiredFields.ts';
import type { Parts } from './parts.ts';
import type { JobRequest } from './request.ts';

/*
 * A service requires fields that its specification does not name (spec §4). Dolly learns them from refusals, for each
 * operation and vendor, and forms then ask for them. A wrong lesson blocks nobody for ever: it is forgotten when the
 * service accepts a request without the field, for whoever sends one (by a form that was open before, by another release,
 * or from a plan), and anybody lets it be forgotten by the button beside it in `/db doctor`.
 */

type Teacher = Parts<'requiredFields' | 'clock' | 'log'>;

/** The key of what is learned from requests of an operation to targets of this vendor. */
export function requiringOf({ name }: JobOperation, vendor: Identifier['vendor']): Requiring {
  return { operation: name, vendor: vendor ?? '' };
}

/**
 * Learns the fields without which the service refused a request, as far as its words name them. A trouble of the store
 * loses the lesson, and nothing else: the next refusal teaches it again.
 */
export async function learnFromRefusal(teacher: Teacher, request: JobRequest, { kind, message }: Failure) {
  if (kind !== 'refused') return;
  const { operation, target } = request;
  const missing = complaintsIn(message, request)
    .filter(({ type, isConditional, field }) => type === 'missing' && !isConditional && !field.required)
    .map(({ field }) => field.name);
  if (missing.length === 0) return;
  const about = requiringOf(operation, target.vendor);
  teacher.log.info({ ...about, fields: missing }, 'the service requires these fields');
  await teacher.requiredFields.learn(about, missing, teacher.clock.now()).catch(unheeded(teacher));
}

/** Forgets the fields without which the service has just accepted a request. */
export async function learnFromAcceptance(teacher: Teacher, { operation, values, target }: JobRequest): Promise<void> {
  const absent = fieldsFor(operation, values).filter(({ name, sent }) => sent !== false && values[name] === undefined);
  if (absent.length === 0) return;
  const about = requiringOf(operation, target.vendor);
  const forgets = async () => {
    const known = await teacher.requiredFields.of(about);
    const wrong = known.filter(field => absent.some(({ name }) => name === field));
    await teacher.requiredFields.forget(about, wrong);
  };
  await forgets().catch(unheeded(teacher));
}

function unheeded({ log }: Teacher) {
  return (error: unknown) => log.warn({ error }, 'what an answer of the service taught could not be kept');
}
