import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take half a minute and more. Many of them mostly wait, while others compute. */
const slow = [
  'simulate/simulate',
  'kills/kills',
  'kills/waiting',
  'variants/journeys',
  'attribution/records',
  'attribution/reports',
  'journeys/leaseWarnings',
  'faults/threeReplicas',
  'browser/screens',
  'browser/mariadb',
  'mariadb/exactRestores',
  'mariadb/recovery',
  'mariadb/registered',
  'mariadb/cutRestores',
  'journeys/operations',
  'journeys/toldForSure',
];

const root = new URL('..', import.meta.url).pathname;
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** What `npm run whole` runs: all that has more cases than those of `npm test`, as what it imports shows. */
const hasMoreCases = /\/(whole|screen)\.ts'/;
const files = globSync('test/**/*.test.ts', { cwd: root }).filter(
  file => process.env.CASES !== 'all' || hasMoreCases.test(textOf(file)),
);

/** Folders whose tests take the whole machine, end servers and processes, count steps, or have one world for a file. */
const heavy = /^test\/(browser|faults|kills|steps|variants\/attribution|sandbox\/service\/mariadb)\//;
/** A test file that replaces a module, changes the process, or has a MariaDB: modules that keep such a thing keep it for one file. */
const keepsItsOwn = /\bvi\.(mock|stub|useFake)|\/mariadb\.ts'/;
/** A test file that may have stores, and a PostgreSQL, which ends with the file. */
const hasStores = /hasPostgres|\/postgres\.ts'|\/postgresServer\.ts'|\/folder\.ts'|'PostgreSQL'/;

/**
 * Test files that share the modules that they import: to begin a process and to import all of Dolly takes it seconds, as
 * long as most tests do.
 */
const allSharing = files.filter(file => !heavy.test(file) && !keepsItsOwn.test(textOf(file)));
const storeFiles = allSharing.filter(file => hasStores.test(textOf(file)));
const sharingFiles = allSharing.filter(file => !storeFiles.includes(file));

/** Browser tests share a browser, too. */
const browserFiles = files.filter(file => file.startsWith('test/browser/') && !keepsItsOwn.test(textOf(file)));

/**
 * Of these, the ones that `npm run test:fast` leaves out: each takes a tenth of its two minutes, or starts the bot as a
 * process.
 */
const leftOut =
  /\/(container|start|simulate\/week\/week|journeys\/(calmNights|endings|forms|home|kill|killedApproval|leaseWarnings|newThing|operations|serviceTrouble|shortcuts|signIn|slackTrouble|toldForSure|together)|variants\/\w+)\.test\.ts$/;
const fastFiles = sharingFiles.filter(file => !leftOut.test(file));

/** The slow files begin, and those that take a second or two come last: so all workers end at nearly the same time. */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some(name => moduleId.includes(`/${name}.test.`));
    const placeOf = (file: TestSpecification) => (isSlow(file) ? 0 : file.project.name === 'fast' ? 2 : 1);
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

export default defineConfig({
  test: {
    root,
    setupFiles: ['test/fileEnds.ts'],
    projects: [
      { extends: true, test: { name: 'fast', include: fastFiles, isolate: false } },
      {
        extends: true,
        test: {
          name: 'long',
          include: sharingFiles.filter(file => leftOut.test(file)),
          isolate: false,
          globalSetup: ['test/scratch.ts'],
        },
      },
      {
        extends: true,
        test: { name: 'stores', include: storeFiles, isolate: false, globalSetup: ['test/scratch.ts'] },
      },
      {
        extends: true,
        test: { name: 'browser', include: browserFiles, isolate: false, globalSetup: ['test/browser/server.ts'] },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: files.filter(file => !allSharing.includes(file) && !browserFiles.includes(file)),
          globalSetup: ['test/scratch.ts'],
        },
      },
    ],
    sequence: { sequencer: SlowestFirst },
    // The tests wait as often as they compute. Vitest takes more than one for each core as a number only: it cuts 150 % to 100 %.
    maxWorkers: Math.round(availableParallelism() * 1.5),
    // Long: a busy machine is no failure. A test that hangs still ends.
    testTimeout: 180_000,
    hookTimeout: 400_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
