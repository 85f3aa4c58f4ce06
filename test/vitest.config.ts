import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/scratch.ts'],
    // The tests wait as often as they compute.
    maxWorkers: '150%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
