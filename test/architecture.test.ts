import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { importsBelow, importsOf, sourcesIn } from '../src/docs/imports.ts';

/* The repository tests itself: the directions of imports (DESIGN §2), what lies where, and what code is not written. */

const root = resolve(import.meta.dirname, '..');
const inRoot = (path: string) => relative(root, path);

function filesIn(folder: string, ending: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && ending.test(entry.name))
    .map(entry => inRoot(join(entry.parentPath, entry.name)))
    .toSorted();
}

const source = sourcesIn('src');
const tests = sourcesIn('test');
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const edges = importsBelow('src');
const isPackage = (to: string) => !to.startsWith('src/');
const packageOf = (name: string) =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
const isBuiltin = (name: string) => builtinModules.includes(name.replace('node:', '').split('/')[0] ?? '');

/** The imports from below `folder` that `allowed` does not match. */
function strays(folder: string, allowed: readonly RegExp[]): string[] {
  return edges
    .filter(
      ({ from, to }) => from.startsWith(folder) && !to.startsWith(folder) && !allowed.some(pattern => pattern.test(to)),
    )
    .map(({ from, to }) => `${from} imports ${to}`);
}

test('the architecture test sees the imports of each file', () => {
  expect(edges.length).toBeGreaterThan(200);
  expect(importsOf('src/main.ts')).toEqual(
    expect.arrayContaining(['node:fs', 'src/app/run.ts', 'src/app/app.ts', 'src/sandbox/main.ts']),
  );
  expect(importsOf('src/jobs/evidence/targetProof.ts')).toContain('src/operations/proofs.ts');
});

