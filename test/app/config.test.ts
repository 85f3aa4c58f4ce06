import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { approvalChannelOf } from '../../src/app/config/approvalChannel.ts';
import { ConfigFault, configKeys, readConfig, readStoreKeys } from '../../src/app/config/config.ts';
import { isForReal } from '../../src/app/config/realKeys.ts';
import { allowsOnSchedule } from '../../src/jobs/approval/policy/rules.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const least = {
  SLACK_BOT_TOKEN: 'xoxb-1',
  SLACK_SIGNING_SECRET: 'signing-secret',
  SERVICE_URL: 'https://service.example:8443',
  TOKEN_KEYS: key,
};

/** The faults by key, without the first line. */
function faultsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error;
    const [head, ...lines] = error.message.split('\n');
    expect(head).toBe('Dolly cannot start:');
    return lines.map(line => line.replace(/^ {2}- /, ''));
  }
  return [];
}

test('four keys of the configuration are enough, and the rest has defaults', () => {
  expect(readConfig(least)).toEqual({
    slack: {
      access: { type: 'token', botToken: 'xoxb-1' },
      connection: { mode: 'http', signingSecret: 'signing-secret' },
      apiUrl: undefined,
      commands: { db: '/db', clone: '/clone', restore: '/restore' },
    },
    service: { url: 'https://service.example:8443', prefix: '/service', ca: undefined },
    preparing: true,
    dataDir: './data',
    tokenKeys: [new Uint8Array(32).fill(7)],
    publicUrl: undefined,
    allowed: { guests: false, teams: [] },
    mapping: {},
    policy: {
      approvals: 1,
      approvers: [],
      lifetime: 24 * 3_600_000,
      reminders: [1_800_000, 7_200_000, 28_800_000],
      sharedSubjects: [],
      consentLifetime: 90 * 24 * 3_600_000,
      freesOwnClones: false,
      pace: { service: 40, host: 8 },
      rules: [],
      leases: [],
      protect: [],
      scheduled: [],
      emergency: [],
    },
    approvalChannels: [],
    auditDays: 400,
    jobsDays: 400,
    commandsAtOnce: 60,
    host: '127.0.0.1',
    port: 3000,
    logLevel: 'info',
  });
});

test('keys of the configuration replace the defaults, and the result is frozen', () => {
  const config = readConfig({
    ...least,
    SLACK_API_URL: 'http://127.0.0.1:3001/api/',
    SLACK_COMMANDS: '/dba, /clone-a ,/restore_2',
    SERVICE_URL: 'http://127.0.0.1:3002///',
    DATA_DIR: '/var/lib/dolly',
    DATABASE_PREPARE: 'false',
    TOKEN_KEYS: `${Buffer.alloc(32, 1).toString('base64')}, ${key},`,
    PUBLIC_URL: 'https://dolly.example/',
    ALLOW_GUESTS: 'true',
    ALLOW_TEAMS: 'T0123ABCD, E0123ABCD,',
    HOST: '0.0.0.0',
    PORT: '8080',
    LOG_LEVEL: 'debug',
  });
  expect(config).toMatchObject({
    slack: { apiUrl: 'http://127.0.0.1:3001/api/', commands: { db: '/dba', clone: '/clone-a', restore: '/restore_2' } },
    service: { url: 'http://127.0.0.1:3002' },
    dataDir: '/var/lib/dolly',
    preparing: false,
    tokenKeys: [new Uint8Array(32).fill(1), new Uint8Array(32).fill(7)],
    publicUrl: 'https://dolly.example',
    allowed: { guests: true, teams: ['T0123ABCD', 'E0123ABCD'] },
    host: '0.0.0.0',
    port: 8080,
    logLevel: 'debug',
  });
  expect(Object.isFrozen(config)).toBe(true);
});

test('an app-level token means Socket Mode, with a signing secret or without', () => {
  const { SLACK_SIGNING_SECRET: _, ...rest } = least;
  const socket = { mode: 'socket', appToken: 'xapp-1' };
  expect(readConfig({ ...rest, SLACK_APP_TOKEN: 'xapp-1' }).slack.connection).toEqual(socket);
  expect(readConfig({ ...least, SLACK_APP_TOKEN: 'xapp-1' }).slack.connection).toEqual(socket);
});

