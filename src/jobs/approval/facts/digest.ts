import { createHash, createHmac, randomBytes } from 'node:crypto';

/**
 * Digests all that a permission covers, in whichever way it is given: 32 hexadecimal digits of a SHA-256. Nobody finds two
 * requests with the same 128 bits, of which one would be approved and the other one done. With a salt it is an HMAC: a
 * digest that people see tells nothing of a secret in it to whoever tries passwords.
 */
export function digestOfPermitted(covers: readonly unknown[], salt?: string): string {
  const digest = salt === undefined ? createHash('sha256') : createHmac('sha256', salt);
  return digest.update(JSON.stringify(covers)).digest('hex').slice(0, 32);
}

/** Makes the salt of a request that holds a secret. It is kept with the request, and shown nowhere. */
export function newSalt(): string {
  return randomBytes(16).toString('base64url');
}
