/** Whether requests to an address can be read on their way: they go by plain HTTP to another machine. */
export function isInClear(url: string): boolean {
  const address = URL.parse(url);
  return address?.protocol === 'http:' && !isHere(address.hostname.replace(/\.$/, ''));
}

/** Whether a host is this machine. The URL parser has already normalised numbers: `127.1` is 127.0.0.1. */
function isHere(host: string): boolean {
  return /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/i.test(
    host,
  );
}

/** A warning for each address in the configuration to which passwords go in the clear. */
export function inClear(serviceUrl: string, publicUrl: string | undefined): readonly string[] {
  const service = `SERVICE_URL: passwords and tokens go to ${serviceUrl} in the clear. Use https, or a tunnel that ends on this machine.`;
  const page = `PUBLIC_URL: people’s passwords come to ${publicUrl} in the clear. Use https.`;
  return [
    ...(isInClear(serviceUrl) ? [service] : []),
    ...(publicUrl !== undefined && isInClear(publicUrl) ? [page] : []),
  ];
}
