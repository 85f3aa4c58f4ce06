import type { Json } from './json.ts';

/** A refusal of the Web API: `code` is Slack's word for it, `details` further properties of the answer. */
export class SlackError extends Error {
  readonly code: string;
  readonly details: Json;
  /** A refusal that the workspace causes is no broken rule of the bot’s. */
  readonly source: 'bot' | 'workspace';

  constructor(code: string, details: Json = {}, source: 'bot' | 'workspace' = 'bot') {
    super(code);
    this.name = 'SlackError';
    this.code = code;
    this.details = details;
    this.source = source;
  }
}
