import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { SharedBytes } from '../longLists/longLists.ts';

/** The content of an answer: a text, or the bytes of a long one. */
export type TextOrBytes = string | SharedBytes;

/**
 * The length from which on an answer is long, in bytes. A shorter list is read in a few slices, which costs less than to
 * hand it over.
 */
export const longFrom = 512 * 1024;
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

const unpackers = new Map([
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/**
 * Reads the bytes of an answer. Dolly asks for none that are packed, but some services and proxies pack them all the same.
 * @throws Error where they cannot be unpacked, or are more than `maxSize` then
 */
export async function readBytes(bytes: Buffer, encoding = '', maxSize: number): Promise<TextOrBytes> {
  // By these two, gzip is known even where no header names it. No JSON begins with them.
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const unpack = isGzip ? promisify(gunzip) : unpackers.get(encoding.trim().toLowerCase());
  const plain = unpack ? await unpack(bytes, { maxOutputLength: maxSize }) : bytes;
  // This leaves out a mark of the byte order, which is no JSON, though some services write one.
  if (plain.length < longFrom) return new TextDecoder().decode(plain);
  const long = plain.buffer instanceof SharedArrayBuffer ? plain.buffer : new SharedArrayBuffer(plain.length);
  const all = Buffer.from(long);
  if (all.buffer !== plain.buffer) all.set(plain);
  if (all.subarray(0, 3).equals(byteOrderMark)) all.fill(' ', 0, 3);
  return { bytes: long, size: plain.length };
}

const byteOrderMark = Buffer.from('\ufeff');
