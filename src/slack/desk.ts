import type { ModalView } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { type Call, listOf, lists } from '../api/call.ts';
import type { Library } from '../api/connection/library.ts';
import type { Noun } from '../api/identifiers.ts';
import { mentionsIn } from '../api/reading/mentions.ts';
import { type RecordList, readLongList } from '../api/reading/records.ts';
import type { CommandNames } from '../ground/config.ts';
import { Failure, isSignedOut } from '../ground/failure.ts';
import { within } from '../ground/remembered.ts';
import { mapInSlices } from '../ground/slices.ts';
import { actorOf } from '../jobs/actor.ts';
import { forbiddenBy, possibleVerdicts, subjectOf } from '../jobs/approval/verdict.ts';
import type { Parts } from '../jobs/parts.ts';
import type { WriteOperation } from '../operations/operation.ts';
import type { Credential } from '../store/tables/credentials.ts';
import type { Homes } from '../store/tables/homes.ts';
import type { Links } from '../store/tables/links.ts';
import type { Tries } from '../store/tables/tries.ts';
import type { Uses } from '../store/tables/uses.ts';
import type { Owner } from '../store/vault.ts';
import { insist } from './connection/insist.ts';
import { verdictOn } from './connection/slackErrors.ts';
import type { Askers } from './messages/askers.ts';
import { type Found, find, type Named } from './records/find.ts';
import type { Ack, Tell, Use } from './uses/use.ts';

/** What Slack's listeners work with. */
export type Desk = Parts &
  Readonly<{
    slack: WebClient;
    names: CommandNames;
    links: Links;
    homes: Homes;
    tries: Tries;
    askers: Askers;
    uses: Uses;
    library: Library;
    /** Where people's browsers reach the bot, if they do. */
    publicUrl: string | undefined;
    /** For how long the audit trail is kept, in days. */
    auditDays: number;
    /** Makes due jobs start at once. */
    wake(): void;
    /** Keeps what acts by itself before Slack hears that it was taken, and then does it (keptUses.ts). */
    takeOn(use: Use, ack: Ack, tell: Tell): Promise<void>;
    /** Runs work that goes on after Slack got its answer; an orderly stop waits for it. */
    run(what: string, work: Promise<unknown>): void;
  }>;

/**
 * Lets only members of the workspace go on, and whom the configuration admits. Every listener asks this first. Whom
 * Slack does not tell in time goes on, too: its trouble must not stop people, and nobody who is kept out can cause it.
 * Takes a second at most, which leaves time for an ack or a form.
 * @throws {Failure} `forbidden`
 */
export async function mustBeAdmitted(desk: Desk, { team, person }: Owner): Promise<void> {
  const standing = await desk.people.standingOf({ team, person });
  switch (standing) {
    case 'member':
      return;
    case 'unknown':
      desk.log.info({ person, team }, 'let in, although Slack did not tell whether they are a member');
      return;
    default:
      desk.log.info({ person, team, standing }, 'refused, being no member of the workspace');
      throw new Failure('forbidden', strangers[standing]);
  }
}

const strangers = {
  guest: 'Guests of this workspace cannot use me. Whoever runs me can allow it.',
  outsider: 'Only members of this workspace can use me. Whoever runs me can allow yours.',
} as const;

/** Lets only those go on who are signed in. @throws {Failure} `signed-out` */
export async function mustBeSignedIn(desk: Desk, owner: Owner): Promise<void> {
  if (!(await desk.credentials.has(owner))) throw notSignedIn();
}

/**
 * Refuses what the policy forbids to this person whatever the target, before a form is filled in vain. The trail has it.
 * @throws {Failure} `forbidden`
 */
export async function mustBeAllowed(
  desk: Desk,
  { team, person, channel }: Owner & { channel: string },
  operation: WriteOperation,
): Promise<void> {
  const owner = { team, person };
  const possible = possibleVerdicts(desk.policy, await subjectOf(desk, owner, operation));
  const [verdict] = possible;
  if (!possible.every(({ type }) => type === 'forbid')) return;
  const by = await actorOf(desk, owner, channel);
  const entry = { ...by, team, person, operation: operation.name, event: 'forbidden', detail: verdict.rule };
  await desk.audit.add({ ...entry, at: desk.clock.now() });
  throw new Failure('forbidden', `${forbiddenBy(verdict)} Nothing was sent.`);
}

/** A person's credential. @throws {Failure} `signed-out` where there is none. */
async function signedIn(desk: Desk, owner: Owner): Promise<Credential> {
  const credential = await desk.credentials.find(owner);
  if (!credential) throw notSignedIn();
  return credential;
}

/**
 * A recent answer of the service for this person: no older than `notBefore`, and no older than what a job of theirs last
 * changed, since they were told of that. A token that the service refuses is forgotten.
 */
export async function read(desk: Desk, owner: Owner, call: Call, notBefore = 0): Promise<unknown> {
  const [credential, lastEnd] = await Promise.all([signedIn(desk, owner), desk.homes.lastEnd(owner)]);
  try {
    return await desk.library.read(owner, credential, call, Math.max(notBefore, lastEnd));
  } catch (error) {
    if (isSignedOut(error)) await desk.credentials.drop(owner, credential.token, desk.clock.now());
    throw error;
  }
}

/** The list that shows records of these nouns, as this person may see it, and as it is since `notBefore`. */
export async function readRecords(
  desk: Desk,
  owner: Owner,
  nouns: readonly Noun[],
  notBefore?: number,
): Promise<RecordList> {
  const [noun] = nouns;
  const call = listOf(noun);
  if (!call) return { records: [], cut: false };
  const isDatabase = noun === 'live' || noun === 'clone';
  const [answer, names] = await Promise.all([
    read(desk, owner, call, notBefore),
    isDatabase ? namesOfPlaces(desk, owner, notBefore) : new Map<string, string>(),
  ]);
  const { records, cut } = await readOnce(desk, answer, isDatabase ? databases : nouns, names);
  return { records: records.filter(({ id }) => id.noun && nouns.includes(id.noun)), cut };
}

