/** Slack's own hosts, and those under them. */
const hosts = ['slack.com', 'slack-gov.com'] as const;

/**
 * Whether an address is Slack's: https, on the usual port, without a user name; or of the origin of the Web API, where
 * another one is set.
 */
export function isSlacks(address: string, apiOrigin: string | undefined): boolean {
  const url = URL.parse(address);
  if (url?.username !== '' || url.password !== '') return false;
  if (url.origin === apiOrigin) return true;
  const isKnown = hosts.some(host => url.hostname === host || url.hostname.endsWith(`.${host}`));
  return url.protocol === 'https:' && url.port === '' && isKnown;
}
