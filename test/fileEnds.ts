import { afterAll } from 'vitest';

/*
 * What a module keeps for one test file, such as a server, ends with that file, though other files may share the module.
 * Vitest runs this file anew for each test file (`setupFiles`).
 */

declare global {
  var endsOfTestFile: (() => unknown)[] | undefined;
}

globalThis.endsOfTestFile = [];
afterAll(async () => {
  for (const end of globalThis.endsOfTestFile?.splice(0).reverse() ?? []) await end();
});
