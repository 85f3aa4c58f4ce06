import type { Fault } from './fault.ts';
import { isRecord, type Json } from './json.ts';
import type { StepParameter } from './protocol.ts';
import type { Workspace } from './workspace.ts';

const isText = (value: unknown): value is string => typeof value === 'string';

/** Whether a value is of a type of Slack's (docs.slack.dev/reference/slack-types), for each type that is known here. */
const types: Record<string, (value: unknown, workspace: Workspace) => boolean> = {
  string: isText,
  number: value => typeof value === 'number' && Number.isFinite(value),
  integer: value => Number.isInteger(value),
  boolean: value => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
  'slack#/types/user_id': (value, { people }) => people.some(({ id }) => id === value),
  'slack#/types/channel_id': (value, { channels }) => channels.some(({ id }) => id === value),
  'slack#/types/message_ts': value => isText(value) && /^\d+\.\d{6}$/.test(value),
  'slack#/types/timestamp': value => Number.isInteger(value),
  'slack#/types/date': value => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value),
  'slack#/types/rich_text': value => isRecord(value) || Array.isArray(value),
};

/** Whether a declared type is one that Slack knows (of those that are known here). */
export const isKnownType = (type: string) => Object.hasOwn(types, type);

type Declared = Readonly<Record<string, StepParameter>>;

function valueFault(
  name: string,
  value: unknown,
  { type, enum: allowed }: StepParameter,
  workspace: Workspace,
): Fault[] {
  const pointer = `/${name}`;
  if (types[type]?.(value, workspace) !== true) return [{ says: `must be of the type ${type}`, pointer }];
  if (allowed !== undefined && !allowed.some(one => one === value))
    return [{ says: `must be one of: ${allowed.join(', ')}`, pointer }];
  return [];
}

/** Finds what is wrong with the inputs or outputs of a step: missing, of another type, or not declared at all. */
export function parameterFaults(declared: Declared, values: Json, workspace: Workspace): Fault[] {
  const missing = Object.entries(declared)
    .filter(([name, { is_required }]) => is_required === true && (values[name] === undefined || values[name] === ''))
    .map(([name]) => ({ says: `missing required field: ${name}`, pointer: '' }));
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const parameter = Object.hasOwn(declared, name) ? declared[name] : undefined;
    if (parameter === undefined) return [{ says: `invalid additional property: ${name}`, pointer: '' }];
    return value === undefined || value === '' ? [] : valueFault(name, value, parameter, workspace);
  });
  return [...missing, ...wrong];
}
