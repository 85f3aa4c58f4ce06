import { type Json, stringOf } from '../json.ts';
import type { Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';

/**
 * One method of the Web API: decoded arguments in, the answer without `ok` out.
 * @throws SlackError for an answer `{ok: false}`
 */
export type Method = (args: Json, slack: Slack) => Json;

/** A flag, which a form sends as text. */
export const flag = (value: unknown) => value === true || value === 'true' || value === '1';

/** A number, which a form sends as text; `fallback` where there is none. */
export function numberOf(value: unknown, fallback: number): number {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback;
}

/** Slack's refusal of arguments, with its sentence. */
export const badArguments = (says: string) =>
  new SlackError('invalid_arguments', { response_metadata: { messages: [`[ERROR] ${says}`] } });

/** An argument that must be there. @throws SlackError invalid_arguments */
export function required(args: Json, name: string): string {
  const value = stringOf(args[name]);
  if (value === '') throw badArguments(`missing required field: ${name}`);
  return value;
}
