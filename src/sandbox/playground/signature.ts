import { createHmac } from 'node:crypto';

/**
 * The headers by which a bot knows that a request is Slack's (version v0: HMAC-SHA256 over version, time and raw body).
 * @param seconds since the epoch; a bot refuses what is older than five minutes
 */
export function signatureHeaders(signingSecret: string, seconds: number, body: string) {
  const digest = createHmac('sha256', signingSecret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'X-Slack-Request-Timestamp': String(seconds), 'X-Slack-Signature': `v0=${digest}` };
}
