import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';

/** The owner of a secret. A sealed secret opens for this owner only. */
export type Owner = Readonly<{ team: string; person: string }>;

/** Seals secrets so that the store holds none in clear. */
export type Vault = Readonly<{
  /** The secret, or `undefined` where no key fits, the text was tampered with, or it belongs to somebody else. */
  open(owner: Owner, sealed: string): Promise<string | undefined>;
  /** Seals a secret with the first key, for this owner. */
  seal(owner: Owner, secret: string): Promise<string>;
  /** Whether a text is sealed with the key that seals now, as far as its header says. */
  isCurrent(sealed: string): boolean;
  /** What every text begins with that is sealed with that key, so that a statement can find the others. */
  currentBeginning: string;
}>;

/** The reason why a seal did not open: its key is unknown, its text was changed, or it belongs to another person. */
export type Refusal = 'unknown key' | 'tampered with' | 'of another person';

/**
 * A vault over 32-byte keys: the first seals, all open, so that keys can be rotated. JWE compact form, `dir` with
 * A256GCM (RFC 7518 §5.3); the key id and the owner stand in the protected header, which the seal covers. `refused` is
 * called for each seal that does not open, and is told nothing of its contents.
 */
export function openVault(keys: readonly Uint8Array[], refused?: (owner: Owner, why: Refusal) => void): Vault {
  const known = new Map(keys.map(key => [keyId(key), key]));
  const [first] = known;
  if (!first) throw new Error('a vault needs a key');
  const [kid, sealing] = first;
  const header = (owner: Owner) => ({ alg: 'dir', enc: 'A256GCM', kid, sub: subject(owner) });
  return {
    seal: (owner, secret) =>
      new CompactEncrypt(new TextEncoder().encode(secret)).setProtectedHeader(header(owner)).encrypt(sealing),
    isCurrent: sealed => keyIdIn(sealed) === kid,
    currentBeginning: beginningOf(JSON.stringify(header({ team: '', person: '' })), kid),
    async open(owner, sealed) {
      const key = known.get(keyIdIn(sealed) ?? '');
      const opened = key && (await unseal(sealed, key));
      if (opened && opened.sub === subject(owner)) return opened.secret;
      refused?.(owner, key ? (opened ? 'of another person' : 'tampered with') : 'unknown key');
      return undefined;
    },
  };
}

async function unseal(sealed: string, key: Uint8Array): Promise<{ secret: string; sub: unknown } | undefined> {
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
    });
    return { secret: new TextDecoder().decode(plaintext), sub: protectedHeader.sub };
  } catch {
    return undefined;
  }
}

/** The beginning of a header as it stands in a seal, with all of the key id: three bytes are four characters there. */
function beginningOf(header: string, kid: string): string {
  const end = header.indexOf(kid) + kid.length;
  return Buffer.from(header.slice(0, end + (3 - (end % 3)))).toString('base64url');
}

function keyIdIn(sealed: string): string | undefined {
  try {
    return decodeProtectedHeader(sealed).kid;
  } catch {
    return undefined;
  }
}

function keyId(key: Uint8Array): string {
  return createHash('sha256').update('dolly key id').update(key).digest('base64url').slice(0, 12);
}

function subject({ team, person }: Owner): string {
  return JSON.stringify([team, person]);
}
