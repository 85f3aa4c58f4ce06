import { Failure, sentence } from '../../ground/failure.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import { actorOf } from '../../jobs/actor.ts';
import { allApprovers } from '../../jobs/approval/rules.ts';
import type { From } from '../../store/tables/auditSearch.ts';
import type { Owner } from '../../store/vault.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { isListedNow, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper } from '../desk/desk.ts';
import { reactTo } from '../desk/reaction.ts';
import type { Speaker, Use } from '../desk/use.ts';
import { exportTrail } from './auditExport.ts';
import { type Format, formats } from './auditFile.ts';
import { auditExports, auditPage, auditTurn, pageSize } from './auditPage.ts';
import { readQuery } from './auditQuery.ts';

/** `audit`: a page of the trail, for those who approve. Reading the trail is itself an entry in the trail. */
export async function audit(
  desk: Doorkeeper & Desk<'auditDays'>,
  { team, person, channel }: Speaker,
  query: string,
  from: From = {},
): Promise<Content> {
  const owner = { team, person };
  await mustBeReader(desk, owner, channel, 'read');
  const filter = readQuery(query, desk.clock.now(), person);
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
  return auditPage(entries, {
    ...{ query, filter, days: desk.auditDays, zone: zoneOrUtc(await desk.people.zoneOf(owner)) },
    hasNewer: isUpwards || start.before !== undefined,
    hasOlder: isUpwards || isMore,
    rest,
  });
}

/**
 * Lets only approvers go on; if the policy lists none, everybody who is signed in, as with approvals. A refusal goes to
 * the trail.
 * @throws {Failure} `forbidden`, or `signed-out`
 */
async function mustBeReader(desk: Doorkeeper, owner: Owner, channel: string, what: string): Promise<void> {
  try {
    const approvers = allApprovers(desk.policy);
    if (approvers.length === 0) return await mustBeSignedIn(desk, owner);
    const listed = await isListedNow(desk, owner, approvers);
    if (listed) return;
    throw new Failure(
      'forbidden',
      listed === undefined
        ? 'Slack does not tell at the moment who is in the group of approvers. Nothing is shown; please try again.'
        : 'Only those who approve can read the audit trail, and you are not among them.',
    );
  } catch (error) {
    const { team, person } = owner;
    const entry = { ...(await actorOf(desk, owner, channel)), team, person, event: 'audit refused' };
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
    (desk: Doorkeeper & Desk<'log' | 'slack'>, use: Use, { q }: { q: string }): Promise<Content> => {
      const work = last.then(() => exportFor(desk, use, q, format));
      last = work.catch(() => undefined);
      return work;
    };
  const intent = ({ q }: { q: string }) => `audit ${q}`.trim();
  return [
    reactTo(auditTurn, {
      replaces: true,
      intent,
      perform: (desk: Doorkeeper & Desk<'auditDays'>, use, { q, before, after }) =>
        audit(desk, use, q, {
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        }),
    }),
    reactTo(auditExports.csv, { intent, perform: exportAs(formats.csv) }),
    reactTo(auditExports.jsonl, { intent, perform: exportAs(formats.jsonl) }),
  ];
}

async function exportFor(
  desk: Doorkeeper & Desk<'log' | 'slack'>,
  { team, person, channel }: Use,
  query: string,
  format: Format,
): Promise<Content> {
  const owner = { team, person };
  await mustBeReader(desk, owner, channel, `export as ${format.name}`);
  const filter = readQuery(query, desk.clock.now(), person);
  const by = await actorOf(desk, owner, channel);
  return said(plain(await exportTrail(desk, owner, by, { query, filter, format }), 500));
}
