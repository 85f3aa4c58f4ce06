import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt } from 'jose';

/** Whose secret it is. A sealed secret opens for this owner only. */
export type Owner = Readonly<{ team: string; person: string }>;

/** Seals secrets so that the store holds none in clear. */
export type Vault = {
  seal(owner: Owner, secret: string): Promise<string>;
  /** The secret, or `undefined` where no key fits, the text was tampered with, or it belongs to somebody else. */
  open(owner: Owner, sealed: string): Promise<string | undefined>;
};

/**
 * A vault over 32-byte keys: the first seals, all open, so that keys can be rotated. JWE compact form, `dir` with
 * A256GCM (RFC 7518 §5.3); the key id and the owner stand in the protected header, which the seal covers.
 */
export function openVault(keys: readonly Uint8Array[]): Vault {
  const known = new Map(keys.map(key => [keyId(key), key]));
  const [first] = known;
  if (!first) throw new Error('a vault needs a key');
  const [kid, sealing] = first;
  return {
    seal: (owner, secret) =>
      new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid, sub: subject(owner) })
        .encrypt(sealing),
    async open(owner, sealed) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(
          sealed,
          header => known.get(header.kid ?? '') ?? sealing,
          { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        );
        return protectedHeader.sub === subject(owner) ? new TextDecoder().decode(plaintext) : undefined;
      } catch {
        return undefined;
      }
    },
  };
}

function keyId(key: Uint8Array): string {
  return createHash('sha256').update('dolly key id').update(key).digest('base64url').slice(0, 12);
}

function subject({ team, person }: Owner): string {
  return JSON.stringify([team, person]);
}
