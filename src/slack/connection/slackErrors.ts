import { ErrorCode } from '@slack/web-api';
import { z } from 'zod';
import { atLeast, backOff } from '../../ground/clock.ts';

/** How often something is tried at the latest, in milliseconds, however long Slack has been refusing it. */
const longestPause = 300_000;
const longestOutagePause = 5_000;

const Platform = z.object({ code: z.literal(ErrorCode.PlatformError), data: z.object({ error: z.string() }) });
const Unanswered = z.object({ code: z.enum([ErrorCode.RequestError, ErrorCode.HTTPError]) });
const Limited = z.object({ code: z.literal(ErrorCode.RateLimitedError), retryAfter: z.number() });

/**
 * What is done where Slack answers with one of its words (docs.slack.dev/reference/methods: chat.postMessage,
 * chat.postEphemeral, chat.update, conversations.open, conversations.history, conversations.replies, views.*, files.*).
 */
const words = {
  /** Slack’s own trouble, which passes. */
  again: [
    ...['ratelimited', 'rate_limited', 'message_limit_exceeded', 'request_timeout', 'service_unavailable'],
    ...['internal_error', 'fatal_error', 'update_failed', 'file_update_failed', 'unable_to_share_files'],
    ...['team_added_to_org', 'org_login_required', 'external_channel_migrating', 'streaming_state_conflict'],
    'hash_conflict',
  ],
  /** Slack refuses the app as a whole, until whoever runs it mends its token, its scopes or its network. */
  operator: [
    ...['not_authed', 'invalid_auth', 'account_inactive', 'token_revoked', 'token_expired', 'not_allowed_token_type'],
    ...['missing_scope', 'accesslimited', 'two_factor_setup_required', 'app_access_restricted'],
    ...['method_deprecated', 'deprecated_endpoint', 'unknown_method', 'is_bot', 'messages_tab_disabled'],
  ],
  /** The place takes nothing from us: people are told by a direct message. */
  elsewhere: [
    ...['channel_not_found', 'invalid_channel', 'not_in_channel', 'user_not_in_channel', 'is_archived', 'is_inactive'],
    ...['channel_is_limited_access', 'restricted_action', 'restricted_action_read_only_channel', 'no_permission'],
    ...['restricted_action_thread_only_channel', 'posting_to_general_channel_denied', 'posting_to_channel_denied'],
    ...['method_not_supported_for_channel_type', 'ekm_access_denied', 'enterprise_is_restricted'],
    ...['team_access_not_granted', 'team_not_found', 'invalid_user_combination', 'access_denied'],
  ],
  /** What is meant is gone, or closed to us: the message or thread, the person, the open form. */
  never: [
    ...['message_not_found', 'cant_update_message', 'edit_window_closed', 'thread_not_found', 'invalid_thread_ts'],
    ...['cannot_reply_to_message', 'restricted_action_thread_locked', 'restricted_action_non_threadable_channel'],
    ...['user_not_found', 'users_not_found', 'user_not_visible', 'user_disabled', 'cannot_dm_bot', 'not_enabled'],
    ...['not_found', 'view_not_found', 'invalid_trigger_id', 'expired_trigger_id', 'exchanged_trigger_id'],
    'push_limit_reached',
  ],
  /** The form is refused, not what it says: the text alone says what matters. */
  plainer: [
    ...['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long', 'block_mismatch'],
    ...['invalid_attachments', 'too_many_attachments', 'attachment_payload_limit_exceeded', 'view_too_large'],
  ],
} as const;

export type SlackVerdict = keyof typeof words;

const allVerdicts = ['again', 'operator', 'elsewhere', 'never', 'plainer'] as const satisfies readonly SlackVerdict[];

/** What to do about a failed call. A word that Slack does not document is `unknown`; no answer is asked for `again`. */
export function verdictOn(error: unknown): SlackVerdict | 'unknown' {
  const answered = platformError(error);
  if (answered === undefined) return 'again';
  return allVerdicts.find(verdict => words[verdict].some(word => word === answered)) ?? 'unknown';
}

/** Whether a failure is Slack’s as a whole, rather than that of one place or message, or our own. */
export function isOutage(error: unknown): boolean {
  const verdict = verdictOn(error);
  return (
    Unanswered.safeParse(error).success ||
    (platformError(error) !== undefined && (verdict === 'again' || verdict === 'operator'))
  );
}

/** Slack's own error word, where it answered one. */
export function platformError(error: unknown): string | undefined {
  const known = Platform.safeParse(error);
  return known.success ? known.data.data.error : undefined;
}

/** Whether Slack asked to wait. */
export function isLimited(error: unknown): boolean {
  return Limited.safeParse(error).success;
}

/**
 * How long to wait before the next try, in milliseconds: as long as Slack asks, else longer and longer. While Slack is
 * away as a whole it stays short, so that what waits goes out soon after its return.
 */
export function pauseAfter(error: unknown, tries: number): number {
  const limited = Limited.safeParse(error);
  if (limited.success) return atLeast(limited.data.retryAfter * 1_000);
  return backOff(tries, 1_000, isOutage(error) ? longestOutagePause : longestPause);
}
