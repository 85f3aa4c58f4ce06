import { endOfSignInIn } from '../../../api/answers/signInEnd.ts';
import { parseIdentifier } from '../../../api/identifiers.ts';
import { isTree } from '../../../api/reading/jsonTree.ts';
import { mentionsIn } from '../../../api/reading/mentions.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { nothingBut, nothingOn } from '../../../ground/failure.ts';
import { parseJson } from '../../../ground/json.ts';
import { bareName, looksLike } from '../../../ground/lookalikes.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import type { RecordReader } from '../../../records/recordReader.ts';
import type { Session } from '../../../records/records.ts';
import type { Credential, Identity } from '../../../store/tables/credentials.ts';
import type { Parts } from '../../parts.ts';

/*
 * The identity of a person at the service. One user may sign in by a login, an e-mail address or a display name, in
 * other letters and cases. So two people are compared by the service's own data about its users. The names that they
 * typed count only where the service has no such data.
 */

/** Keys of a user's record under which the service may keep a name of that user. */
const naming = /(name|login|mail|account|upn|principal|alias|handle|nick|uid|sub|subject|user)$/i;
/** Keys like these that hold something else: a part of a name, the name of another thing, or many users at once. */
const namesOther =
  /(first|last|given|family|middle|sur)_?name|role|group|team|project|depart|compan|organi|host|environment|database|domain|creat|updat|modif|manager|owner/i;
/** Claims by which a token (RFC 7519) names its user. */
const claims = ['preferred_username', 'username', 'user_name', 'unique_name', 'login', 'upn', 'email', 'name'] as const;
const subjects = ['sub', 'user_id', 'userId', 'uid', 'oid'] as const;

/**
 * Learns the identity of a person who signed in as `username`: from the token, from `answer` (the answer to the
 * sign-in, where it is at hand), and from the service's list of users.
 * @throws {Failure} where the list cannot be read at the moment; a list that the service does not show is no failure
 */
export function learnIdentity(
  records: RecordReader,
  token: string,
  username: string,
  answer?: unknown,
): Promise<Identity> {
  const told = claimsOf(token);
  const ids = [...usersOf(told), ...usersOf(loneUser(answer))];
  const names = [...new Set([username, ...namesOf(told)])];
  const subject = subjectOf(told, username);
  return completeIdentity(records, {
    users: [...new Set(ids)],
    names,
    ...(subject === undefined ? {} : { subject }),
  });
}

/**
 * Learns the identity behind a name alone, from the list of users as the person of `records` may read it.
 * @throws {Failure} likewise
 */
export function identityOfName(records: RecordReader, username: string): Promise<Identity> {
  return completeIdentity(records, { users: [], names: [username] });
}

/** Completes an identity by the service's records of users. */
async function completeIdentity(records: RecordReader, known: Identity): Promise<Identity> {
  const all = (await shown(records.list('user')))?.records ?? [];
  const { users, names } = known;
  const own = users.length > 0 ? all.filter(({ id }) => users.includes(id.text)) : await usersCalled(all, names);
  const [id] = own.length === 0 ? users : [];
  const alone = id === undefined ? undefined : await readUser(records, id);
  const found = alone ? [alone] : own;
  return {
    ...known,
    users: users.length > 0 ? users : found.map(({ id: { text } }) => text),
    // The names of several users would be mixed up.
    names: found.length === 1 ? [...new Set([...names, ...found.flatMap(namesIn)])] : names,
  };
}

/** The identity that was learned at the sign-in, or is learned now where it was not. @throws {Failure} likewise */
export async function identityOf({ credential, records }: Pick<Session, 'credential' | 'records'>): Promise<Identity> {
  return credential.identity ?? learnIdentity(records, credential.token, credential.username);
}

/** The end of a sign-in, in milliseconds since the epoch, where its answer or its token tells it. */
export function endOfSignIn({ identity, token }: Pick<Credential, 'identity' | 'token'>, now: number) {
  return identity?.until ?? endOfSignInIn(claimsOf(token), now);
}

/** Min users whose sign-ins all carry a subject that names none of them. Two with one subject may be one human. */
const fewestUsers = 3;

/**
 * The subjects that name nobody: those that the operator names, and one that all sign-ins of the team carry, of several
 * users. Some services put their own name there.
 */
async function sharedSubjects({ credentials, policy }: Parts<'credentials' | 'policy'>, team: string) {
  const users = new Set<string>();
  const subjects = new Set<string>();
  for await (const { username, token } of credentials.each(team)) {
    const subject = rawSubject(claimsOf(token));
    // One without it, or with another one, settles it.
    if (subject === undefined || subjects.add(subject).size > 1) return policy.sharedSubjects;
    users.add(bareName(username).toLowerCase());
  }
  return users.size >= fewestUsers ? [...policy.sharedSubjects, ...subjects] : policy.sharedSubjects;
}

/**
 * An identity that was not learned from a subject that names nobody: its user is the one whose record has the name that
 * was typed.
 * @throws {Failure} where the list of users cannot be read at the moment
 */
function learntAnew(records: RecordReader, shared: readonly string[], one: Identity): Identity | Promise<Identity> {
  const { subject, names, users } = one;
  const [typed = '', ...told] = names;
  const rests = shared.some(text => subject === text || told.includes(text) || users.includes(text) || typed === text);
  return rests ? identityOfName(records, typed) : one;
}

/**
 * Compares two identities of a team by all that names somebody.
 * @throws {Failure} where the list of users cannot be read at the moment
 */
export async function relationOf(
  parts: Parts<'credentials' | 'policy'>,
  { team, records }: Readonly<{ team: string; records: RecordReader }>,
  [one, other]: readonly [Identity, Identity],
): Promise<'same' | 'other' | 'untold'> {
  const relation = compareUsers(one, other);
  if (relation === 'other') return relation;
  const shared = await sharedSubjects(parts, team);
  if (shared.length === 0) return relation;
  return compareUsers(await learntAnew(records, shared, one), await learntAnew(records, shared, other));
}

