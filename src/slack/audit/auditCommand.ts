import { Failure, sentence } from '../../ground/failure.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import { actorOf } from '../../jobs/actor.ts';
import { isApprover, namesNobody } from '../../jobs/approval/people/hasSay.ts';
import type { From } from '../../store/tables/audit/auditSearch.ts';
import type { Owner } from '../../store/vault.ts';
import { type Content, said } from '../blocks/message.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper } from '../desk/desk.ts';
import type { Interaction, Speaker } from '../desk/interaction.ts';
import { reactTo } from '../desk/reaction.ts';
import { exportTrail } from './auditExport.ts';
import { type Format, formats } from './auditFile.ts';
import { auditExports, auditPage, auditTurn, pageSize } from './auditPage.ts';
import { readQuery, type TrailReader } from './auditQuery.ts';

/** `audit`: a page of the trail, for those who approve. Reading the trail is itself an entry in the trail. */
export async function audit(
  desk: Doorkeeper & Desk<'auditDays'>,
  { team, person, channel }: Speaker,
  query: string,
  from: From = {},
): Promise<Content> {
  const owner = { team, person };
  const reader = await mustBeReader(desk, owner, channel, 'read');
  const filter = readQuery(query, desk.clock.now(), reader);
  const read = (next: From) => desk.audit.read(team, filter, pageSize + 1, next);
  const newer = from.after === undefined ? undefined : await read(from);
  // Too few newer entries to fill a page: show the first page instead.
  const isUpwards = newer !== undefined && newer.entries.length > pageSize;
  const start = newer && !isUpwards ? {} : from;
  const { entries: found, rest } = isUpwards ? newer : await read(start);
  const isMore = found.length > pageSize;
  const entries = isUpwards ? found.slice(-pageSize) : found.slice(0, pageSize);
  const where = isUpwards ? ', newer ones' : start.before === undefined ? '' : ', older ones';
  const entry = { ...(await actorOf(desk, owner, channel)), team, person, event: 'audit read' };
  await desk.audit.add({ ...entry, at: desk.clock.now(), detail: `${query.trim() || 'all there is'}${where}` });
  const zone = zoneOrUtc(await desk.people.zoneOf(owner));
  const pages = { hasNewer: isUpwards || start.before !== undefined, hasOlder: isUpwards || isMore, rest };
  return auditPage(entries, { query, filter, isOwn: !reader.isForAll, days: desk.auditDays, zone, ...pages });
}

/**
 * Lets only approvers go on. Where the policy lists none, everybody who is signed in may read what they did themselves: the
 * rest has names that the service may hide from them. A refusal goes to the trail.
 * @throws {Failure} `forbidden`, `busy` where Slack does not tell, or `signed-out`
 */
async function mustBeReader(desk: Doorkeeper, owner: Owner, channel: string, what: string): Promise<TrailReader> {
  const { person } = owner;
  try {
    if (namesNobody(desk.policy)) {
      await mustBeSignedIn(desk, owner);
      return { person, isForAll: false };
    }
    if (await isApprover(desk, owner)) return { person, isForAll: true };
    throw new Failure('forbidden', 'Only approvers can read the audit trail, and you are not one.');
  } catch (error) {
    const entry = { ...(await actorOf(desk, owner, channel)), ...owner, event: 'audit refused' };
    await desk.audit.add({ ...entry, at: desk.clock.now(), detail: `${what}: ${sentence(error)}` });
    throw error;
  }
}

/** Reacts to the buttons below the trail: its pages, and its export. */
export function auditReactions() {
  // One export at a time: each holds its whole file in memory.
  let last: Promise<unknown> = Promise.resolve();
  const exportAs =
    (format: Format) =>
    (desk: Doorkeeper & Desk<'log' | 'slack'>, interaction: Interaction, { q }: { q: string }): Promise<Content> => {
      const work = last.then(() => exportFor(desk, interaction, q, format));
      last = work.catch(() => undefined);
      return work;
    };
  const intent = ({ q }: { q: string }) => `audit ${q}`.trim();
  return [
    reactTo(auditTurn, {
      replaces: true,
      intent,
      perform: (desk: Doorkeeper & Desk<'auditDays'>, interaction, { q, ...from }) => audit(desk, interaction, q, from),
    }),
    reactTo(auditExports.csv, { intent, perform: exportAs(formats.csv) }),
    reactTo(auditExports.jsonl, { intent, perform: exportAs(formats.jsonl) }),
  ];
}

async function exportFor(
  desk: Doorkeeper & Desk<'log' | 'slack'>,
  { team, person, channel }: Interaction,
  query: string,
  format: Format,
): Promise<Content> {
  const owner = { team, person };
  const reader = await mustBeReader(desk, owner, channel, `export as ${format.name}`);
  const filter = readQuery(query, desk.clock.now(), reader);
  const by = await actorOf(desk, owner, channel);
  return said(plain(await exportTrail(desk, owner, by, { query, filter, format }), 500));
}
