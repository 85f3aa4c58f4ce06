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

/**
 * A `fetch` that reaches only Slack and follows no redirect: each request brings its own address for the answer
 * (`response_url`), and an answer is meant for one person.
 */
export function onlySlack(apiUrl: string | undefined): typeof fetch {
  const apiOrigin = apiUrl === undefined ? undefined : URL.parse(apiUrl)?.origin;
  return (input, init) => {
    const address = input instanceof Request ? input.url : String(input);
    if (isSlacks(address, apiOrigin)) return fetch(input, { ...init, redirect: 'error' });
    return Promise.reject(new Error(`this is no address of Slack’s: ${URL.parse(address)?.origin ?? 'no URL'}`));
  };
}
