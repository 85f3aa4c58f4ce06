import { createServer } from 'node:http';
import { startService } from '../../src/sandbox/service/server.ts';
import { newSlackStub } from './slackStub.ts';

/*
 * What both apps talk to, in a process of its own: a Slack that takes anything at once, and the sandbox service. The
 * playground would be no measure here: it keeps and checks everything, and would be busier than the apps.
 */
const service = await startService({ port: 0 });
const server = createServer(newSlackStub());
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const slackUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  console.log(`ready ${JSON.stringify({ slackUrl, serviceUrl: service.url, account: service.accounts[0] })}`);
});
process.once('SIGTERM', () => process.exit(0));
