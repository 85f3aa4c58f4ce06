import { ErrorCode as BoltCode } from '@slack/bolt';
import { ErrorCode } from '@slack/web-api';
import { z } from 'zod';
import { keysOf } from '../../ground/keys.ts';

const Sentences = z.array(z.string()).catch([]);
const Platform = z.object({
  code: z.literal(ErrorCode.PlatformError),
  data: z.object({
    error: z.string(),
    errors: Sentences,
    response_metadata: z.object({ messages: Sentences }).catch({ messages: [] }),
  }),
});
/** A refusal of a response URL: Bolt keeps its status, and leaves out Slack's word. */
const Unworded = z.object({
  code: z.literal(BoltCode.RespondError),
  statusCode: z.union([z.literal(400), z.literal(500)]),
});
const Unanswered = z.object({ code: z.enum([ErrorCode.RequestError, ErrorCode.HTTPError]) });

/** Slack's words for a place that takes no messages from Dolly, by what is so there. */
const closings = {
  /** A public channel that Dolly is not in. */
  outside: ['not_in_channel', 'user_not_in_channel'],
  /** A private channel that Dolly is not in, or no channel any more. */
  unseen: ['channel_not_found', 'invalid_channel'],
  archived: ['is_archived', 'is_inactive'],
  /** A setting of the channel, or of the workspace, says who may post. */
  restricted: [
    ...['channel_is_limited_access', 'restricted_action', 'restricted_action_read_only_channel', 'no_permission'],
    ...['restricted_action_thread_only_channel', 'posting_to_general_channel_denied', 'posting_to_channel_denied'],
    ...['ekm_access_denied', 'enterprise_is_restricted', 'team_access_not_granted', 'access_denied'],
  ],
  other: ['method_not_supported_for_channel_type', 'team_not_found', 'invalid_user_combination'],
} as const;

/** What is so in a place that takes no messages from Dolly. */
export type Closing = keyof typeof closings;

/**
 * Slack's error words, grouped by what Dolly does about them (docs.slack.dev/reference/methods: chat.postMessage,
 * chat.postEphemeral, chat.update, conversations.open, conversations.history, conversations.replies, views.*, files.*).
 */
const words = {
  /** Slack’s own trouble. It passes. */
  again: [
    ...['ratelimited', 'rate_limited', 'message_limit_exceeded', 'request_timeout', 'service_unavailable'],
    ...['internal_error', 'fatal_error', 'update_failed', 'file_update_failed', 'unable_to_share_files'],
    ...['team_added_to_org', 'org_login_required', 'external_channel_migrating', 'streaming_state_conflict'],
    'hash_conflict',
  ],
  /** Slack refuses the app as a whole, until its operator mends its token, its scopes or its network. */
  operator: [
    ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'not_allowed_token_type'],
    ...['missing_scope', 'accesslimited', 'two_factor_setup_required', 'app_access_restricted'],
    ...['method_deprecated', 'deprecated_endpoint', 'unknown_method', 'is_bot', 'messages_tab_disabled'],
  ],
  /** The place takes no messages from Dolly: people get a direct message instead. */
  elsewhere: Object.values(closings).flat(),
  /** The object is gone or closed to Dolly: the message or thread, the person, the open form. */
  never: [
    ...['message_not_found', 'cant_update_message', 'edit_window_closed', 'thread_not_found', 'invalid_thread_ts'],
    ...['cannot_reply_to_message', 'restricted_action_thread_locked', 'restricted_action_non_threadable_channel'],
    ...['user_not_found', 'users_not_found', 'user_not_visible', 'user_disabled', 'cannot_dm_bot', 'not_enabled'],
    ...['not_found', 'view_not_found', 'invalid_trigger_id', 'expired_trigger_id', 'exchanged_trigger_id'],
    'push_limit_reached',
  ],
  /** The app is not installed for the team: Dolly's own word. All that is for its people waits. */
  uninstalled: ['not_installed'],
  /** Slack refuses the blocks, not the message: the text alone still says what matters. */
  plainer: [
    ...['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'block_mismatch'],
    ...['invalid_attachments', 'too_many_attachments', 'attachment_payload_limit_exceeded', 'view_too_large'],
  ],
} as const;

type SlackMeaning = keyof typeof words;

/**
 * Decides what to do about a failed call. An undocumented error word is `unknown`; a call without an answer is `again`.
 */
export function meaningOfError(error: unknown): SlackMeaning | 'unknown' {
  const answered = platformError(error);
  if (answered === undefined) return 'again';
  return keysOf(words).find(meaning => words[meaning].some(word => word === answered)) ?? 'unknown';
}

/** What is so in the place that refused a message. */
export function closingOf(error: unknown): Closing {
  const answered = platformError(error);
  return keysOf(closings).find(closing => closings[closing].some(word => word === answered)) ?? 'other';
}

/** Whether Slack as a whole refuses or does not answer; `false` for a fault of one place or message, or of our own. */
export function isOutage(error: unknown): boolean {
  const meaning = meaningOfError(error);
  return (
    Unanswered.safeParse(error).success ||
    (platformError(error) !== undefined && (meaning === 'again' || meaning === 'operator'))
  );
}

/** Slack's own error word, where it answered one. */
export function platformError(error: unknown): string | undefined {
  const known = Platform.safeParse(error);
  return known.success ? known.data.data.error : undefined;
}

/** Whether another form of the message may be taken: Slack refused the blocks, or an answer for a cause that it hides. */
export function mayRefuseBlocks(error: unknown): boolean {
  return meaningOfError(error) === 'plainer' || Unworded.safeParse(error).success;
}

/** Whether another form of a view may be taken: Slack calls blocks that it does not know ill-formed arguments. */
export function mayRefuseView(error: unknown): boolean {
  return platformError(error) === 'invalid_arguments' || platformError(error) === 'invalid_blocks';
}

/**
 * The kinds of blocks, among those that were sent, that Slack says it does not know ("unsupported type: plan
 * [json-pointer:/blocks/1/type]"); all of them where its answer names none.
 */
export function refusedKinds(error: unknown, sent: readonly string[]): readonly string[] {
  const known = Platform.safeParse(error);
  const sentences = known.success ? [...known.data.data.errors, ...known.data.data.response_metadata.messages] : [];
  const named = sentences.flatMap(text => /unsupported type: (\w+)/.exec(text)?.[1] ?? []);
  const refused = sent.filter(kind => named.includes(kind));
  return refused.length > 0 ? refused : sent;
}

/** A refusal with Slack's word for it, as the Web API's client raises it, or with Dolly's own. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code = ErrorCode.PlatformError;
  readonly data: Readonly<{ error: string }>;

  constructor(word: string) {
    super(`Slack refused: ${word}`);
    this.data = { error: word };
  }
}
