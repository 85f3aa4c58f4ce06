import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import type { Hono } from 'hono';
import { workflowFunctions } from '../../src/features/workflows/functions.ts';
import { systemClock } from '../../src/ground/clock.ts';
import { newDelivery } from '../../src/sandbox/playground/delivery.ts';
import { echo } from '../../src/sandbox/playground/events.ts';
import { playApi } from '../../src/sandbox/playground/play.ts';
import { newSlack, type Slack } from '../../src/sandbox/playground/slack.ts';
import { newSocketMode } from '../../src/sandbox/playground/socketMode.ts';
import { webApi } from '../../src/sandbox/playground/webApi.ts';
import { createApplication, type Middleware } from '../../src/sandbox/service/application.ts';
import { endpoints } from '../../src/sandbox/service/catalogue.ts';
import { type Database, nextIdentifier } from '../../src/sandbox/service/estate.ts';
import { openEstate } from '../../src/sandbox/service/open.ts';
import { slashCommands } from '../../src/slack/commands/help.ts';
import { shortcuts } from '../../src/slack/shortcuts/shortcuts.ts';
import { dialectOf, type InDialect, inDialect } from './drawnService.ts';
import { addresses } from './faults.ts';
import { cloneName } from './gestures.ts';
import type { Kernel } from './kernel.ts';
import type { Handler, Network } from './network.ts';
import { oddWord } from './oddWord.ts';
import type { Act, ActOf, Plan } from './plan.ts';
import { addRobot } from './robot.ts';
import { veiled, veilOf } from './veil.ts';

const signingSecret = 'the-signing-secret-of-the-simulation';
const botToken = 'xoxb-the-bot-token-of-the-simulation';

/** The configuration of every bot. */
export const keys = {
  SLACK_BOT_TOKEN: botToken,
  SLACK_SIGNING_SECRET: signingSecret,
  SLACK_API_URL: `http://${addresses.slack}/api/`,
  SERVICE_URL: `http://${addresses.service}`,
  TOKEN_KEYS: Buffer.alloc(32, 7).toString('base64'),
  PUBLIC_URL: `http://${addresses.bot}`,
  APPROVERS: 'S0DBAS0001',
  PORT: '0',
  LOG_LEVEL: 'info',
} as const;

/** The configuration of bots whose policy ends clones. */
export const leaseKeys = { POLICY_FILE: new URL('leases.yml', import.meta.url).pathname } as const;

/** The configuration of bots whose policy asks for two approvals. */
export const twoApprovalKeys = { POLICY_FILE: new URL('twoApprovals.yml', import.meta.url).pathname } as const;

/** The configuration of bots in each kind of tour. */
export const tourKeys = {
  leases: { POLICY_FILE: new URL('tour.yml', import.meta.url).pathname },
  approvals: { POLICY_FILE: new URL('strictTour.yml', import.meta.url).pathname },
  pairs: twoApprovalKeys,
} as const;

/** Those who may approve: the group of {@link keys}; with two approvals, Eve, too. */
export function approversOf({ approvals }: Pick<Plan, 'approvals'>): readonly string[] {
  return ['U0ANA00001', 'U0DEV00001', ...(approvals === undefined ? [] : ['U0EVE00001'])];
}

/** Slack, and the app that people have of it. */
export type SlackSide = Readonly<{
  slack: Slack;
  play: Hono;
  /** Takes somebody out of the group of approvers. */
  leaveGroup(name: string): void;
  /** When each person, by their id, left it. */
  left: ReadonlyMap<string, number>;
}>;

/** Opens a Slack that is reached over the wires of the world. */
export function openSlack(kernel: Kernel, network: Network): SlackSide {
  const host = kernel.raise('slack');
  return kernel.as(host, () => {
    const commands = slashCommands({ db: '/db', clone: '/clone', restore: '/restore' });
    const declared = { commands, shortcuts: [...shortcuts], functions: workflowFunctions };
    const slack = newSlack({ clock: systemClock, declared, url: () => `http://${addresses.slack}`, botToken });
    const sockets = newSocketMode(slack.workspace);
    const botUrl = () => `http://${addresses.bot}/slack/events`;
    const delivery = newDelivery(slack, sockets, { signingSecret, botUrl });
    echo(slack, delivery);
    const api = webApi(slack, sockets, { botToken });
    const port = network.listen(
      0,
      host,
      handlerOf(async request => api.fetch(request)),
    );
    network.name(addresses.slack, () => port);
    const left = new Map<string, number>();
    return {
      slack,
      play: playApi(slack, delivery),
      left,
      leaveGroup(name) {
        const id = slack.workspace.people.find(person => person.name === name.toLowerCase())?.id ?? '';
        for (const group of slack.workspace.groups) group.users = group.users.filter(user => user !== id);
        if (!left.has(id)) left.set(id, kernel.now());
      },
    };
  });
}

