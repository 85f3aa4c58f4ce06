import type { IncomingMessage } from 'node:http';

/**
 * Reads a request's body of at most `most` bytes. A larger one is let go by unread, so that the answer still reaches
 * who sent it; nothing of it is kept. `broken off` where the connection died before the end.
 */
export function readBody(request: IncomingMessage, most: number): Promise<Buffer | 'too large' | 'broken off'> {
  return new Promise(resolve => {
    let chunks: Buffer[] = [];
    let size = Number(request.headers['content-length'] ?? 0);
    if (size > most) {
      request.resume().on('error', () => undefined);
      resolve('too large');
      return;
    }
    size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) {
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
