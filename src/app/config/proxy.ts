import type { Proxying } from '../../api/connection/proxy.ts';
import type { Environment } from './given.ts';

const names = ['HTTPS_PROXY', 'HTTP_PROXY'] as const;

/**
 * Reads the variables by which most programs know of proxies, in small letters first. Adds a line to `faults` for each
 * that is missing or wrong where they are wanted; an address may hold a password, which is in none of them.
 */
export function proxyingIn(given: Environment, isWanted: boolean, faults: string[]): Proxying | undefined {
  const inEither = (name: string) => given[name.toLowerCase()] ?? given[name];
  const set = names.filter(name => inEither(name) !== undefined);
  if (!isWanted) return set[0] && { unused: set[0] };
  if (set.length === 0) faults.push('USE_PROXY: needs HTTPS_PROXY or HTTP_PROXY, which names the proxy');
  for (const name of set) if (!isProxy(inEither(name) ?? '')) faults.push(`${name}: ${wanted}`);
  const [httpsProxy = '', httpProxy = '', noProxy = ''] = [...names, 'NO_PROXY'].map(inEither);
  return { proxies: { httpsProxy, httpProxy, noProxy } };
}

const wanted = 'must be a URL that begins with http:// or https:// (percent-encode its user name and password)';

function isProxy(text: string): boolean {
  const { protocol = '', username = '', password = '' } = URL.parse(text) ?? {};
  const isEncoded = !/%(?![\da-f]{2})/i.test(username + password);
  return /^https?:$/.test(protocol) && isEncoded;
}