test('an empty value in the configuration counts as not set', () => {
  const config = readConfig({ ...least, PORT: '', HOST: ' ', SLACK_APP_TOKEN: '', SERVICE_CA: '', PUBLIC_URL: '\t' });
  expect(config).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    publicUrl: undefined,
    slack: { connection: { mode: 'http' } },
  });
});

describe('blanks around a value, as a mounted file or a clipboard leaves them, are no part of it:', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-config-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    return join(folder, name);
  };
  const whole: Record<string, string> = {
    ...least,
    SLACK_API_URL: 'http://127.0.0.1:3001/api/',
    SLACK_COMMANDS: '/dba,/clone-a,/restore_2',
    SERVICE_PREFIX: '/a/b',
    SERVICE_PLAIN_BODY: 'bare',
    USE_PROXY: 'false',
    SERVICE_CA: file('ca.pem', '-----BEGIN CERTIFICATE-----'),
    SERVICE_USER: 'svc',
    SERVICE_PASSWORD_FILE: file('password', 'of the service'),
    DATABASE_URL: 'postgres://dolly:pass@db/dolly',
    DATABASE_PREPARE: 'false',
    DATA_DIR: '/var/lib/dolly',
    PUBLIC_URL: 'https://dolly.example',
    APPROVERS: 'U0DEV00001,S0DBAS0001',
    APPROVAL_CHANNEL: 'T0123:C0123',
    POLICY_FILE: file('policy.yml', 'approvals: 2'),
    RECORDS_FILE: file('records.yml', 'states: { stopped: [QUIESCED] }'),
    COMMANDS_AT_ONCE: '7',
    AUDIT_DAYS: '30',
    JOBS_DAYS: '31',
    ALLOW_GUESTS: 'true',
    ALLOW_TEAMS: 'T0123ABCD',
    METRICS_TOKEN: '0123456789abcdef',
    HOST: '0.0.0.0',
    PORT: '8080',
    LOG_LEVEL: 'debug',
  };
  const { SLACK_BOT_TOKEN: _, ...withoutToken } = whole;
  const installed = { ...withoutToken, SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'secret', ALLOW_INSTALL: 'T123' };
  const environments = [whole, { ...whole, SLACK_APP_TOKEN: 'xapp-1' }, installed];

  test.each(['\n', '\r\n', ' ', '\t', '\ufeff'])(
    'the blank %j around a value of the configuration is no part of the value',
    blank => {
      for (const given of environments) {
        const padded = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, blank + value + blank]));
        expect(readConfig(padded)).toEqual(readConfig(given));
        expect(readStoreKeys(padded)).toEqual(readStoreKeys(given));
        const empty = Object.fromEntries(Object.keys(given).map(name => [name, blank + blank]));
        expect(faultsOf(empty)).toEqual(faultsOf({}));
        expect(isForReal(empty)).toBe(false);
      }
    },
  );
  test('the tests of blanks cover every key of the configuration', () => {
    expect(new Set(environments.flatMap(Object.keys))).toEqual(new Set(configKeys));
  });
  test('blanks around each entry of a list in the configuration are no part of the entry', () => {
    const lists = {
      SLACK_COMMANDS: ' /dba ,\n/clone-a,\t/restore_2,\n',
      TOKEN_KEYS: `\n${key} ,\r\n${Buffer.alloc(32, 1).toString('base64')}\n,`,
      APPROVERS: 'U0DEV00001 ,\nS0DBAS0001,',
      ALLOW_TEAMS: ' T0123ABCD,\n',
    };
    const { slack, tokenKeys, policy, allowed } = readConfig({ ...whole, ...lists });
    expect(slack.commands).toEqual({ db: '/dba', clone: '/clone-a', restore: '/restore_2' });
    expect(tokenKeys).toEqual([new Uint8Array(32).fill(7), new Uint8Array(32).fill(1)]);
    expect(policy.approvers).toEqual(['U0DEV00001', 'S0DBAS0001']);
    expect(allowed.teams).toEqual(['T0123ABCD']);
  });
  test.each(['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'SLACK_APP_TOKEN'])(
    'a blank within the value of %s is refused',
    name => {
      const value = 'one\ntwo';
      expect(faultsOf({ ...least, [name]: value })).toEqual([
        `${name}: must be one word, without a blank or a line break`,
      ]);
    },
  );
  test('two token keys without a comma between them are refused', () => {
    const says = 'TOKEN_KEYS: each key must be 32 bytes in base64 (make one with: openssl rand -base64 32)';
    expect(faultsOf({ ...least, TOKEN_KEYS: `${key}\n${key}` })).toEqual([says]);
  });
  test('a file of blanks alone is refused as a private authority', () => {
    const empty = file('none.pem', ' \n');
    expect(faultsOf({ ...least, SERVICE_CA: empty })).toEqual([`SERVICE_CA: the file at ${empty} is empty`]);
  });
});

