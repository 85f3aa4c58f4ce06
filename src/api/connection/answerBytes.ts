import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib';
import type { SharedBytes } from '../longLists/longLists.ts';

/** The content of an answer: a text, or the bytes of a long one. */
export type TextOrBytes = string | SharedBytes;

/**
 * The length from which on an answer is long, in bytes. A shorter list is read in a few slices, which costs less than to
 * hand it over.
 */
const longFrom = 512 * 1024;
/** The steps by which memory for a long answer grows, in bytes. */
const growth = 1024 * 1024;

/** Gathers the bytes of an answer, `maxSize` at most; those of a long one in memory that another thread reads, too. */
export function gatherBytes(maxSize: number) {
  const parts: Buffer[] = [];
  let size = 0;
  let shared: SharedArrayBuffer | undefined;
  let room: Buffer = Buffer.alloc(0);
  return {
    add(part: Buffer): void {
      parts.push(part);
      size += part.length;
      if (size < longFrom) return;
      shared ??= new SharedArrayBuffer(0, { maxByteLength: maxSize });
      if (size > room.length) {
        shared.grow(Math.min(maxSize, size + growth));
        room = Buffer.from(shared);
      }
      let at = size - parts.reduce((sum, { length }) => sum + length, 0);
      for (const next of parts.splice(0)) at += next.copy(room, at);
    },
    bytes: () => (shared ? room.subarray(0, size) : Buffer.concat(parts)),
  };
}

/** The ways to pack bytes: some tell it by their first bytes, others by a name in the header alone. */
const ways = [
  { is: (bytes: Buffer) => begins(bytes, 0x1f, 0x8b), unpack: promisify(gunzip) },
  { is: (bytes: Buffer) => begins(bytes, 0x28, 0xb5, 0x2f, 0xfd), unpack: promisify(zstdDecompress) },
  { is: (_: Buffer, name: string) => name === 'br', unpack: promisify(brotliDecompress) },
  { is: (bytes: Buffer, name: string) => name === 'deflate' && isFramed(bytes), unpack: promisify(inflate) },
  // Some servers leave out the frame, which the standard asks for.
  { is: (_: Buffer, name: string) => name === 'deflate', unpack: promisify(inflateRaw) },
] as const;
/** Max times that an answer is packed. */
const mostLayers = 3;

function begins(bytes: Buffer, ...first: readonly number[]): boolean {
  return first.every((byte, at) => bytes[at] === byte);
}

function isFramed(bytes: Buffer): boolean {
  return bytes.length > 1 && (bytes.readUInt8(0) & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}

/** Unpacks what is packed, whatever its header says: packed bytes are no UTF-8, and an answer that is read is. */
async function unpack(bytes: Buffer, encoding: string, maxSize: number): Promise<Buffer> {
  const names = encoding.toLowerCase().split(',');
  let plain = bytes;
  for (let layer = 0; layer < mostLayers && !isUtf8(plain); layer++) {
    const name = names.pop()?.trim() ?? '';
    const way = ways.find(({ is }) => is(plain, name));
    if (!way) break;
    plain = await way.unpack(plain, { maxOutputLength: maxSize });
  }
  return plain;
}

/**
 * Reads the bytes of an answer. Dolly asks for none that are packed, but some services and proxies pack them all the same.
 * @throws Error where they cannot be unpacked, or are more than `maxSize` then
 */
export async function readBytes(bytes: Buffer, encoding = '', maxSize: number): Promise<TextOrBytes> {
  const plain = await unpack(bytes, encoding, maxSize);
  // This leaves out a mark of the byte order, which is no JSON, though some services write one.
  if (plain.length < longFrom) return new TextDecoder().decode(plain);
  const long = plain.buffer instanceof SharedArrayBuffer ? plain.buffer : new SharedArrayBuffer(plain.length);
  const all = Buffer.from(long);
  if (all.buffer !== plain.buffer) all.set(plain);
  if (all.subarray(0, 3).equals(byteOrderMark)) all.fill(' ', 0, 3);
  return { bytes: long, size: plain.length };
}

const byteOrderMark = Buffer.from('\ufeff');
