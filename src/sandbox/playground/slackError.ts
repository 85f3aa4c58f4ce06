import type { Json } from './json.ts';

/** A refusal of the Web API: `code` is Slack's word for it, `details` further properties of the answer. */
export class SlackError extends Error {
  readonly code: string;
  readonly details: Json;

  constructor(code: string, details: Json = {}) {
    super(code);
    this.name = 'SlackError';
    this.code = code;
    this.details = details;
  }
}