test.each([
  ['/service', '/service'],
  ['service', '/service'],
  ['/service/', '/service'],
  ['/a/b', '/a/b'],
  ['a/b/', '/a/b'],
  ['/', ''],
])('the service’s prefix %j is read as %j', (typed, prefix) => {
  expect(readConfig({ ...least, SERVICE_PREFIX: typed }).service.prefix).toBe(prefix);
});

test.each(['/a//b', '/a b', '/a?b', 'http://x/service', '/a#b', '/../%2e'])(
  'the service’s prefix %j is refused',
  typed => {
    expect(faultsOf({ ...least, SERVICE_PREFIX: typed })).toEqual(['SERVICE_PREFIX: must be a path such as /service']);
  },
);

test('the certificate file of a private authority is read, and one that cannot be read is told', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-config-'));
  const file = join(folder, 'ca.pem');
  writeFileSync(file, '-----BEGIN CERTIFICATE-----');
  expect(readConfig({ ...least, SERVICE_CA: file }).service.ca).toBe('-----BEGIN CERTIFICATE-----');
  expect(faultsOf({ ...least, SERVICE_CA: join(folder, 'other.pem') })).toEqual([
    `SERVICE_CA: there is no file at ${join(folder, 'other.pem')}`,
  ]);
  expect(faultsOf({ ...least, SERVICE_CA: folder })).toEqual([
    `SERVICE_CA: the file at ${folder} cannot be read (EISDIR)`,
  ]);
  rmSync(folder, { recursive: true });
});

test('a records file says where facts stand and what state words mean, and each of its faults is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-config-'));
  const file = join(folder, 'records.yml');
  writeFileSync(file, 'database:\n  name: spec.displayName\nstates:\n  stopped: [QUIESCED]\n');
  expect(readConfig({ ...least, RECORDS_FILE: file }).mapping).toEqual({
    database: { name: 'spec.displayName' },
    states: { stopped: ['QUIESCED'] },
  });
  writeFileSync(file, 'database:\n  title: x\nstates:\n  asleep: [QUIESCED]\n');
  expect(faultsOf({ ...least, RECORDS_FILE: file }).join(' ')).toMatch(
    /RECORDS_FILE: line 2: database.title: .*RECORDS_FILE: line 4: states.asleep: /,
  );
  writeFileSync(file, 'database: [');
  expect(faultsOf({ ...least, RECORDS_FILE: file })[0]).toMatch(/^RECORDS_FILE: /);
  const lines = [
    ...['database:', '  name: 7', '  reports:', '    - at: job', '      person: who', '  times:', '    backups: at'],
    ...['outcomes:', '  done: [0]', 'works:', '  backup: [OUT]', '  mount: [out]'],
  ];
  writeFileSync(file, lines.join('\n'));
  expect(faultsOf({ ...least, RECORDS_FILE: file })).toEqual([
    'RECORDS_FILE: line 2: database.name: must be a path such as spec.displayName, or a list of paths',
    'RECORDS_FILE: line 4: database.reports.0: must name its outcome, or its kind with its begin or its end: otherwise nothing counts as a report',
    expect.stringMatching(/^RECORDS_FILE: line 7: database.times.backups: must be one of backup, logs, restore, /),
    'RECORDS_FILE: line 12: works.mount: out is listed under backup, too',
    'RECORDS_FILE: line 9: outcomes.done.0: must be a word; put a number, true, false and null in quotes',
  ]);
  rmSync(folder, { recursive: true });
});

