import type { Identifier, Noun } from './identifiers.ts';

/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** One request to the service, below `{base_url}/service` (spec §4). `body` is sent as JSON. */
export type Call = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Begins with a slash and is already encoded. */
  path: string;
  query?: Readonly<Record<string, string>>;
  body?: Json;
  /** Whether a body that is a text is sent without quotes. */
  isBare?: boolean;
}>;

/** GET of a list, or of one record: `get('/database', id)`. */
export function get(path: string, id?: string): Call {
  return {
    method: 'GET',
    path: id === undefined ? path : `${path}/${encodeURIComponent(id)}`,
  };
}

export function post(path: string, body: Json): Call {
  return { method: 'POST', path, body };
}

/** PUT with a JSON body. Of a body that is a text, plainBodies.ts says in which form it is sent. */
export function put(path: string, body: Json): Call {
  return { method: 'PUT', path, body };
}

/** A deletion: the identifier goes into the query parameter `input` (spec §4.1). Snapshots are deleted by PUT. */
export function remove(path: string, input: string, method: 'DELETE' | 'PUT' = 'DELETE'): Call {
  return { method, path, query: { input } };
}

/** The lists of the service (spec §4.1, §4.7–4.9). */
export const lists = {
  databases: get('/database/list'),
  environments: get('/environment/list'),
  users: get('/user/list'),
  projects: get('/project/list'),
} as const;

export function isListCall({ path }: Call): boolean {
  return Object.values(lists).some(list => list.path === path);
}

/**
 * The list and the path of the records of each noun. Snapshots, installs and environment users stand inside other
 * records only.
 */
const places: Readonly<Partial<Record<Noun, Readonly<{ list: Call; path: string }>>>> = {
  live: { list: lists.databases, path: '/database' },
  clone: { list: lists.databases, path: '/database' },
  environment: { list: lists.environments, path: '/environment' },
  user: { list: lists.users, path: '/user/user' },
  project: { list: lists.projects, path: '/project' },
};

/** The list that shows records of a noun; `undefined` where the service has none. */
export function listCall(noun: Noun | undefined): Call | undefined {
  return noun && places[noun]?.list;
}

/** The nouns of the records in a list. */
export function nounsOf({ path }: Call): readonly Noun[] {
  const all: readonly Noun[] = ['live', 'clone', 'environment', 'user', 'project'];
  return all.filter(noun => listCall(noun)?.path === path);
}

/** The GET of one record; `undefined` where the service has none for its noun. */
export function recordCall(id: Identifier): Call | undefined {
  const place = id.noun && places[id.noun];
  return place && get(place.path, id.text);
}
