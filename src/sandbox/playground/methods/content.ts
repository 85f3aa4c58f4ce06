import { attachmentFaults, messageFaults } from '../blockkit.ts';
import { charactersOf } from '../characters.ts';
import { isRecord, type Json, listOf, parsed, recordsOf, stringOf } from '../json.ts';
import { limits } from '../limits.ts';
import { unknownBlocks } from '../newerBlocks.ts';
import { refusal } from '../refusal.ts';
import type { Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';

/** The checked content of a message. */
export type Content = { text: string; blocks: unknown[]; attachments: unknown[]; metadata?: unknown };

/** Structured arguments come as JSON in a form field, or as they are in a JSON body. */
export function structured(args: Json, name: string): unknown {
  const value = args[name];
  if (typeof value !== 'string') return value;
  return value === '' ? undefined : parsed(value);
}

function list(args: Json, name: 'blocks' | 'attachments'): unknown[] {
  const value = structured(args, name);
  if (value === undefined || value === null) {
    if (typeof args[name] === 'string' && args[name] !== '') throw new SlackError(`invalid_${name}_format`);
    return [];
  }
  if (!Array.isArray(value)) throw new SlackError(`invalid_${name}_format`);
  return value;
}

function metadataOf(args: Json): unknown {
  const given = args.metadata;
  if (given === undefined || given === '') return undefined;
  const metadata = structured(args, 'metadata');
  if (!isRecord(metadata)) throw new SlackError('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return metadata;
  const { event_type, event_payload } = metadata;
  if (typeof event_type !== 'string' || event_type === '' || event_type.length > limits.eventType) {
    throw new SlackError('invalid_metadata_schema');
  }
  if (!isRecord(event_payload)) throw new SlackError('invalid_metadata_schema');
  if (JSON.stringify(metadata).length > limits.metadataBytes) throw new SlackError('metadata_too_large');
  return metadata;
}

/**
 * Reads and checks what a message is to say.
 * @param longest characters of `text`: chat.update takes fewer than chat.postMessage
 * @throws SlackError no_text, msg_too_long, msg_blocks_too_long, invalid_blocks, invalid_blocks_format, …
 */
export function contentOf({ settings, inspector }: Slack, args: Json, longest: number = limits.messageText): Content {
  const text = stringOf(args.text);
  const blocks = list(args, 'blocks');
  const attachments = list(args, 'attachments');
  if (text === '' && blocks.length === 0 && attachments.length === 0) throw new SlackError('no_text');
  if (text.length > longest) throw new SlackError('msg_too_long');
  const faults = messageFaults(blocks);
  if (faults.length > 0) throw refusal('invalid_blocks', faults);
  const unknown = unknownBlocks(recordsOf(blocks), settings.newerBlocks);
  if (unknown.length > 0) throw refusal('invalid_blocks', unknown, 'workspace');
  const attached = attachmentFaults(attachments);
  if (attached.length > 0) throw refusal('invalid_attachments', attached);
  if (charactersOf(blocks) > limits.messageCharacters) throw new SlackError('msg_blocks_too_long');
  // Slack takes it, with this warning: a lock screen and a screen reader would have nothing to say.
  if (text.trim() === '') inspector.violation('missing_text_in_message', 'blocks or attachments came without a text');
  const metadata = metadataOf(args);
  return { text, blocks: listOf(blocks), attachments, ...(metadata === undefined ? {} : { metadata }) };
}