describe('a policy file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-policy-'));
  const file = join(folder, 'policy.yml');
  afterAll(() => rmSync(folder, { recursive: true }));
  const policyIn = (text: string, more: Record<string, string> = {}) => {
    writeFileSync(file, text);
    return readConfig({ ...least, POLICY_FILE: file, ...more }).policy;
  };
  const faultsIn = (text: string) => {
    writeFileSync(file, text);
    return faultsOf({ ...least, POLICY_FILE: file });
  };

  test('a policy file says who approves, how many of them, for how long, and what needs more or less', () => {
    const text = [
      'approvers: [S0DBAS0001, U0DEV00001]',
      'lifetime: 2d',
      'reminders: [15m, 1h]',
      'rules:',
      '  - { title: Production stays, operation: "*.delete", name: prod-*, decision: forbid }',
      '  - { operation: database.restore, environment: [prod], decision: approve, approvals: 2, lifetime: 4h }',
      'breakGlass: { people: S0ONCALL01 }',
    ].join('\n');
    expect(policyIn(text, { APPROVERS: 'U0ELSE0001' })).toEqual({
      approvals: 1,
      approvers: ['S0DBAS0001', 'U0DEV00001'],
      lifetime: 48 * 3_600_000,
      reminders: [900_000, 3_600_000],
      sharedSubjects: [],
      consentLifetime: 90 * 24 * 3_600_000,
      freesOwnClones: false,
      pace: { service: 40, host: 8 },
      rules: [
        { title: 'Production stays', operation: ['*.delete'], name: ['prod-*'], decision: 'forbid' },
        {
          operation: ['database.restore'],
          environment: ['prod'],
          decision: 'approve',
          approvals: 2,
          lifetime: 4 * 3_600_000,
        },
      ],
      leases: [],
      protect: [],
      scheduled: [],
      emergency: ['S0ONCALL01'],
    });
  });
  test('a policy file lets schedules run a guarded operation by its name, which decides nothing else', () => {
    const policy = policyIn(
      [
        'rules:',
        '  - { operation: clone.renew, schedule: allow }',
        '  - { name: prod-*, decision: forbid }',
        '  - { title: Test is free, environment: test, decision: allow }',
      ].join('\n'),
    );
    expect(policy.scheduled).toEqual(['clone.renew']);
    expect(policy.rules.map(({ title, decision }) => [title, decision])).toEqual([
      ['rule 2', 'forbid'],
      ['Test is free', 'allow'],
    ]);
    expect(allowsOnSchedule(policy, { name: 'clone.renew', guarded: true })).toBe(true);
    expect(allowsOnSchedule(policy, { name: 'database.delete', guarded: true })).toBe(false);
    expect(allowsOnSchedule(policy, { name: 'database.backup' })).toBe(true);
  });
  test('a policy file may be empty, and then APPROVERS says who approves', () => {
    expect(policyIn('', { APPROVERS: 'U0ELSE0001, S0DBAS0001' }).approvers).toEqual(['U0ELSE0001', 'S0DBAS0001']);
  });
  test.each([
    [
      'a key that nobody knows',
      'approvers: [U0DEV00001]\nlifetimes: 4h\n',
      'line 2: lifetimes: is not a key that I know',
    ],
    ['a name instead of an id', 'approvers:\n  - dbas\n', 'line 2: approvers.0: must be the id of a Slack user'],
    ['a rule without a decision', 'rules:\n  - name: prod-*\n', 'line 2: rules.0.decision: must be allow'],
    [
      'an operation that there is not',
      'rules:\n  - decision: forbid\n    operation: drop.*\n',
      'line 3: rules.0.operation',
    ],
    [
      'approvers for what is forbidden',
      'rules:\n  - decision: forbid\n    approvals: 2\n',
      'line 2: rules.0: approvals, approvers',
    ],
    ['a schedule of every operation', 'rules:\n  - schedule: allow\n', 'line 2: rules.0.operation: must name'],
    [
      'a schedule of operations by a pattern',
      'rules:\n  - schedule: allow\n    operation: clone.*\n',
      'line 3: rules.0.operation: must name',
    ],
    [
      'a schedule for some targets',
      'rules:\n  - schedule: allow\n    operation: clone.renew\n    name: test-*\n',
      'line 2: rules.0: schedule can only stand',
    ],
    [
      'a schedule that decides, too',
      'rules:\n  - schedule: allow\n    operation: clone.renew\n    decision: allow\n',
      'line 2: rules.0: schedule can only stand',
    ],
    [
      'a schedule that is not allowed',
      'rules:\n  - { schedule: deny, operation: clone.renew }\n',
      'schedule: must be allow',
    ],
    ['a time without its unit', 'lifetime: 90\n', 'line 1: lifetime: must be a time such as 90s, 30m'],
    ['nobody to approve', 'approvals: 0\n', 'line 1: approvals: '],
    ['no YAML', 'rules: [\n', 'POLICY_FILE: '],
    [
      'aliases that stand for billions of rules',
      `a0: &a0 [x]\n${Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at}, `.repeat(12)}]`).join('\n')}`,
      'POLICY_FILE: Excessive alias count',
    ],
    ['an alias of nothing', 'rules: *rules\n', 'POLICY_FILE: Unresolved alias'],
    ['an alias of itself', 'rules: &rules [*rules]\n', 'line 1: rules.0: '],
    ['brackets without end', `rules: ${'['.repeat(100_000)}`, 'POLICY_FILE: '],
  ])('A policy file with %s stops the start, with a fault that says where or why', (_, text, says) => {
    expect(faultsIn(text)[0]).toContain(says);
  });
  test('a policy file that is not there stops the start', () => {
    expect(faultsOf({ ...least, POLICY_FILE: join(folder, 'none.yml') })[0]).toContain('POLICY_FILE: there is no file');
  });
});

