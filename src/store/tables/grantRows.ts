import type { Transaction } from 'kysely';
import type { GrantRow, Schema } from '../database.ts';
import { addJob } from '../jobs/adding.ts';
import { jsonIn } from '../jobs/decode.ts';
import type { NewJob } from '../jobs/job.ts';
import type { Actor, NewEntry } from './audit.ts';
import { wakeExecutionsOf } from './executionRows.ts';
import { addNotices, closeNotices, type NewNotice } from './notices.ts';

/*
 * The rows of grants: each is a person’s leave that a step of a workflow runs in their name. The end of a job may decide
 * one, in the transaction of that end. The queries are in grants.ts.
 */

/**
 * The states of a grant: its person is `asked`; those who approve are (`waiting`); it is `given`; it was `refused`, or
 * `revoked` after it was given.
 */
const grantStates = ['asked', 'waiting', 'given', 'refused', 'revoked'] as const;
export type GrantState = (typeof grantStates)[number];

/** A grant as its row has it; `about` has the shape of its readers. */
export type Grant = Readonly<
  Omit<GrantRow, 'about' | 'state' | 'runsAs' | 'approvedBy'> & {
    about: unknown;
    state: GrantState;
    runsAs: 'service' | null;
    approvedBy: readonly string[];
  }
>;

/** A grant of which nobody has decided. */
export type NewGrant = Pick<
  Grant,
  'id' | 'team' | 'person' | 'step' | 'workflow' | 'channel' | 'about' | 'runsAs' | 'createdAt'
>;

/** A decision on a grant. All of it is written in one transaction, or nothing. */
export type GrantStep = Readonly<{
  changes: Partial<Pick<Grant, 'state' | 'request' | 'approvedBy' | 'decidedAt'>>;
  /** The entry in the trail; without an actor, it is the bot’s own. */
  trail: Pick<NewEntry, 'event'> & Partial<NewEntry>;
  /** How the messages of before ended; they lose their buttons. */
  outcome?: string | undefined;
  notices?: readonly NewNotice[] | undefined;
  /** The request for approval, and who makes it. */
  job?: NewJob | undefined;
  by?: Actor | undefined;
}>;

/** The decision on a grant that follows from the end of a job; `undefined` where it means nothing for it any more. */
export type GrantNews = Readonly<{ grant: string; step(grant: Grant): GrantStep | undefined }>;

type Note = (entry: NewEntry) => Promise<unknown>;

/** Makes the row of a new grant. */
export function grantRow({ about, ...asked }: NewGrant): GrantRow {
  return {
    ...{ ...asked, about: JSON.stringify(about), state: 'asked', request: null, approvedBy: null },
    ...{ decidedAt: null, usedAt: null, revision: 1 },
  };
}

/** Reads a row; empty for one that only another release can read. */
export function readGrant(row: GrantRow): Grant[] {
  const state = grantStates.find(known => known === row.state);
  const runsAs = row.runsAs === null || row.runsAs === 'service' ? row.runsAs : undefined;
  const people: unknown = row.approvedBy === null ? [] : jsonIn(row.approvedBy);
  const isList = Array.isArray(people) && people.every(one => typeof one === 'string');
  if (!state || runsAs === undefined || !isList) return [];
  return [{ ...row, about: jsonIn(row.about), state, runsAs, approvedBy: people }];
}

/** Locks the row of a grant, and gives it as it is then: what follows must rest on its last state. */
export async function lockGrant(changes: Transaction<Schema>, id: string): Promise<Grant | undefined> {
  const row = await changes
    .updateTable('grants')
    .set(eb => ({ revision: eb.ref('revision') }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  return row && readGrant(row)[0];
}

/** Writes in a transaction what the end of a job means for a grant. */
export async function noteGrantNews(
  changes: Transaction<Schema>,
  note: Note,
  { grant: id, step }: GrantNews,
  now: number,
): Promise<void> {
  const grant = await lockGrant(changes, id);
  const next = grant && step(grant);
  if (grant && next) await writeGrantStep(changes, note, { grant, step: next, now });
}

/**
 * Writes a decision on a grant, and makes the executions due that it concerns. Gives `undefined` where somebody else
 * decided first; nothing is written then.
 */
export async function writeGrantStep(
  changes: Transaction<Schema>,
  note: Note,
  { grant, step, now }: Readonly<{ grant: Grant; step: GrantStep; now: number }>,
): Promise<Grant | undefined> {
  const { approvedBy, ...rest } = step.changes;
  const people = approvedBy === undefined ? {} : { approvedBy: JSON.stringify(approvedBy) };
  const row = await changes
    .updateTable('grants')
    .set({ ...rest, ...people, revision: grant.revision + 1 })
    .where('id', '=', grant.id)
    .where('revision', '=', grant.revision)
    .where('state', '=', grant.state)
    .returningAll()
    .executeTakeFirst();
  const [written] = row ? readGrant(row) : [];
  if (!written) return undefined;
  if (step.outcome !== undefined) await closeNotices(changes, grant.id, { outcome: step.outcome, now });
  await addNotices(changes, step.notices ?? []);
  if (step.job) await addJob(changes, note, step.job, { by: step.by });
  await note({ ...aboutGrant(grant), at: now, ...step.trail });
  await wakeExecutionsOf(changes, grant.id, now);
  return written;
}

/** Makes the part of an entry of the trail that is about a grant. */
export function aboutGrant({ team, person, channel, workflow, step }: NewGrant) {
  return { actor: 'dolly', team, person, channel, detail: `${step} in the workflow ${workflow}` };
}
