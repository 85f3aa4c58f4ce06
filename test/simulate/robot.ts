import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Estate, nextIdentifier } from '../../src/sandbox/service/estate.ts';

/* The user of the service account. It is nobody's own, so that no sign-out of a person ends it. */

export const robot = { username: 'robot', password: 'robot-password' } as const;

/** Puts the user into a service. */
export function addRobot(estate: Estate): void {
  const [like] = [...estate.users.values()].filter(({ role }) => role === 'DBA');
  if (!like) throw new Error('the example has no user who may do everything');
  const id = nextIdentifier(estate, 'USER');
  estate.users.set(id, { ...like, ...robot, id, fullName: 'Robot', email: 'robot@example.com' });
}

let file: string | undefined;

/** The configuration of bots with a service account. The file with the password lasts as long as the process. */
export function accountKeys() {
  file ??= writePassword();
  return { SERVICE_USER: robot.username, SERVICE_PASSWORD_FILE: file };
}

function writePassword(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dolly-robot-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'password');
  writeFileSync(path, robot.password, { mode: 0o600 });
  return path;
}