test('all missing keys of the configuration are named at once', () => {
  expect(faultsOf({})).toEqual([
    'SERVICE_URL: is missing',
    'TOKEN_KEYS: 32 random bytes in base64 are needed to seal tokens (make them with: openssl rand -base64 32)',
    'SLACK_SIGNING_SECRET: is needed for HTTP mode (or set SLACK_APP_TOKEN for Socket Mode)',
    'SLACK_BOT_TOKEN: is missing (or set SLACK_CLIENT_ID and SLACK_CLIENT_SECRET for several workspaces)',
  ]);
});

test('all wrong keys of the configuration are named at once, each with its fault', () => {
  const faults = faultsOf({
    SLACK_BOT_TOKEN: 'xoxp-1',
    SLACK_APP_TOKEN: 'xoxb-1',
    SLACK_API_URL: 'http://127.0.0.1/',
    SLACK_COMMANDS: '/db',
    SERVICE_URL: 'service.example',
    SERVICE_PREFIX: '/a b',
    SERVICE_CA: '/nowhere/ca.pem',
    DATABASE_URL: 'mysql://db',
    TOKEN_KEYS: 'c2hvcnQ=',
    PUBLIC_URL: 'ftp://x',
    ALLOW_GUESTS: 'perhaps',
    ALLOW_TEAMS: 'everybody',
    PORT: '99999',
    LOG_LEVEL: 'loud',
  });
  expect(faults.map(fault => fault.split(':')[0]).toSorted()).toEqual([
    'ALLOW_GUESTS',
    'ALLOW_TEAMS',
    'DATABASE_URL',
    'LOG_LEVEL',
    'PORT',
    'PUBLIC_URL',
    'SERVICE_CA',
    'SERVICE_PREFIX',
    'SERVICE_URL',
    'SLACK_API_URL',
    'SLACK_APP_TOKEN',
    'SLACK_BOT_TOKEN',
    'SLACK_COMMANDS',
    'TOKEN_KEYS',
  ]);
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+: .{6,}$/);
});

