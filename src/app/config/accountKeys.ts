import { readSecretFile, SecretFileFault } from '../../ground/secretFile.ts';

/** The service account as the configuration names it. Its password is read from the file each time that it signs in. */
export type AccountKeys = Readonly<{ username: string; passwordFile: string }>;

/**
 * Reads the keys of the service account, if there is one. Adds a line to `faults` for a key that is missing, and for a
 * file whose password must not be used.
 */
export function accountIn(given: Record<string, string | undefined>, faults: string[]): AccountKeys | undefined {
  const { SERVICE_USER: username, SERVICE_PASSWORD_FILE: passwordFile } = given;
  if (username === undefined && passwordFile === undefined) return undefined;
  if (username === undefined)
    faults.push('SERVICE_USER: is missing; SERVICE_PASSWORD_FILE has the password of this user');
  if (passwordFile === undefined)
    faults.push('SERVICE_PASSWORD_FILE: is missing; it names the file with the password of SERVICE_USER');
  try {
    if (passwordFile !== undefined) readSecretFile(passwordFile);
  } catch (error) {
    if (!(error instanceof SecretFileFault)) throw error;
    faults.push(`SERVICE_PASSWORD_FILE: the file ${passwordFile} ${error.message}`);
  }
  return username === undefined || passwordFile === undefined ? undefined : { username: username.trim(), passwordFile };
}
