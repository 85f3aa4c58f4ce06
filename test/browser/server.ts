import type { TestProject } from 'vitest/node';
import { launch } from './launch.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the browser that all tests of one run have in common. */
    browser: string;
  }
}

/** Vitest calls it once, before the first test that needs a browser; and what it returns, after the last one. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await launch();
  project.provide('browser', server.wsEndpoint());
  return () => server.close();
}
