import { extname } from 'node:path';
import { limits } from './limits.ts';
import type { SharedFile } from './protocol.ts';
import { secret, slackId } from './random.ts';
import { SlackError } from './slackError.ts';

/** A file on its way: promised, then uploaded, then shared. */
export type StoredFile = {
  id: string;
  name: string;
  title: string;
  size: number;
  mimetype: string;
  /** The secret last part of the upload URL. */
  ticket: string;
  bytes?: Uint8Array;
  isComplete: boolean;
};

/** All files of the workspace, in memory. */
export type Files = {
  /** Makes room for a file of so many bytes. */
  promise(name: string, size: number): StoredFile;
  /** Takes the bytes. @throws SlackError file_not_found, or invalid_length where they are more or fewer than promised */
  receive(ticket: string, bytes: Uint8Array): StoredFile;
  /** A file that was uploaded and not completed yet. @throws SlackError file_not_found */
  uploaded(id: string): StoredFile;
  /** A file that can be downloaded; undefined if there is none, or if it was too long ago. */
  find(id: string): StoredFile | undefined;
};

/** Slack looks into files; for this one, what the name says will do. */
const mimetypes: Record<string, string> = {
  '.csv': 'text/csv',
  '.json': 'application/json',
  '.log': 'text/plain',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.sql': 'text/plain',
  '.txt': 'text/plain',
};

export function newFiles(): Files {
  const known = new Map<string, StoredFile>();

  /** Keeps a long-lived playground from growing: the oldest files go first. */
  function makeRoom(size: number) {
    let total = size + [...known.values()].reduce((sum, file) => sum + file.size, 0);
    for (const [id, file] of known) {
      if (total <= limits.keptFileBytes) return;
      known.delete(id);
      total -= file.size;
    }
  }

  return {
    promise(name, size) {
      makeRoom(size);
      const mimetype = mimetypes[extname(name).toLowerCase()] ?? 'application/octet-stream';
      const file = { id: slackId('F'), name, title: name, size, mimetype, ticket: secret(), isComplete: false };
      known.set(file.id, file);
      return file;
    },
    receive(ticket, bytes) {
      const file = [...known.values()].find(candidate => candidate.ticket === ticket && !candidate.isComplete);
      if (file === undefined) throw new SlackError('file_not_found');
      if (bytes.length !== file.size) throw new SlackError('invalid_length');
      file.bytes = bytes;
      return file;
    },
    uploaded(id) {
      const file = known.get(id);
      if (file?.bytes === undefined || file.isComplete) throw new SlackError('file_not_found');
      return file;
    },
    find(id) {
      const file = known.get(id);
      return file?.isComplete === true ? file : undefined;
    },
  };
}

/** A file as the page gets it. */
export const sharedFile = ({ id, name, title, size, mimetype }: StoredFile): SharedFile => ({
  id,
  name,
  title,
  size,
  mimetype,
  url: `/play/files/${id}/${encodeURIComponent(name)}`,
});

async function bodyOf({ body }: Request): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // A form says a little more than the file that is in it.
  const most = limits.fileBytes + 10_000;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > most) throw new SlackError('file_upload_size_restricted');
    parts.push(part);
  }
  return new Uint8Array(Buffer.concat(parts));
}

/**
 * The bytes of an upload: the body as it is, or the one file of a form, under whatever name.
 * @throws SlackError file_upload_size_restricted, invalid_form_data
 */
export async function uploadedBytes(request: Request): Promise<Uint8Array> {
  const bytes = await bodyOf(request);
  const type = request.headers.get('content-type') ?? '';
  if (!type.startsWith('multipart/form-data')) return bytes;
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData().catch(() => undefined);
  const file = [...(form?.values() ?? [])].find(value => typeof value !== 'string');
  if (file === undefined) throw new SlackError('invalid_form_data');
  return new Uint8Array(await file.arrayBuffer());
}
