import { counted } from '../../ground/wording.ts';
import type { AuditFilter, EntriesFound, From } from '../../store/tables/audit/auditSearch.ts';
import type { Owner } from '../../store/vault.ts';
import { codePages } from '../blocks/codePages.ts';
import { code } from '../blocks/mrkdwn.ts';
import { insist } from '../connection/insist.ts';
import type { Desk } from '../desk/desk.ts';
import { sendFile } from '../desk/sendFile.ts';
import type { Format } from './auditFile.ts';

/** Max entries of an export, and entries read at once. Other work gets its turn in each reading. */
const maxEntries = 100_000;
const slice = 1_000;
/** Limits of an export in messages, where Slack takes no files: number of messages, characters in each. */
const maxMessages = 10;
const messageRoom = 3_500;
/** Tries of a message that Slack puts off, and the longest pause between two of them in milliseconds. */
const patience = { tries: 5, longest: 120_000 } as const;

/** An export: its bytes, its number of entries, whether the limit cut it, and the newest lines for messages. */
type Export = Readonly<{ bytes: Buffer; many: number; isCut: boolean; newest: readonly string[] }>;

/** Reads all entries that match the filter, the newest first, up to the limit. */
async function collect(desk: Desk<'audit'>, team: string, filter: AuditFilter, format: Format): Promise<Export> {
  const chunks = [Buffer.from(format.header)];
  const newest: string[] = [];
  let many = 0;
  let next: From | undefined = {};
  while (next && many < maxEntries) {
    const { entries, rest }: EntriesFound = await desk.audit.read(team, filter, slice, next);
    const lines = entries.map(format.line);
    chunks.push(Buffer.from(lines.join('')));
    if (newest.length < slice) newest.push(...lines);
    many += entries.length;
    const last = entries.length < slice ? undefined : entries.at(-1);
    next = last ? { before: last.id } : rest;
  }
  const isCut = next !== undefined && (await isMore(desk, team, filter, next));
  return { bytes: Buffer.concat(chunks), many, isCut, newest };
}

/** Whether any older entry matches. */
async function isMore(desk: Desk<'audit'>, team: string, filter: AuditFilter, from: From): Promise<boolean> {
  for (let next: From | undefined = from; next; ) {
    const { entries, rest }: EntriesFound = await desk.audit.read(team, filter, 1, next);
    if (entries.length > 0) return true;
    next = rest;
  }
  return false;
}

/**
 * Sends all entries that match the filter to a person's direct messages, as a file, or as text where Slack takes no
 * files.
 * @returns the answer for the place where the person asked. @throws {Failure} if neither way works
 */
export async function exportTrail(
  desk: Desk<'audit' | 'clock' | 'log' | 'slack'>,
  owner: Owner,
  by: Readonly<{ actor: string; login: string | null; channel: string | null }>,
  asked: Readonly<{ query: string; filter: AuditFilter; format: Format }>,
): Promise<string> {
  const { format, filter, query } = asked;
  const found = await collect(desk, owner.team, filter, format);
  if (found.many === 0) return 'No entry of the audit trail matches, so there is nothing to export.';
  const now = desk.clock.now();
  const many = counted(found.many, 'entry', 'entries');
  const what = `${found.isCut ? `the newest ${many}` : many} as ${format.name}`;
  const detail = `${what}: ${query.trim() || 'all there is'}`;
  const { team, person } = owner;
  await desk.audit.add({ ...by, team, person, event: 'audit exported', at: now, detail });
  const rest = found.isCut ? ` There are more: I export at most ${maxEntries}. Ask for the rest with until=.` : '';
  const title = `The audit trail: ${what}.${rest}`;
  const filename = `dolly-audit-${new Date(now).toISOString().slice(0, 16).replace(':', '')}.${format.ending}`;
  const { place, refusal } = await sendFile(desk, owner, { filename, title, bytes: found.bytes });
  if (refusal === undefined) return `The export is in your direct messages: ${what}.${rest}`;
  await inMessages(desk, { team, place }, found, refusal);
  return 'Slack does not accept files from me. I sent you the newest entries as text in a direct message.';
}

/** The direct messages that an export goes to. */
type Inbox = Readonly<{ team: string; place: string }>;

/** Posts exports. */
type Exporter = Desk<'clock' | 'slack'>;

async function inMessages(desk: Exporter, inbox: Inbox, { newest, many }: Export, why: string): Promise<void> {
  const { texts, many: told } = codePages(newest, maxMessages, messageRoom);
  const left = many - told;
  const whole = many === 1 ? 'the one entry' : `all ${many} entries`;
  const lead =
    left === 0
      ? whole
      : `the newest ${told} of ${many} entries. ${left} ${left === 1 ? 'is' : 'are'} left out: narrow the search with since= and until=`;
  const mend =
    why === 'missing_scope' ? ` To allow it, install me again with the manifest (${code('files:write')}).` : '';
  await postText(desk, inbox, `:warning: Slack does not accept files from me (${code(why)}).${mend} As text, ${lead}.`);
  for (const text of texts) await postText(desk, inbox, text);
}

async function postText(desk: Desk<'clock' | 'slack'>, { team, place: channel }: Inbox, text: string): Promise<void> {
  const message = { channel, text, unfurl_links: false, unfurl_media: false };
  await insist(desk.clock, patience, () => desk.slack.of(team).chat.postMessage(message));
}