/** The service, and what its operator does to it. */
export type ServiceSide = Readonly<{
  records(): readonly Database[];
  /** The identifier of a record by its name: those that a plan needs are there from the begin. */
  idOf(name: string): string;
  endTokens(username: string): void;
  /** When all tokens of a user last ended, and when the last one was given out. */
  endedAt(username: string): number;
  issuedAt(username: string): number | undefined;
  change(act: ActOf<'change'>, now: number): void;
  /** A database fails, or works again. */
  breaks(act: ActOf<'break'>): void;
  /** The clone that somebody asked for is stopped, or gone, from now on. */
  loseClone(act: ActOf<'lose clone'>, asked: Act | undefined): void;
  /** The names of the clones that were lost. */
  lost: ReadonlySet<string>;
  /** When each record was changed by the operator. */
  changes: ReadonlyMap<string, number>;
  /** Each end of a job of the service, in order. */
  ends: readonly Readonly<{ at: number; operation: string; target: string; isDone: boolean }>[];
  /** All tokens that were ever given out, and the names of those who got them. */
  tokens: ReadonlyMap<string, string>;
}>;

/** Opens a service with the records that a plan needs. */
export async function openService(kernel: Kernel, network: Network, plan: Plan): Promise<ServiceSide> {
  const host = kernel.raise('service');
  const ends: { at: number; operation: string; target: string; isDone: boolean }[] = [];
  let spoken: InDialect | undefined;
  const log = (line: string) => {
    const [, operation = '', target = '', outcome = ''] = /^(\S+) (\S+): (done|failed)/.exec(line) ?? [];
    if (outcome !== '') ends.push({ at: kernel.now(), operation, target, isDone: outcome === 'done' });
    spoken?.hears(line);
  };
  const clock = { ...systemClock, now: () => Math.floor(kernel.now()) };
  const { context } = await openEstate({
    clock,
    log,
    tokenLifetime: hoursToMilliseconds(1_000),
    stateDir: undefined,
    engines: {},
  });
  const { estate, tokens } = context;
  if (plan.account) addRobot(estate);
  const given = new Map<string, string>();
  const issuedAt = new Map<string, number>();
  const endedAt = new Map<string, number>();
  const issue = tokens.issue;
  Object.assign(tokens, {
    issue(...about: Parameters<typeof issue>) {
      const issued = issue(...about);
      const username = estate.users.get(about[0])?.username ?? '';
      given.set(issued.token, username);
      issuedAt.set(username, kernel.now());
      return issued;
    },
  });
  spoken = plan.dialect === undefined ? undefined : inDialect(dialectOf(plan.dialect), context);
  const all = () => [...estate.databases.values()];
  const named = (name: string) => all().find(record => record.name === name);
  const [shop, cloned] = [named('shop'), named('orders-3320')];
  const [snapshot] = shop?.snapshots ?? [];
  if (!shop || !cloned || !snapshot) throw new Error('the example has no shop with a snapshot, or no clone');
  const ids = new Map<string, string>();
  const veiledId = nextIdentifier(estate, 'MYSQL_LIVE_SERVER');
  estate.databases.set(veiledId, { ...shop, id: veiledId, name: veiled.name });
  const hides = veilOf(veiledId, token => given.get(token));
  const speaks = spoken?.middleware ?? oddWord;
  const middleware: Middleware = (request, next) => hides(request, async other => speaks(other ?? request, next));
  const serve = createApplication(context, { endpoints, prefix: '/service', middleware, log, requests: [] });
  const port = network.listen(0, host, handlerOf(serve));
  network.name(addresses.service, () => port);
  const now = clock.now();
  const times = { createdAt: now, updatedAt: now, facts: {} };
  /** A clone is made of a record: it depends on it then. */
  const depend = (record: Database, at: number, name = `${record.name}-child`) => {
    const id = nextIdentifier(estate, 'MYSQL_CLONE_SERVER');
    const times = { createdAt: Math.floor(at), updatedAt: Math.floor(at) };
    estate.databases.set(id, { ...record, ...times, id, name, sourceDatabase: record.id, mountBase: `/mnt/${name}` });
  };
  const snapshotOf = (record: Database, at: number) => {
    const made = { ...snapshot, id: nextIdentifier(estate, 'MYSQL_SNAPSHOT'), createdAt: Math.floor(at) };
    record.snapshots = [...record.snapshots, made];
  };
  const planted = plan.acts.flatMap(one => {
    if (one.act !== 'back up several') return 'record' in one ? [one] : [];
    return one.records.map(record => ({ ...one, act: 'back up' as const, record }));
  });
  for (const asked of planted) {
    const { record, act } = asked;
    if (ids.has(record)) continue;
    const isRenewed = asked.act === 'run step' && asked.step === 'renew';
    const isClone = act === 'delete' || act === 'change' || act === 'tear down' || isRenewed;
    const id = nextIdentifier(estate, isClone ? 'MYSQL_CLONE_SERVER' : 'MYSQL_LIVE_SERVER');
    const own = { ...snapshot, id: nextIdentifier(estate, 'MYSQL_SNAPSHOT') };
    ids.set(record, id);
    // A clone that is made anew takes its port again, which must be its own.
    const ownPort = isRenewed ? { port: 3_400 + ids.size } : {};
    const made = isClone
      ? {
          ...cloned,
          sourceDatabase: shop.id,
          snapshot: snapshot.id,
          mountBase: `/mnt/${record}`,
          snapshots: [],
          ...ownPort,
        }
      : { ...shop, snapshots: [own] };
    estate.databases.set(id, { ...made, ...times, id, name: record });
    if (asked.act !== 'tear down') continue;
    for (const name of asked.many ? longNames(asked.many) : [undefined])
      depend({ ...made, ...times, id, name: record }, now, name);
  }
  const lost = new Set<string>();
  const changes = new Map<string, number>();
  return {
    records: all,
    idOf: name => ids.get(name) ?? name,
    endedAt: username => endedAt.get(username) ?? 0,
    issuedAt: username => issuedAt.get(username),
    endTokens(username) {
      endedAt.set(username, kernel.now());
      for (const user of estate.users.values()) if (user.username === username) tokens.revoke(user.id);
    },
    change({ record: name, how }, at) {
      const id = ids.get(name) ?? '';
      const record = estate.databases.get(id);
      if (!record) return;
      // A new snapshot makes it no other target.
      if (how !== 'snapshot') changes.set(id, at);
      if (how === 'rename') record.name = `${name}-other`;
      else if (how === 'depend') depend(record, at);
      else if (how === 'snapshot') snapshotOf(record, at);
      else if (how === 'move') record.environment = [...estate.environments.keys()][4] ?? record.environment;
      else
        estate.databases.set(id, {
          ...record,
          name: `${name}-new`,
          createdAt: Math.floor(at),
          updatedAt: Math.floor(at),
        });
    },
    breaks({ record: name, how }) {
      const record = estate.databases.get(ids.get(name) ?? '');
      if (record)
        Object.assign(
          record,
          how === 'fail' ? { state: 'FAILED', error: 'The disk is full.' } : { state: 'RUNNING', error: undefined },
        );
    },
    loseClone({ how }, asked) {
      const record = asked?.act === 'clone' ? named(cloneName(asked.port)) : undefined;
      if (record?.state !== 'RUNNING') return;
      lost.add(record.name);
      if (how === 'remove') estate.databases.delete(record.id);
      else record.state = 'STOPPED';
    },
    lost,
    changes,
    ends,
    tokens: given,
  };
}

/** Names as long as somebody gives them, which differ at their ends alone. */
function longNames(many: number): readonly string[] {
  return Array.from({ length: many }, (_, at) => `orders-${'of-the-region-'.repeat(9)}${at}`);
}

function handlerOf(serve: (request: Request) => Promise<Response>): Handler {
  return async ({ method, url, headers, body }) => {
    const content = method === 'GET' || method === 'HEAD' ? {} : { body };
    const response = await serve(new Request(url, { method, headers, ...content }));
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  };
}