describe('a value is a fault:', () => {
  test.each([
    ['SERVICE_URL', 'https://ben:pass@service.example', 'must not hold a user name or password'],
    [
      'SERVICE_URL',
      'https://service.example:8443/service',
      'must be scheme, host and port only (a path belongs in SERVICE_PREFIX)',
    ],
    ['SERVICE_URL', 'file:///etc', 'must be a URL that begins with https:// or http://'],
    ['SLACK_COMMANDS', '/db,/db,/restore', 'the three names must differ'],
    ['SLACK_COMMANDS', 'db,/clone,/restore', 'each name must look like /db'],
    ['SLACK_COMMANDS', '/DB,/clone,/restore', 'each name must look like /db'],
    ['TOKEN_KEYS', ',', 'at least one key is needed (make one with: openssl rand -base64 32)'],
    ['TOKEN_KEYS', `${key},c2hvcnQ=`, 'each key must be 32 bytes in base64 (make one with: openssl rand -base64 32)'],
    ['SLACK_API_URL', 'http://127.0.0.1:3001', 'must end in /api/'],
    ['PORT', 'http', 'must be a port number from 0 to 65535'],
    ['PORT', '-1', 'must be a port number from 0 to 65535'],
    ['PORT', '3000.5', 'must be a port number from 0 to 65535'],
    ['ALLOW_GUESTS', 'yes', 'must be true or false'],
    ['ALLOW_TEAMS', 'U0123ABCD', 'must be ids of workspaces (T…) or organisations (E…), separated by commas'],
    ['ALLOW_TEAMS', 'T1 T2', 'must be ids of workspaces (T…) or organisations (E…), separated by commas'],
    ['LOG_LEVEL', 'INFO', 'must be trace, debug, info, warn or error'],
  ])('The configuration refuses %s=%s, and says what the key must be', (name, value, says) => {
    expect(faultsOf({ ...least, [name]: value })).toEqual([`${name}: ${says}`]);
  });
});

test('no fault of the configuration shows a secret', () => {
  const secret = 'do-not-tell-anyone';
  const faults = faultsOf({
    SLACK_BOT_TOKEN: secret,
    SLACK_APP_TOKEN: secret,
    SLACK_SIGNING_SECRET: secret,
    TOKEN_KEYS: secret,
    SERVICE_URL: `https://ben:${secret}@service.example`,
    DATABASE_URL: `mysql://ben:${secret}@db`,
    PUBLIC_URL: `https://ben:${secret}@dolly.example`,
  });
  expect(faults).toHaveLength(6);
  expect(faults.join('\n')).not.toContain(secret);
});

