import type { App } from '@slack/bolt';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { Failure, isSignedOut, sentence } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import { allApprovers } from '../../jobs/approval/rules.ts';
import type { From } from '../../store/tables/audit.ts';
import type { Owner } from '../../store/vault.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { mustBeAdmitted, mustBeSignedIn } from '../desk/admission.ts';
import { answerClick } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { whoIn } from '../desk/who.ts';
import { signInOffer } from '../signIn/signIn.ts';
import { exportTrail } from './auditExport.ts';
import { formats } from './auditFile.ts';
import { auditPage, pageSize } from './auditPage.ts';
import { readQuery } from './auditQuery.ts';

const Turn = z.object({ q: z.string(), before: z.string().optional(), after: z.string().optional() });

/** `audit`: a page of the trail, for those who approve. That it was read stands in it, too. */
export async function audit(
  desk: Desk,
  owner: Owner,
  channel: string,
  query: string,
  from: From = {},
): Promise<Content> {
  await mustBeReader(desk, owner, channel, 'read');
  const filter = readQuery(query, desk.clock.now(), owner.person);
  const read = (next: From) => desk.audit.read(owner.team, filter, pageSize + 1, next);
  const newer = from.after === undefined ? undefined : await read(from);
  // Too few newer ones to fill a page: then it is the first.
  const isUpwards = newer !== undefined && newer.length > pageSize;
  const start = newer && !isUpwards ? {} : from;
  const found = isUpwards ? newer : await read(start);
  const isMore = found.length > pageSize;
  const entries = isUpwards ? found.slice(-pageSize) : found.slice(0, pageSize);
  const { team, person } = owner;
  const where = isUpwards ? ', newer ones' : start.before === undefined ? '' : ', older ones';
  const entry = { ...(await actorOf(desk, owner, channel)), team, person, event: 'audit read' };
  await desk.audit.add({ ...entry, at: desk.clock.now(), detail: `${query.trim() || 'all there is'}${where}` });
  return auditPage(entries, {
    ...{ query, filter, days: desk.auditDays },
    hasNewer: isUpwards || start.before !== undefined,
    hasOlder: isUpwards || isMore,
  });
}

/**
 * Lets only those go on who may approve something; with none listed, everybody who is signed in, as with approvals.
 * Whom it turns away stands in the trail. @throws {Failure} `forbidden`, or `signed-out`
 */
async function mustBeReader(desk: Desk, owner: Owner, channel: string, what: string): Promise<void> {
  try {
    const approvers = allApprovers(desk.policy);
    if (approvers.length === 0) return await mustBeSignedIn(desk, owner);
    // Who was not among them some minutes ago makes Slack tell nothing anew: it would ask everybody to wait.
    const before = await desk.people.isAmong(owner, approvers);
    const listed = before === false ? false : await desk.people.isAmong(owner, approvers, 'now');
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

/** Listens to the buttons below the trail: its pages, and its export. */
export function listenToAudit(app: App, desk: Desk): void {
  app.action({ action_id: /^audit\.page:/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    await ack();
    const owner = whoIn(body);
    const channel = body.channel?.id ?? owner.person;
    const turn = turnIn(action);
    if (!turn) return;
    const { q, before, after } = turn;
    const from = { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const work = mustBeAdmitted(desk, owner)
      .then(() => audit(desk, owner, channel, q, from))
      .catch((error: unknown) => refusal(desk, owner, channel, q, error));
    desk.run(
      'turn a page of the trail',
      work.then(content => answerClick(desk, body, respond, content, { replaces: true })),
    );
  });

  // One after the other: each holds what it exports in memory.
  let last: Promise<unknown> = Promise.resolve();
  app.action({ action_id: /^audit\.export:/, type: 'block_actions' }, async ({ ack, body, action, respond }) => {
    await ack();
    const owner = whoIn(body);
    const channel = body.channel?.id ?? owner.person;
    const turn = turnIn(action);
    const format = action.action_id === 'audit.export:csv' ? formats.csv : formats.jsonl;
    if (!turn) return;
    const work = last.then(async () => {
      await mustBeAdmitted(desk, owner);
      await mustBeReader(desk, owner, channel, `export as ${format.name}`);
      const filter = readQuery(turn.q, desk.clock.now(), owner.person);
      const by = await actorOf(desk, owner, channel);
      return said(plain(await exportTrail(desk, owner, by, { query: turn.q, filter, format }), 500));
    });
    const told = work.catch((error: unknown) => refusal(desk, owner, channel, turn.q, error));
    last = told;
    desk.run(
      'export the trail',
      told.then(content => answerClick(desk, body, respond, content)),
    );
  });
}

function turnIn(action: object): z.infer<typeof Turn> | undefined {
  const text = 'value' in action && typeof action.value === 'string' ? action.value : '';
  return Turn.safeParse(parseJson(text)).data;
}

async function refusal(desk: Desk, owner: Owner, channel: string, query: string, error: unknown): Promise<Content> {
  if (isSignedOut(error)) return signInOffer(desk, owner, channel, `audit ${query}`.trim(), sentence(error));
  desk.log.warn({ error, person: owner.person, team: owner.team }, 'the trail could not be shown');
  return said(`:warning: ${plain(sentence(error), 1000)}`);
}
