import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take a minute and more. One that begins last would run alone at the end. */
const slow = ['kills/kills', 'variants/journeys', 'journeys/operations'];

/**
 * Folders whose test files share the modules that they import, which takes as long as the tests do. So nothing there may
 * replace a module, change the process, or open a store that files have in common.
 */
const sharing = [
  'api/answers',
  'api/connection',
  'api/reading',
  'ground',
  'jobs/protection',
  'operations',
  'records',
  'sandbox/page',
  'sandbox/playground',
  'slack/audit',
  'slack/blocks',
  'slack/commands',
  'slack/connection',
  'slack/desk',
  'slack/forms',
  'slack/home',
  'slack/leases',
  'slack/presets',
  'slack/records',
  'slack/schedules',
  'slack/status',
  'slack/uses',
  'slack/words',
];
const sharingFiles = sharing.map(folder => `test/${folder}/**/*.test.ts`);

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) => slow.some(name => moduleId.includes(`/test/${name}.`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isSlow), ...sorted.filter(file => !isSlow(file))];
  }
}

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    projects: [
      { extends: true, test: { name: 'sharing', include: sharingFiles, isolate: false } },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...sharingFiles],
          globalSetup: ['test/scratch.ts'],
        },
      },
    ],
    sequence: { sequencer: SlowestFirst },
    // The tests wait as often as they compute.
    maxWorkers: '150%',
    // Long: a busy machine is no failure. A test that hangs still ends.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
