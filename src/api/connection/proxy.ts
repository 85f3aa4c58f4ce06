import { Dispatcher1Wrapper, EnvHttpProxyAgent } from 'undici';

/** The addresses of proxies and what is reached without them, as HTTP_PROXY, HTTPS_PROXY and NO_PROXY hold them. */
export type Proxies = Readonly<{ httpProxy: string; httpsProxy: string; noProxy: string }>;

/** The proxies that are used; or the variable that names one which is not. */
export type Proxying = Readonly<{ proxies?: Proxies | undefined; unused?: string | undefined }>;

/** What the operator is told where a variable names a proxy that is not used. */
export function sayUnused(variable: string): string {
  return `${variable} is set, but Dolly reaches Slack and the service without it. Set USE_PROXY=true to use the proxy.`;
}

/** The way to Slack by proxies: for WebSockets, and for what `fetch` asks. */
export type ProxyWay = Readonly<{ dispatcher: EnvHttpProxyAgent; fetch: typeof fetch }>;

export function wayBy(proxies: Proxies): ProxyWay {
  const dispatcher = new EnvHttpProxyAgent({ ...proxies, allowH2: false });
  // Node's fetch is of another release of undici, which hands over its requests in an older way.
  const older = new Dispatcher1Wrapper(dispatcher);
  return { dispatcher, fetch: (input, init) => fetch(input, Object.assign({}, init, { dispatcher: older })) };
}