const databases: readonly Noun[] = ['live', 'clone'];

/** What was read of an answer, for as long as the library keeps that: a huge list is not read anew for each letter typed. */
const readings = new WeakMap<object, Promise<RecordList>>();

function readOnce(
  desk: Desk,
  answer: unknown,
  nouns: readonly Noun[],
  names: Map<string, string>,
): Promise<RecordList> {
  const kept = typeof answer === 'object' && answer !== null ? answer : {};
  const list = readings.get(kept) ?? readWhole(desk, answer, nouns, names);
  readings.set(kept, list);
  return list;
}

/** Reads what pickers, lists and Home ask of every record at once, since nobody else is kept waiting here. */
async function readWhole(
  { mapping }: Desk,
  answer: unknown,
  nouns: readonly Noun[],
  names: Map<string, string>,
): Promise<RecordList> {
  const list = await readLongList(answer, nouns, mapping, names);
  await mapInSlices(list.records, ({ id, name, state, environment }) => {
    // A clone speaks of its source, which stands in the same list.
    if (name !== undefined) names.set(id.text, name);
    return { state, environment };
  });
  return list;
}

/** So long a list waits for the names of what its records speak of, in milliseconds. */
const namesPatience = 2_000;

/** What environments and projects are called, by identifier: records of databases may show no more than that. */
export async function namesOfPlaces(desk: Desk, owner: Owner, notBefore?: number): Promise<Map<string, string>> {
  const lists = await Promise.all(
    (['environment', 'project'] as const).map(noun =>
      within(desk.clock, namesPatience, readRecords(desk, owner, [noun], notBefore)).catch((error: unknown) => {
        desk.log.info({ error, noun, person: owner.person }, 'names could not be read');
      }),
    ),
  );
  const named = lists.flatMap(list => list?.records ?? []);
  return new Map(named.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name] as const])));
}

/**
 * What a typed name stands for, in a list that is as it is since `notBefore`. One that a list of a moment ago has not is
 * looked for in a new one: it may have come since.
 * @throws {Failure} where the list cannot be read
 */
export async function findNamed(
  desk: Desk,
  owner: Owner,
  typed: string,
  nouns: readonly Noun[],
  notBefore?: number,
): Promise<Found> {
  const asked = desk.clock.now();
  const found = find(typed, nouns, await readNamed(desk, owner, nouns, notBefore));
  return found.type === 'none' ? find(typed, nouns, await readNamed(desk, owner, nouns, asked)) : found;
}

/**
 * What a name may stand for: the records of the list in which these nouns stand (of others, too, so that they can be told
 * from what is not there), or snapshots, which stand inside databases only.
 */
async function readNamed(
  desk: Desk,
  owner: Owner,
  nouns: readonly Noun[],
  notBefore?: number,
): Promise<readonly Named[]> {
  const [noun] = nouns;
  if (noun === 'live' || noun === 'clone') return (await readRecords(desk, owner, databases, notBefore)).records;
  if (listOf(noun)) return (await readRecords(desk, owner, nouns, notBefore)).records;
  if (noun === undefined) return [];
  const outer = noun === 'snapshot' ? lists.databases : lists.environments;
  return mentionsIn(await read(desk, owner, outer, notBefore), noun).map(({ id, label }) => ({
    id,
    name: label,
    environment: undefined,
  }));
}

/** Opens a modal and returns its id. @throws {Failure} with a sentence where Slack did not take it. */
export async function openView(desk: Desk, trigger: string, view: ModalView): Promise<string> {
  try {
    const { view: opened } = await desk.slack.views.open({ trigger_id: trigger, view });
    return opened?.id ?? '';
  } catch (cause) {
    // Most likely the trigger is over: it lives for three seconds.
    throw new Failure('input', 'Slack could not open the form in time. Nothing was sent; please ask again.', { cause });
  }
}

/** How long a view is tried to be shown, in milliseconds: a person looks at it. */
const patience = { tries: 4, longest: 60_000 } as const;

/** Shows another view in an open modal; tried a few times, since the person is looking at it. One that was closed stays so. */
export async function showView(desk: Desk, id: string, view: ModalView): Promise<void> {
  try {
    await insist(desk.clock, patience, () => desk.slack.views.update({ view_id: id, view }));
  } catch (error) {
    if (verdictOn(error) !== 'never') throw error;
  }
}

function notSignedIn(): Failure {
  return new Failure('signed-out', 'You are not signed in to the service.');
}

/**
 * Who used something: a click, a form, a picker.
 *
 * In a channel shared with another workspace (Slack Connect), `team` of a click is the workspace in which the app is
 * installed, but that of a form which is submitted is the person's own; `view.app_installed_team_id` then names the app's
 * (github.com/slackapi/bolt-js/issues/1614). It is preferred, or the same person would have two sign-ins. So the team says
 * nothing of where a person belongs, and `user.team_id` names an organisation where there is one: for that
 * {@link mustBeAdmitted} asks Slack itself.
 */
export function whoIn(body: {
  team: { id: string } | null;
  user: { id: string; team_id?: string };
  view?: { app_installed_team_id?: string };
}): Owner {
  return {
    team: body.view?.app_installed_team_id ?? body.team?.id ?? body.user.team_id ?? '',
    person: body.user.id,
  };
}
