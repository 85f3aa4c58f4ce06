import { afterEach, expect, test, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/main.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test.each(['0', '-1', '65534', '3000.5', 'abc'])('the sandbox says that it cannot take the port %s', async port => {
  vi.stubEnv('PORT', port);
  await expect(startSandbox()).rejects.toThrow('PORT must be a number from 1 to 65533');
});