/** Who said something: somebody in Slack, and the user of the service as whom they were signed in then. */
type Speaker = Readonly<{ person: string; login: string }>;

/**
 * Whether two accounts in Slack are surely two people: two users of the service. What is not told, also since the list of
 * users cannot be read at the moment, is no.
 */
export async function areTwoPeople(
  parts: Parts<'credentials' | 'policy'>,
  here: Readonly<{ team: string; records: RecordReader }>,
  [one, other]: readonly [Speaker, Speaker],
): Promise<boolean> {
  if (one.person === other.person) return false;
  const identityAt = async ({ person, login }: Speaker) => {
    const now = await parts.credentials.find({ team: here.team, person });
    return (now?.username === login ? now.identity : undefined) ?? identityOfName(here.records, login);
  };
  const compare = async () => relationOf(parts, here, [await identityAt(one), await identityAt(other)]);
  return (await compare().catch(nothingBut())) === 'other';
}

/** Whether two identities are one user of the service for sure; not by a subject that may name nobody. */
export async function isSurelySame(
  parts: Parts<'credentials' | 'policy'>,
  team: string,
  [one, other]: readonly [Identity, Identity],
): Promise<boolean> {
  return compareUsers(one, other) === 'same' && (await sharedSubjects(parts, team)).length === 0;
}

/** Compares two identities: one user of the service, two users, or `untold` where nothing tells them apart. */
export function compareUsers(one: Identity, other: Identity): 'same' | 'other' | 'untold' {
  if (one.subject !== undefined && one.subject === other.subject) return 'same';
  if (one.users.length > 0 && other.users.length > 0) {
    if (!one.users.some(id => other.users.includes(id))) return 'other';
    return one.users.length === 1 && other.users.length === 1 ? 'same' : 'untold';
  }
  if (one.names.some(name => other.names.some(second => looksLike(bareName(name), bareName(second))))) return 'same';
  if (one.subject !== undefined && other.subject !== undefined) return 'other';
  // An e-mail address and a login may belong to one user, however different they are.
  const [first, second] = [one, other].map(({ names }) => names.map(name => name.includes('@')));
  const isAlike = first?.some(kind => second?.includes(kind)) ?? false;
  return isAlike ? 'other' : 'untold';
}

/**
 * Waits for a reading; gives `undefined` where the service does not show it to this person.
 * @throws {Failure} where the service is in trouble
 */
function shown<T>(read: Promise<T>): Promise<T | undefined> {
  return read.catch(nothingOn('forbidden', 'missing', 'refused'));
}

async function readUser(records: RecordReader, text: string): Promise<RecordView | undefined> {
  const id = parseIdentifier(text);
  return id && shown(records.alone(id));
}

/**
 * Finds the users with these names: by the exact names in the token, else by the exact name that the person typed, else
 * by names that look like one of them.
 */
async function usersCalled(records: readonly RecordView[], names: readonly string[]): Promise<readonly RecordView[]> {
  const all = await mapInSlices(records, record => ({ record, known: namesIn(record) }));
  const [typed = '', ...told] = names;
  for (const some of [told, [typed]]) {
    const wanted = some.map(name => name.toLowerCase());
    const exact = all.filter(({ known }) => known.some(name => wanted.includes(name.toLowerCase())));
    if (exact.length > 0) return exact.map(({ record }) => record);
  }
  const alike = await mapInSlices(all, ({ record, known }) =>
    known.some(name => names.some(one => looksLike(name, one))) ? [record] : [],
  );
  return alike.flat();
}

function namesIn({ name, values }: RecordView): readonly string[] {
  const others = values.filter(({ path }) => naming.test(path) && !namesOther.test(path)).map(({ value }) => value);
  return [...(name === undefined ? [] : [name]), ...others].map(value => value.trim()).filter(value => value !== '');
}

/** The claims of a token that is a JSON Web Token; empty for any other token. */
function claimsOf(token: string): Readonly<Record<string, unknown>> {
  const payload = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token)?.[1];
  const read = payload === undefined ? undefined : parseJson(Buffer.from(payload, 'base64url').toString('utf8'));
  return isTree(read) ? read : {};
}

function namesOf(told: Readonly<Record<string, unknown>>): readonly string[] {
  return [...claims, 'sub'].flatMap(key => {
    const value = told[key];
    return typeof value === 'string' && value.trim() !== '' && !isUser(value) ? [value.trim()] : [];
  });
}

function usersOf(told: Readonly<Record<string, unknown>>): readonly string[] {
  return [...subjects, 'id'].flatMap(key => {
    const value = told[key];
    return typeof value === 'string' && isUser(value) ? [value] : [];
  });
}

/** The only user that the answer to a sign-in mentions. */
function loneUser(answer: unknown): Readonly<Record<string, unknown>> {
  const [user, ...others] = mentionsIn(answer, 'user');
  return user && others.length === 0 ? { id: user.id.text } : {};
}

/** The subject of a token, unless it is only the user's name. */
function subjectOf(told: Readonly<Record<string, unknown>>, username: string): string | undefined {
  const found = rawSubject(told);
  return found === undefined || looksLike(bareName(found), bareName(username)) ? undefined : found;
}

function rawSubject(told: Readonly<Record<string, unknown>>): string | undefined {
  const found = subjects.map(key => told[key]).find(value => typeof value === 'string' || typeof value === 'number');
  return found === undefined ? undefined : String(found);
}

function isUser(text: string): boolean {
  return parseIdentifier(text)?.noun === 'user';
}
