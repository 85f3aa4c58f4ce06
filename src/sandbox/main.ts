import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startDolly } from '../app/app.ts';
import { ConfigFault, readConfig } from '../app/config/config.ts';
import { givenIn } from '../app/config/given.ts';
import { declaredFunctions } from '../app/features.ts';
import { slashCommands } from '../slack/commands/help.ts';
import type { CommandNames } from '../slack/desk/interaction.ts';
import { shortcuts } from '../slack/shortcuts/shortcuts.ts';
import { startPlayground } from './playground/server.ts';
import { realServers } from './realServers.ts';
import { type RunningService, startService } from './service/server.ts';
import { StartFault } from './service/startFault.ts';
import { systemWords } from './service/systemFaultWords.ts';

/** Runs the sandbox service, the playground and the bot together, so that Dolly can be tried without any account. */
export async function startSandbox(): Promise<{ stop(): Promise<void> }> {
  const given = givenIn(process.env);
  const port = portIn(given.PORT);
  const secret = randomBytes(16).toString('hex');
  const access = accessIn(given.SANDBOX_INSTALL === '1', secret);
  let botUrl: string | undefined;
  const names: CommandNames = { db: '/db', clone: '/clone', restore: '/restore' };
  const dataDir = given.DATA_DIR ?? './data/sandbox';
  const { service, said } = await startRealService(port + 2, dataDir);
  const playground = await startPlayground({
    port: port + 1,
    ...access.slack,
    signingSecret: secret,
    botUrl: () => botUrl && `${botUrl}/slack/events`,
    commands: slashCommands(names),
    functions: declaredFunctions,
    shortcuts,
  });
  const { workspace, settings } = playground.slack;
  settings.newerBlocks = given.SANDBOX_OLDER_BLOCKS !== '1';
  const config = readConfig({
    ...given,
    ...access.bot,
    SLACK_SIGNING_SECRET: secret,
    SLACK_API_URL: playground.apiUrl,
    SERVICE_URL: service.url,
    DATA_DIR: dataDir,
    TOKEN_KEYS: keyIn(dataDir),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    APPROVERS: given.APPROVERS ?? workspace.groups.map(({ id }) => id).join(','),
    APPROVAL_CHANNEL:
      given.APPROVAL_CHANNEL ?? `${access.place}${workspace.channels.find(({ name }) => name === 'dba-approvals')?.id}`,
    PORT: String(port),
    LOG_LEVEL: given.LOG_LEVEL ?? 'warn',
  });
  const dolly = await startDolly(config);
  botUrl = dolly.url;

  const accounts = service.accounts.map(
    ({ username, password, role, fullName }) =>
      `    ${username.padEnd(10)} ${password.padEnd(18)} ${fullName}, ${role}`,
  );
  console.log(
    [
      '',
      '  Dolly is ready to be tried. Open',
      '',
      `    ${playground.url}`,
      '',
      '  and sign in to the sandbox service with /db login as one of',
      '',
      ...accounts,
      '',
      `  ${said}`,
      ...(access.slack.client ? [`  Dolly is installed nowhere yet: open ${dolly.url}/slack/install`, ''] : []),
      '  Stop with Ctrl+C.',
      '',
    ].join('\n'),
  );
  return {
    async stop() {
      await dolly.stop();
      await Promise.all([playground.close(), service.close()]);
    },
  };
}

/** The keys by which the local Slack and the bot know each other: one bot token, or installations by Slack's page. */
function accessIn(isInstallable: boolean, secret: string) {
  const botToken = `xoxb-${secret}`;
  if (!isInstallable) return { slack: { botToken }, bot: { SLACK_BOT_TOKEN: botToken }, place: '' };
  const bot = { SLACK_CLIENT_ID: 'dolly', SLACK_CLIENT_SECRET: secret, ALLOW_INSTALL: 'T0PLAYGRND,T0PARTNER1' };
  return { slack: { botToken: '', client: { id: 'dolly', secret } }, bot, place: 'T0PLAYGRND:' };
}

/** The service, on real servers where there are any. Throws {@link ConfigFault} with a sentence for whoever starts it. */
async function startRealService(port: number, dataDir: string): Promise<{ service: RunningService; said: string }> {
  try {
    const { options, said } = await realServers(givenIn(process.env), dataDir);
    return { service: await startService({ port, ...options }), said };
  } catch (error) {
    const words = error instanceof StartFault ? error.message : systemWords(error);
    throw words === undefined ? error : new ConfigFault(`The sandbox cannot start. ${words}`, { cause: error });
  }
}

/** The first of the three ports side by side that the sandbox needs. @throws {@link ConfigFault} */
function portIn(text = '3000'): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_533) return port;
  throw new ConfigFault('PORT must be a number from 1 to 65533: the sandbox also takes the two ports after it.');
}

/** The key that seals the sandbox's tokens: made on the first start, kept in the data folder. */
function keyIn(dataDir: string): string {
  const file = join(dataDir, 'token.key');
  // Only this one is the bot's alone: beside it lie the servers, which run as somebody else where the sandbox is root's.
  mkdirSync(dirname(dataDir), { recursive: true });
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