describe('imports run one way:', () => {
  // What every layer may use: time, what goes wrong, and where it tells what happened.
  const ground = [
    /^src\/ground\/(calendar|clock|closest|durations|failure|json|keys|lookalikes|loop|meter|plainHttp|remembered|rhythmWords|slices|timeText|within|wording|zone)\.ts$/,
  ];
  const packages = [/^(?!src\/)/];
  test.each<[string, string, readonly RegExp[]]>([
    [
      'operations import how to write a call, and nothing of the outside',
      'src/operations/',
      [/^src\/api\/(call|identifiers)\.ts$/, /^src\/ground\/(durations|timeText|wording|zone)\.ts$/, /^zod$/],
    ],
    ['the service’s client imports neither operations, store, jobs nor Slack', 'src/api/', [...ground, ...packages]],
    ['the store imports neither operations, service, jobs nor Slack', 'src/store/', [...ground, ...packages]],
    [
      'records import the service and the store, and neither operations, jobs nor Slack',
      'src/records/',
      [...ground, ...packages, /^src\/(api|store)\//],
    ],
    ['jobs import nothing of Slack', 'src/jobs/', [...ground, ...packages, /^src\/(operations|records|api|store)\//]],
    ['the HTTP pages import nothing of Slack, jobs or the store', 'src/http/', [...ground, ...packages]],
    [
      'features import nothing of the wiring',
      'src/features/',
      [...ground, ...packages, /^src\/(http|slack|jobs|operations|records|api|store)\//],
    ],
    [
      'Slack’s side imports nothing of the wiring, and no feature',
      'src/slack/',
      [...ground, ...packages, /^src\/(http|jobs|operations|records|api|store)\//],
    ],
    ['the sandbox service imports nothing of the rest', 'src/sandbox/service/', packages],
    [
      'the playground imports the clock of the bot, and nothing else',
      'src/sandbox/playground/',
      [/^src\/ground\/clock\.ts$/, ...packages],
    ],
    [
      'the playground’s page imports only what goes over the wire',
      'src/sandbox/playground/page/',
      [/^src\/sandbox\/playground\/[a-zA-Z]+\.ts$/, ...packages],
    ],
  ])('each part of src imports only what is below it: %s', (_, folder, allowed) => {
    expect(source.some(file => file.startsWith(folder))).toBe(true);
    expect(strays(folder, allowed)).toEqual([]);
  });

  test('Slack’s packages stay in its folders and the wiring, and the database’s in the store', () => {
    const outside = (name: RegExp, ...homes: string[]) =>
      edges
        .filter(({ from, to }) => name.test(to) && !homes.some(home => from.startsWith(home)))
        .map(({ from, to }) => `${from} imports ${to}`);
    expect(outside(/^@slack\//, 'src/slack/', 'src/features/', 'src/app/', 'src/sandbox/playground/')).toEqual([]);
    expect(outside(/^(kysely|better-sqlite3|jose)/, 'src/store/')).toEqual([]);
    expect(outside(/^undici$/, 'src/api/')).toEqual([]);
    expect(outside(/^prom-client$/, 'src/app/prometheus.ts')).toEqual([]);
    expect(outside(/^(hono|@hono|preact|ws$)/, 'src/sandbox/')).toEqual([]);
    expect(outside(/^vite$/, 'src/sandbox/', 'src/bundle.ts')).toEqual([]);
    // Its index takes most of a second to load; a single function takes nothing (the page is bundled, so it may).
    expect(outside(/^date-fns$/, 'src/sandbox/playground/page/')).toEqual([]);
  });

  test('the sandbox’s MariaDB engine has one door, and imports of the service only what an engine is', () => {
    const room = 'src/sandbox/service/mariadb/';
    const doors = edges.filter(({ from, to }) => to.startsWith(room) && !from.startsWith(room)).map(({ to }) => to);
    expect(new Set(doors)).toEqual(new Set([`${room}mariadb.ts`]));
    expect(strays(room, [/^src\/sandbox\/service\/(clock|engine|estate|startFault)\.ts$/, ...packages])).toEqual([]);
  });

  test('only the two starts import the wiring, and nothing imports a start', () => {
    const importers = (file: string) => edges.filter(({ to }) => to === file).map(({ from }) => from);
    expect(importers('src/app/app.ts')).toEqual(['src/main.ts', 'src/sandbox/main.ts']);
    expect(importers('src/main.ts')).toEqual([]);
    expect(importers('src/sandbox/main.ts')).toEqual(['src/main.ts']);
  });

  test('no source file imports itself by a detour', () => {
    expect(circlesOf(edges.filter(({ to }) => !isPackage(to)))).toEqual([]);
  });

  test('no room of Slack’s side imports itself by a detour', () => {
    const rooms = edges
      .map(({ from, to }) => ({ from: slackRoomOf(from), to: slackRoomOf(to) }))
      .filter(({ from, to }) => from !== undefined && to !== undefined && from !== to)
      .map(({ from = '', to = '' }) => ({ from, to }));
    expect(new Set(rooms.map(({ from }) => from)).size).toBeGreaterThan(5);
    expect(circlesOf(rooms)).toEqual([]);
    expect(circlesOf([...rooms, { from: 'blocks', to: 'home' }])).not.toEqual([]);
  });
});

/** The folder of `src/slack` in which a file lies. A file beside the folders ties them together and belongs to none. */
function slackRoomOf(file: string): string | undefined {
  return /^src\/slack\/(\w+)\//.exec(file)?.[1];
}

/** The ways on which one comes back to where one began. */
function circlesOf(arrows: readonly Readonly<{ from: string; to: string }>[]): string[] {
  const next = Map.groupBy(arrows, ({ from }) => from);
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (place: string, path: readonly string[]): void => {
    if (path.includes(place)) circles.push([...path.slice(path.indexOf(place)), place].join(' → '));
    if (path.includes(place) || done.has(place)) return;
    for (const { to } of next.get(place) ?? []) visit(to, [...path, place]);
    done.add(place);
  };
  for (const place of next.keys()) visit(place, []);
  return circles;
}

describe('packages', () => {
  const names = z.record(z.string(), z.string()).default({}).transform(Object.keys);
  const { dependencies, devDependencies } = z
    .object({ dependencies: names, devDependencies: names })
    .parse(JSON.parse(textOf('package.json')));
  const used = (files: readonly string[]) => [
    ...new Set(
      files
        .flatMap(importsOf)
        .filter(name => !/^(src|test)\//.test(name) && !isBuiltin(name))
        .map(packageOf),
    ),
  ];
  const bot = source.filter(file => !file.startsWith('src/sandbox/') && file !== 'src/bundle.ts');

  test('each package that the bot needs is installed with it', () => {
    expect(used(bot).filter(name => !dependencies.includes(name))).toEqual([]);
  });
  test('each package that the sandbox and the tests need is named in package.json', () => {
    expect(used([...source, ...tests]).filter(name => ![...dependencies, ...devDependencies].includes(name))).toEqual(
      [],
    );
  });
  test('each package that is installed with the bot is needed by it', () => {
    expect(dependencies.filter(name => !used(bot).includes(name))).toEqual([]);
  });
});

describe('what lies where:', () => {
  test('the repository’s top folder has only the files of the design', () => {
    const made = ['node_modules', 'data', 'dist'];
    const top = readdirSync(root).filter(name => !name.startsWith('.') && !made.includes(name));
    const known = [
      'Dockerfile',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'README.md',
      'compose.yml',
      'docs',
      'findings',
      'manifest.yml',
      'package-lock.json',
      'package.json',
      'src',
      'test',
      'tsconfig.json',
    ];
    expect(top.toSorted()).toEqual(known.toSorted());
  });

  test('all code is TypeScript but src/start.js', () => {
    expect([...filesIn('src', /\.[cm]?jsx?$/), ...filesIn('test', /\.[cm]?jsx?$/)]).toEqual(['src/start.js']);
  });

  test('no file has a name that says nothing, such as utils or helpers', () => {
    const nameless = /^(utils?|helpers?|managers?|index|common|misc|shared|base)\./i;
    expect([...source, ...tests].filter(file => nameless.test(basename(file)))).toEqual([]);
  });

  test('the tests of a part of src lie in the folder of that name', () => {
    const parts = ['api', 'features', 'jobs', 'operations', 'records', 'slack', 'store'];
    for (const file of tests.filter(name => name.endsWith('.test.ts') && parts.includes(name.split('/')[1] ?? ''))) {
      const part = file.split('/')[1];
      // What several tests of a part set up stands beside them.
      const all = [file, ...importsOf(file).filter(name => name.startsWith(`test/${part}/`))];
      expect([file, all.some(name => textOf(name).includes(`/src/${part}/`))]).toEqual([file, true]);
    }
  });
});

/** The code of a file without comments, texts and imports: what is left is what the compiler acts on. */
function codeOf(file: string): string {
  const text = textOf(file).replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\$]|\\.|\$(?!\{))*`/g,
    found => (found.startsWith('/') ? ' ' : '""'),
  );
  return text.replace(/^(?:import|export)\s[^;]*?\bfrom\s*"";/gm, '').replace(/>[^<>{}=;()]*</g, '><');
}

describe('what is not written:', () => {
  const everywhere = [...source, ...tests];
  const where = (files: readonly string[], pattern: RegExp, read: (file: string) => string) =>
    files.flatMap(file => [...read(file).matchAll(new RegExp(pattern, 'g'))].map(([found]) => `${file}: ${found}`));

  test('no file has a cast but “as const”', () => {
    expect(
      where(
        everywhere,
        /\bas\s+(?:unknown|any|never|string|number|boolean|object|readonly|keyof|typeof|\{|\[|\(|[A-Z])\w*/,
        codeOf,
      ),
    ).toEqual([]);
  });

  test('no file silences the compiler, and few lint rules are silenced', () => {
    const ignore = `biome-${'ignore'}`;
    expect(
      where(everywhere, /@ts-(ignore|expect-error|nocheck)/, file =>
        file === 'test/architecture.test.ts' ? '' : textOf(file),
      ),
    ).toEqual([]);
    const silenced = where(source, new RegExp(`${ignore}[^\\n]*`), textOf);
    expect(silenced.filter(line => !/noControlCharactersInRegex|lint\/a11y\//.test(line))).toEqual([]);
  });

  test('no file has what the lint rules forbid: any, “!”, default exports', () => {
    const rules = z.object({
      linter: z.object({
        rules: z.object({
          style: z.object({ noDefaultExport: z.literal('error'), noNonNullAssertion: z.literal('error') }),
          suspicious: z.object({ noExplicitAny: z.literal('error') }),
        }),
      }),
    });
    expect(rules.safeParse(JSON.parse(textOf('.biome.json'))).error).toBeUndefined();
    // The sign after a name, a bracket or a call, where no “=” follows.
    expect(where(everywhere, /[\w)\]]!(?=[.;,)\]\s])(?!\s*=)/, codeOf)).toEqual([]);
    expect(where(everywhere, /(?::|<|\|)\s*any\b/, codeOf)).toEqual([]);
    expect(
      where(
        everywhere.filter(file => file !== 'test/vitest.config.ts'),
        /^export default\b/m,
        codeOf,
      ),
    ).toEqual([]);
  });

  test('no file has a note to do something later', () => {
    const notes = new RegExp(['TO', 'DO|FIX', 'ME|XX', 'X\\b'].join(''));
    expect(where(everywhere, notes, textOf)).toEqual([]);
  });

  test('nothing writes to the console but what a person starts', () => {
    const starts = [
      'src/main.ts',
      'src/app/run.ts',
      'src/docs.ts',
      'src/move.ts',
      'src/checkRecords.ts',
      'src/sandbox/main.ts',
      'src/sandbox/clean.ts',
      'test/simulate/main.ts',
      'test/simulate/run.ts',
      'test/simulate/night.ts',
    ];
    const others = everywhere.filter(
      file => !starts.includes(file) && !/^test[/](bench|browser|simulate)[/]/.test(file),
    );
    expect(where(others, /\bconsole\.\w+/, codeOf)).toEqual([]);
  });

  test('no test is left out or runs alone', () => {
    const isolated = new RegExp(`\\b(test|describe|it)\\.(${['on', 'ly|to', 'do|sk', 'ip'].join('')})\\b(?!If)`);
    expect(where(tests, isolated, codeOf)).toEqual([]);
  });
});

test('no code changes an entry of the audit trail, and only its sweep deletes any', () => {
  const changes = source.flatMap(file =>
    [
      ...textOf(file).matchAll(
        /(?:insertInto|updateTable|deleteFrom|dropTable|alterTable)\(\s*'audit'|\bsql`[^`]*\baudit\b/g,
      ),
    ].map(([found]) => `${file}: ${found}`),
  );
  expect(changes.toSorted()).toEqual([
    "src/store/tables/audit/audit.ts: deleteFrom('audit'",
    "src/store/tables/audit/audit.ts: insertInto('audit'",
  ]);
  const sweep = /\n {4}sweep: [\s\S]*?\n {6}}\),/.exec(textOf('src/store/tables/audit/audit.ts'))?.[0] ?? '';
  expect(sweep).toContain("deleteFrom('audit')");
});

/** The exported functions of a file, each with the comment before it. */
function exportedFunctions(file: string): readonly Readonly<{ name: string; comment: string; code: string }>[] {
  const found = textOf(file).matchAll(
    /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:async )?function\*? (\w+)([\s\S]*?)^}$/gm,
  );
  return [...found].map(([, comment = '', name = '', code = '']) => ({ name, comment, code }));
}

test('an exported function that throws a failure of the service, of a person or of the store says so', () => {
  const throwing = source
    .filter(file => !file.startsWith('src/sandbox/'))
    .flatMap(file => exportedFunctions(file).map(one => ({ ...one, file })))
    .filter(({ code }) => /\bthrow new (Failure|StoreFault|StoreTrouble)\(/.test(code));
  expect(throwing.length).toBeGreaterThan(15);
  expect(
    throwing.filter(({ comment }) => !/\b@?throws?\b/i.test(comment)).map(one => `${one.file}: ${one.name}`),
  ).toEqual([]);
});

/*
 * Each mechanism has one home. A file that comes to one of these lists is a second copy of what stands there already, or
 * a new home, which is decided and not drifted into.
 */
describe('what has one home:', () => {
  const bot = source.filter(file => !file.startsWith('src/sandbox/'));
  const naming = (pattern: RegExp, files = bot) => files.filter(file => pattern.test(textOf(file)));
  const jobs = /^src\/store\/jobs\//;

  test('locks are written only by the queue, jobs, Homes and tokens', () => {
    // What the machine of jobs writes, and the pause of a message, are data for those homes.
    const users = ['src/jobs/machine/effects.ts', 'src/slack/outbox/delivery.ts', 'src/store/tables/inbox.ts'];
    const rows = ['src/store/tables/rows.ts', 'src/store/things/rows.ts'];
    const homes = ['src/store/lock.ts', 'src/store/dueQueue.ts'];
    const own = ['src/store/tables/homes.ts', 'src/store/tables/installations.ts'];
    const found = naming(/\b(lockedUntil|tellLockedUntil)\b/).filter(file => !jobs.test(file));
    expect(found).toEqual([...users, ...rows, ...homes, ...own].toSorted());
  });

  test('each column is declared once, with its table, and the statement that makes the table follows', () => {
    expect(naming(/\bcreate table\b/i)).toEqual(['src/store/columns.ts']);
    expect(naming(/= table(With)?\(/)).toEqual([
      'src/store/jobs/rows/jobRow.ts',
      'src/store/tables/rows.ts',
      'src/store/things/rows.ts',
    ]);
  });

  test('only the queue writes when a row is due', () => {
    const found = naming(/(updateTable|insertInto|deleteFrom)\('due'\)/);
    expect(found).toEqual(['src/store/dueQueue.ts']);
  });

  test('one rule decides that a time too far ahead counts as come', () => {
    expect(naming(/<= (now|at) \+ /)).toEqual(['src/ground/clock.ts']);
  });

  test('a service’s states and outcomes are read by one reader with two tables, and its times by one', () => {
    const word =
      '(failed|failure|aborted|success|successful|succeeded|completed?|finished|killed|terminated|interrupted)';
    expect(naming(new RegExp(`\\b${word}(\\||\\)?\\|| )${word}\\b`))).toEqual([
      // Keys that hold an outcome.
      'src/api/reading/assumedKeys.ts',
      'src/api/reading/besideTimes.ts',
      // The two tables.
      'src/api/reading/outcomes.ts',
      'src/api/reading/phrases.ts',
      // Keys, too.
      'src/api/reading/snapshotCondition.ts',
      'src/api/reading/stateWords.ts',
    ]);
    expect(naming(/\breadPhrase\(/)).toEqual(
      ['outcomes', 'phrases', 'reportOutcome', 'snapshotCondition', 'stateWords'].map(
        name => `src/api/reading/${name}.ts`,
      ),
    );
    expect(naming(/\bDate\.parse\b|\bparseISO\b/)).toEqual([]);
  });

  test('one rule doubles a pause with each failed try', () => {
    expect(naming(/2 \*\* /)).toEqual(['src/ground/clock.ts']);
  });

  test('what the store offers has written types, not those of its factories', () => {
    const unwritten = /\bexport type \w+ =[^;]*\bReturnType<typeof \w+>/;
    expect('export type Seen = Readonly<ReturnType<typeof seenIn>>;').toMatch(unwritten);
    expect(naming(unwritten).filter(file => file.startsWith('src/store/'))).toEqual([]);
  });

  test('a revision is counted up only where jobs, things, messages and presets are written', () => {
    const inStore = bot.filter(file => file.startsWith('src/store/'));
    const found = naming(/oneMore\('revision'|revision \+ 1|revision \?\? 0\) \+ 1/, inStore);
    expect(found.filter(file => !jobs.test(file))).toEqual([
      'src/store/history/putBack.ts',
      'src/store/tables/outbox.ts',
      'src/store/tables/outboxRows.ts',
      'src/store/tables/presets.ts',
      'src/store/things/things.ts',
    ]);
  });

  test('messages are posted only by the outbox, answers and the export of the audit trail', () => {
    expect(naming(/chat\.postMessage\(/)).toEqual([
      'src/slack/audit/auditExport.ts',
      'src/slack/desk/answer.ts',
      'src/slack/outbox/post.ts',
    ]);
    expect(naming(/chat\.update\(/)).toEqual(['src/slack/outbox/post.ts']);
  });

  test('what delivers messages and what draws forms read nothing: each has a reader of its own', () => {
    const read = (...names: string[]) => new RegExp(`\\b(${names.join('|')})\\(`);
    const told = read('jobMessage', 'planMessage', 'describeJob', 'whoCanNow', 'heldClonesOf');
    expect(naming(told).filter(file => file.startsWith('src/slack/outbox/'))).toEqual(['src/slack/outbox/jobNews.ts']);
    const drawing = ['src/slack/forms/openForm.ts', 'src/slack/forms/formModal.ts'];
    expect(naming(read('inputsFound', 'gatherFacts', 'judgePlan', 'knownBeforehand', 'readTeardown'), drawing)).toEqual(
      [],
    );
  });

  test('modals are opened and changed in one file', () => {
    expect(naming(/views\.(open|push|update)\(/)).toEqual(['src/slack/desk/views.ts']);
  });

  test('the digest of a permission is computed in one place', () => {
    const deciding = /^src\/(jobs|features|records|operations|slack)\//;
    const found = naming(/createHash|\bhash\(/).filter(file => deciding.test(file));
    // The ids of a schedule and of its runs follow from their requests.
    const ids = ['src/features/schedules/run/scheduleRun.ts', 'src/features/schedules/scheduleActs.ts'];
    // Those of messages and presses likewise, and a Home is drawn where its view has changed.
    const drawn = ['src/slack/desk/interaction.ts', 'src/slack/desk/message.ts', 'src/slack/home/home.ts'];
    expect(found).toEqual([...ids, 'src/jobs/approval/facts/digest.ts', ...drawn]);
  });

  test('features are imported by app, the docs and the sandbox, and few import another feature', () => {
    const users = edges.filter(({ to }) => to === 'src/app/features.ts').map(({ from }) => from);
    const types = ['src/app/listeners.ts', 'src/app/loops.ts', 'src/app/openParts.ts'];
    expect(users.toSorted()).toEqual(
      ['src/app/app.ts', ...types, 'src/docs/docs.ts', 'src/docs/manifest.ts', 'src/sandbox/main.ts'].toSorted(),
    );
    const featureOf = (file: string) => /^src\/features\/(\w+)\//.exec(file)?.[1];
    const into = edges.filter(({ from, to }) => featureOf(to) !== undefined && featureOf(from) !== featureOf(to));
    const fromOutside = into.filter(({ from }) => featureOf(from) === undefined).map(({ from }) => from);
    expect([...new Set(fromOutside)]).toEqual(['src/app/features.ts']);
    const pairs = into.flatMap(({ from, to }) => (featureOf(from) ? [`${featureOf(from)} → ${featureOf(to)}`] : []));
    expect([...new Set(pairs)].toSorted()).toEqual([
      // Alerts look at the same lists as the report, with the same watcher for what is protected.
      'alerts → protection',
      // The runs of a schedule that fail, or are left out, are trouble of its target.
      'alerts → schedules',
      // Several clones are kept longer on the page on which several are ticked.
      'batches → leases',
      // A report that comes each day is a schedule.
      'protection → schedules',
    ]);
  });
});