describe('a URL of PostgreSQL', () => {
  test.each([
    ...['#', '/', '?', '@x#', '@1/', '7?', '7/', '7#', '8?x=', '@9?x=y', '%23#'].map(sign => `to${sign}psecret`),
    ...['1#psecret', '1/psecret', '1?psecret', '#', '?', '/psecret?host=/run', '2@psecret/x'],
  ])(
    'a PostgreSQL URL with the password %s is refused with the advice to encode it, and nothing of it is shown',
    password => {
      for (const end of ['db.example/dolly', 'db.example:5432/dolly?sslmode=require', '/dolly?host=/run/postgresql']) {
        const faults = faultsOf({ ...least, DATABASE_URL: `postgres://dolly:${password}@${end}` });
        expect(faults).toEqual([expect.stringMatching(/^DATABASE_URL: must be a URL such as .* percent-encoded/)]);
        expect(faults.join()).not.toMatch(/psecret|example/);
      }
    },
  );

  test.each([
    'postgres://dolly:a%23b%2Fc%3Fd%40e@db.example/dolly',
    'postgresql://dolly@[::1]:5433/dolly?',
    'postgres:///dolly?host=/run/postgresql&user=dolly',
    'postgres://dolly@localhost/dolly?host=%2Frun%2Fpostgresql&sslmode=verify-full',
    'postgres://%2Frun%2Fpostgresql/dolly',
    'postgres://dolly:p&$!*()@10.0.0.1',
  ])('the PostgreSQL URL %s is taken as it is', databaseUrl => {
    expect(readConfig({ ...least, DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
  });
});

const installing = { ...least, SLACK_BOT_TOKEN: '', SLACK_CLIENT_ID: '1.2', SLACK_CLIENT_SECRET: 'secret' };
const ready = { ...installing, PUBLIC_URL: 'https://dolly.example.com' };

test('a client id and its secret let the listed workspaces install Dolly', () => {
  const access = { type: 'installations', clientId: '1.2', clientSecret: 'secret' };
  expect(readConfig(ready).slack.access).toEqual({ ...access, teams: [] });
  expect(readConfig({ ...ready, ALLOW_INSTALL: 'T123, E456' }).slack.access).toEqual({
    ...access,
    teams: ['T123', 'E456'],
  });
});

test.each([
  ['a token beside it', { ...ready, SLACK_BOT_TOKEN: 'xoxb-1' }, /^SLACK_BOT_TOKEN: remove it/],
  ['an id alone', { ...ready, SLACK_CLIENT_SECRET: '' }, /^SLACK_CLIENT_SECRET: is missing/],
  ['a secret alone', { ...ready, SLACK_CLIENT_ID: '' }, /^SLACK_CLIENT_ID: is missing/],
  ['no address', installing, /^PUBLIC_URL: is needed/],
  [
    'an address by plain HTTP',
    { ...ready, PUBLIC_URL: 'http://dolly.example.com' },
    /^PUBLIC_URL: must begin with https:\/\/ where SLACK_CLIENT_ID is set/,
  ],
  ['a list without them', { ...least, ALLOW_INSTALL: 'T123' }, /^ALLOW_INSTALL: needs SLACK_CLIENT_ID/],
  ['a list of something else', { ...ready, ALLOW_INSTALL: 'acme' }, /^ALLOW_INSTALL: must be ids of workspaces/],
  ['neither', { ...least, SLACK_BOT_TOKEN: '' }, /^SLACK_BOT_TOKEN: is missing/],
  ['a channel of no workspace', { ...ready, APPROVAL_CHANNEL: 'C123' }, /^APPROVAL_CHANNEL: must name the workspace/],
  [
    'two channels of no workspace',
    { ...least, APPROVAL_CHANNEL: 'C123,C456' },
    /^APPROVAL_CHANNEL: must be one channel/,
  ],
])('a wrong set of keys for Slack’s tokens has one clear fault: %s', (_what, given, fault) => {
  expect(faultsOf(given)).toEqual([expect.stringMatching(fault)]);
});

test('one approval channel serves every workspace, or each workspace has its own', () => {
  const channelOf = (text: string) =>
    approvalChannelOf(readConfig({ ...least, APPROVAL_CHANNEL: text }).approvalChannels);
  expect(channelOf('C123')('T1')).toBe('C123');
  expect(['T123', 'E456', 'T9'].map(channelOf('T123:C1A, E456:G2B'))).toEqual(['C1A', 'G2B', undefined]);
  expect(channelOf('')('T1')).toBeUndefined();
});

describe('a proxy', () => {
  const proxy = 'http://dolly:s3cret@proxy:3128';

  test('a proxy is used only where USE_PROXY says so, by the variables that most programs read', () => {
    expect(readConfig({ ...least, HTTPS_PROXY: proxy }).proxying).toEqual({ unused: 'HTTPS_PROXY' });
    expect(readConfig({ ...least, http_proxy: proxy }).proxying).toEqual({ unused: 'HTTP_PROXY' });
    expect(readConfig({ ...least, NO_PROXY: '*' }).proxying).toBeUndefined();
    const all = {
      ...least,
      USE_PROXY: 'true',
      HTTPS_PROXY: 'http://other',
      https_proxy: proxy,
      NO_PROXY: 'db, .intern',
    };
    const proxies = { httpsProxy: proxy, httpProxy: '', noProxy: 'db, .intern' };
    expect(readConfig(all)).toMatchObject({ proxying: { proxies }, service: { proxies } });
  });

  test.each([
    [{}, 'USE_PROXY: needs HTTPS_PROXY or HTTP_PROXY, which names the proxy'],
    [{ HTTPS_PROXY: 'proxy:3128' }, 'HTTPS_PROXY: must be a URL that begins with http:// or https://'],
    [{ HTTP_PROXY: 'socks5://s3cret@proxy' }, 'HTTP_PROXY: must be a URL that begins with'],
    [{ https_proxy: 'http://dolly:100%s3cret@proxy' }, 'percent-encode its user name and password'],
    [{ HTTPS_PROXY: 'http://dolly:s3/cret@proxy' }, 'HTTPS_PROXY: must be a URL'],
  ])('a proxy is refused where %j is wrong, and no password is told', (given, fault) => {
    const faults = faultsOf({ ...least, USE_PROXY: 'true', ...given }).join();
    expect(faults).toContain(fault);
    expect(faults).not.toContain('s3cret');
    expect(faultsOf({ ...least, USE_PROXY: 'yes' }).join()).toContain('USE_PROXY: must be true or false');
  });
});
