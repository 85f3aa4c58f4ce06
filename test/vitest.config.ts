import { defaultExclude, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The files that take a minute and more. One that begins last would run alone at the end. */
const slow = ['kills/kills', 'variants/journeys', 'journeys/operations'];

/**
 * Folders of tests of pure functions. Their files share the modules that they import, which takes longer than the tests
 * do. So nothing there may replace a module or change the process.
 */
const pure = [
  'api/reading',
  'ground',
  'operations',
  'records',
  'slack/blocks',
  'slack/forms',
  'slack/home',
  'slack/words',
];
const pureFiles = pure.map(folder => `test/${folder}/**/*.test.ts`);

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
      { extends: true, test: { name: 'pure', include: pureFiles, isolate: false } },
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['test/**/*.test.ts'],
          exclude: [...defaultExclude, ...pureFiles],
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
