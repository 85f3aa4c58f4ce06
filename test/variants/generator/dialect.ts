import type { Draw } from './draw.ts';
import { type StatusWords, statusWords, type Vocabulary, vocabularies, type WorkWords, workWords } from './words.ts';

/** What a record of a clone may show of what was asked. */
export const facts = [
  'kind',
  'snapshot',
  'mountBase',
  'port',
  'name',
  'project',
  'owner',
  'environment',
  'source',
] as const;
export type Fact = (typeof facts)[number];

/** How a record reports the jobs on it. */
export type Reports = Readonly<{
  key: string;
  /** Where they stand in the record. */
  under: readonly string[];
  form: 'the latest' | 'newest first' | 'newest last';
  /** Whether only what runs is shown, and nothing of how it ended. */
  forgets: boolean;
  typeKey: string;
  types: WorkWords | undefined;
  statusKey: string;
  statuses: StatusWords;
  errorKey: string;
  times: 'none' | 'ISO' | 'milliseconds' | 'seconds' | 'local';
  startKey: string;
  endKey: string;
  numbered: boolean;
}>;

/** How one service speaks. Everything that a person who reads its answers has to find out. */
export type Dialect = Readonly<{
  vendor: 'ORACLE' | 'MYSQL' | 'MARIADB';
  keys: 'camel' | 'snake' | 'kebab' | 'upper' | 'Pascal';
  idKey: string;
  nameKey: string;
  /** The words for states; `flags` shows yes or no instead. */
  states: string;
  vocabulary: Vocabulary | 'flags' | undefined;
  statePath: readonly [outer: string, inner?: string];
  /** Whether a record at work shows another state than before. */
  showsWork: boolean;
  /** Whether the source of a clone shows that it is at work, too. */
  sourceWorks: boolean;
  reports: Reports | undefined;
  /** The key of the error of the last job, which goes when another begins. */
  errorKey: string | undefined;
  children: Readonly<{ where: 'everywhere' | 'single'; as: 'ids' | 'objects' | 'count'; key: string }> | undefined;
  /** The clones of a record stand in it, too. */
  listsClones: boolean;
  shows: Readonly<Record<Fact, boolean>>;
  kindAs: 'VIRTUALCLONE' | 'flag' | 'words';
  physicalIs: 'clone' | 'live';
  times: Readonly<{ own: boolean; updated: 'never' | 'at every change'; heartbeat: boolean; counters: boolean }>;
  list: 'bare' | 'named' | 'data' | 'result.items' | 'by id' | 'paged';
  one: 'bare' | 'object' | 'data' | 'result' | 'in a list';
  missing: '404' | 'object: null' | 'data: []' | 'result: {}' | 'nothing' | '204' | '500' | '400';
}>;

const places = [
  ['state'],
  ['status'],
  ['current_state'],
  ['currentState'],
  ['runtimeState'],
  ['databaseStatus'],
  ['operationalState'],
  ['lifecycle', 'phase'],
  ['state', 'name'],
  ['runtime', 'status'],
  ['info', 'currentState'],
] as const;

function drawReports(draw: Draw): Reports | undefined {
  if (draw(true, true, false)) return undefined;
  const form = draw('the latest', 'the latest', 'newest first', 'newest last');
  return {
    form,
    key:
      form === 'the latest'
        ? draw('lastJob', 'last_job', 'currentJob', 'job', 'lastTask', 'latestOperation')
        : draw('recentTasks', 'history', 'jobs', 'operations', 'recent_jobs', 'activity'),
    under: draw([], [], ['info'], ['management', 'protection']),
    forgets: draw(true, false, false, false, false),
    typeKey: draw('type', 'kind', 'operation', 'action', 'jobType'),
    types: draw<WorkWords | undefined>(workWords.upper, workWords.product, workWords.sentences, undefined),
    statusKey: draw('state', 'status', 'result', 'jobState'),
    statuses: draw(...Object.values(statusWords)),
    errorKey: draw('error', 'message', 'errorMessage', 'details'),
    times: draw('none', 'ISO', 'ISO', 'milliseconds', 'seconds', 'local'),
    startKey: draw('startedAt', 'startTime', 'begin', 'created'),
    endKey: draw('endedAt', 'finishTime', 'end', 'completedOn'),
    numbered: draw(true, false),
  };
}

/** Draws a service's way to speak. */
export function drawDialect(draw: Draw): Dialect {
  const states = draw(...Object.keys(vocabularies), 'flags', 'none');
  const often = () => draw(true, true, false);
  return {
    vendor: draw('ORACLE', 'MYSQL', 'MARIADB'),
    keys: draw('camel', 'camel', 'snake', 'kebab', 'upper', 'Pascal'),
    idKey: draw('id', 'databaseId', 'identifier', 'uid', 'reference'),
    nameKey: draw('name', 'databaseName', 'displayName', 'label'),
    states,
    vocabulary: states === 'flags' ? 'flags' : Object.entries(vocabularies).find(([name]) => name === states)?.[1],
    statePath: draw<Dialect['statePath']>(...places),
    showsWork: draw(true, true, true, false),
    sourceWorks: draw(true, false),
    reports: drawReports(draw),
    errorKey: draw('error', 'lastError', 'failureReason', 'errorMessage', undefined, undefined),
    children: draw(true, true, true, false)
      ? {
          where: draw('everywhere', 'everywhere', 'single'),
          as: draw('objects', 'ids', 'count'),
          key: draw('snapshots', 'recoveryPoints', 'snapshotList'),
        }
      : undefined,
    listsClones: draw(true, false, false),
    shows: {
      kind: often(),
      snapshot: often(),
      mountBase: often(),
      port: often(),
      name: often(),
      project: often(),
      owner: often(),
      environment: often(),
      source: often(),
    },
    kindAs: draw('VIRTUALCLONE', 'flag', 'words'),
    physicalIs: draw('clone', 'clone', 'live'),
    times: {
      own: draw(true, false),
      updated: draw('never', 'at every change'),
      heartbeat: draw(true, false, false, false),
      counters: draw(true, false, false),
    },
    list: draw('bare', 'named', 'data', 'result.items', 'by id', 'paged'),
    one: draw('bare', 'object', 'data', 'result', 'in a list'),
    missing: draw('404', '404', 'object: null', 'data: []', 'result: {}', 'nothing', '204', '500', '400'),
  };
}
