import type { IncomingMessage } from 'node:http';

/**
 * Reads a request's body of at most `maxBytes` bytes. A larger one is received and dropped, so that the answer still
 * reaches the sender. `broken off` if the connection died before the end.
 */
export function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | 'too large' | 'broken off'> {
  return new Promise(resolve => {
    let chunks: Buffer[] = [];
    let size = Number(request.headers['content-length'] ?? 0);
    if (size > maxBytes) {
      request.resume().on('error', () => undefined);
      resolve('too large');
      return;
    }
    size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      resolve('too large');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    request.on('error', () => resolve('broken off'));
    request.on('close', () => resolve('broken off'));
  });
}
