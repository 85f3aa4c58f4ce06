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

export const noises = ['health', 'monitoring', 'policy', 'agent', 'version', 'restarts', 'lastBackup', 'tags'] as const;
export type Noise = (typeof noises)[number];

/** How a record reports the jobs on it. */
export type Reports = Readonly<{
  key: string;
  /** Where they stand in the record. */
  under: readonly string[];
  /** `flat`: the latest, in keys beside the others of the record. */
  form: 'the latest' | 'flat' | 'newest first' | 'newest last';
  /** Whether only what runs is shown, and nothing of how it ended. */
  forgets: boolean;
  typeKey: string;
  types: WorkWords | undefined;
  statusKey: string;
  statuses: StatusWords;
  /** Where it is, the status of what is over says so alone, and this key how it ended. */
  resultKey: string | undefined;
  overWord: string;
  errorKey: string;
  /** Local times do not say of which zone they are. */
  times: 'none' | 'ISO' | 'milliseconds' | 'seconds' | 'local' | 'German';
  /** How many hours local times are ahead. */
  zone: number;
  /** Whether what waits for its turn is shown, too. */
  queue: boolean;
  progress: boolean;
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
  /** Live databases may speak otherwise than clones. */
  liveVocabulary: Vocabulary | 'flags' | undefined;
  statePath: readonly [outer: string, inner?: string];
  /** Whether a record at work shows another state than before, or a word beside it. */
  showsWork: boolean;
  besideKey: string | undefined;
  /** Whether the source of a clone shows that it is at work, too. */
  sourceWorks: boolean;
  reports: Reports | undefined;
  /** The key of the error of the last job; it goes when another begins, or stays until another fails. */
  errorKey: string | undefined;
  errorStays: boolean;
  errorAs: 'text' | 'object' | 'list';
  /** What stands there where there is no error. */
  noError: null | '' | 'none';
  children: Readonly<{ where: 'everywhere' | 'single'; as: 'ids' | 'objects' | 'count'; key: string }> | undefined;
  /** The clones of a record stand in it, too. */
  listsClones: boolean;
  shows: Readonly<Record<Fact, boolean>>;
  kindAs: 'VIRTUALCLONE' | 'flag' | 'words';
  physicalIs: 'clone' | 'live';
  times: Readonly<{ own: boolean; updated: 'never' | 'at every change'; heartbeat: boolean; counters: boolean }>;
  list: 'bare' | 'named' | 'data' | 'result.items' | 'by id' | 'paged';
  one: 'bare' | 'object' | 'data' | 'result' | 'in a list';
  /** Values that say nothing of any job. */
  noise: readonly Noise[];
  /** Lists are made anew so often, in milliseconds. */
  listLag: number;
  /** After all was asked, reads fail for a while: milliseconds. */
  outage: Readonly<{ after: number; lasts: number; how: '503' | '500' | 'HTML' | '429' }> | undefined;
  refusal: 'error' | 'nested' | 'HTML' | 'text' | 'list';
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
  const form = draw('the latest', 'the latest', 'flat', 'newest first', 'newest last');
  return {
    form,
    key:
      form === 'flat'
        ? draw('lastJob', 'job', 'lastTask', 'last_operation')
        : form === 'the latest'
          ? draw('lastJob', 'last_job', 'currentJob', 'job', 'lastTask', 'latestOperation')
          : draw('recentTasks', 'history', 'jobs', 'operations', 'recent_jobs', 'activity'),
    under: draw([], [], ['info'], ['management', 'protection']),
    forgets: draw(true, false, false, false, false),
    typeKey: draw('type', 'kind', 'operation', 'action', 'jobType'),
    types: draw<WorkWords | undefined>(workWords.upper, workWords.product, workWords.sentences, undefined),
    statusKey: draw('state', 'status', 'result', 'jobState'),
    statuses: draw(...Object.values(statusWords)),
    resultKey: draw(undefined, undefined, undefined, 'outcome', 'resultCode'),
    overWord: draw('ENDED', 'COMPLETED', 'CLOSED'),
    errorKey: draw('error', 'message', 'errorMessage', 'details'),
    times: draw('none', 'ISO', 'ISO', 'milliseconds', 'seconds', 'local', 'German'),
    zone: draw(0, 2, -5),
    queue: draw(true, false),
    progress: draw(true, false, false),
    startKey: draw('startedAt', 'startTime', 'begin', 'created'),
    endKey: draw('endedAt', 'finishTime', 'end', 'completedOn'),
    numbered: draw(true, false),
  };
}

/** Draws a service's way to speak. */
export function drawDialect(draw: Draw): Dialect {
  const named = (name: string) => Object.entries(vocabularies).find(([known]) => known === name)?.[1];
  const states = draw(...Object.keys(vocabularies), 'flags', 'none');
  const vocabulary: Dialect['vocabulary'] = states === 'flags' ? 'flags' : named(states);
  const often = () => draw(true, true, false);
  return {
    vendor: draw('ORACLE', 'MYSQL', 'MARIADB'),
    keys: draw('camel', 'camel', 'snake', 'kebab', 'upper', 'Pascal'),
    idKey: draw('id', 'databaseId', 'identifier', 'uid', 'reference'),
    nameKey: draw('name', 'databaseName', 'displayName', 'label'),
    states,
    vocabulary,
    liveVocabulary:
      typeof vocabulary === 'object'
        ? draw(vocabulary, vocabulary, vocabulary, named(draw(...Object.keys(vocabularies))))
        : vocabulary,
    statePath: draw<Dialect['statePath']>(...places),
    showsWork: draw(true, true, true, false),
    besideKey: draw(
      undefined,
      undefined,
      undefined,
      undefined,
      undefined,
      'activity',
      'currentOperation',
      'busyWith',
      'jobStatus',
    ),
    sourceWorks: draw(true, false),
    reports: drawReports(draw),
    errorKey: draw('error', 'lastError', 'failureReason', 'errorMessage', undefined, undefined),
    errorStays: draw(true, false, false),
    errorAs: draw('text', 'text', 'object', 'list'),
    noError: draw(null, null, '', 'none'),
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
    noise: noises.filter(() => draw(true, false, false)),
    listLag: draw(0, 0, 0, 0, 5_000, 20_000),
    outage: draw(true, false, false, false)
      ? { after: draw(0, 20, 90) * 1_000, lasts: draw(5, 60, 150) * 1_000, how: draw('503', '500', 'HTML', '429') }
      : undefined,
    refusal: draw('error', 'nested', 'HTML', 'text', 'list'),
    missing: draw('404', '404', 'object: null', 'data: []', 'result: {}', 'nothing', '204', '500', '400'),
  };
}
