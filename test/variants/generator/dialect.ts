import type { Draw } from './draw.ts';
import type { Habit } from './habits.ts';
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
  /** The key of who asked for it, where it says so. */
  byKey: string | undefined;
}>;

/** Whether a record shows the latest of its reports alone. */
export const isSingle = ({ form }: Reports) => form === 'the latest' || form === 'flat';

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
  children:
    | Readonly<{
        where: 'everywhere' | 'single';
        as: 'ids' | 'objects' | 'count';
        key: string;
        /** The key of who made a snapshot, where it says so. */
        byKey: string | undefined;
      }>
    | undefined;
  /** The clones of a record stand in it, too. */
  listsClones: boolean;
  shows: Readonly<Record<Fact, boolean>>;
  kindAs: 'VIRTUALCLONE' | 'flag' | 'words';
  physicalIs: 'clone' | 'live';
  /** How it writes times, and by how many milliseconds its clock is ahead of Dolly's. */
  clock: Readonly<{ form: 'ISO' | 'milliseconds' | 'local'; zone: number; ahead: number }>;
  times: Readonly<{ own: boolean; updated: 'never' | 'at every change'; heartbeat: boolean; counters: boolean }>;
  list: 'bare' | 'named' | 'data' | 'result.items' | 'by id' | 'paged';
  one: 'bare' | 'object' | 'data' | 'result' | 'in a list';
  /** Values that say nothing of any job. */
  noise: readonly Noise[];
  /** Lists are made anew so often, in milliseconds. */
  listLag: number;
  /** What lists show of a record. */
  lists: 'all' | 'names and states' | 'names';
  /** Whether there are clones before the first one is asked for. */
  hasClones: boolean;
  /** What stands in place of a deleted record, and whether a new one takes its number. */
  tombstones: 'none' | 'deleted' | 'deletedAt' | 'state';
  reusesNumbers: boolean;
  /** Whether the service checks each record now and then, and reports that as a job. */
  checks: boolean;
  /** In which form it takes the bodies that are plain strings. */
  bodies: 'both' | 'bare';
  /** What its tokens tell of their user. */
  tokens: 'nothing' | 'user' | 'a constant';
  /** After all was asked, reads fail for a while: milliseconds. */
  outage: Readonly<{ after: number; lasts: number; how: '503' | '500' | 'HTML' | '429' }> | undefined;
  refusal: 'error' | 'nested' | 'HTML' | 'text' | 'list';
  /** What it does in a way of its own. */
  habit?: Habit;
  missing: 'null' | '404' | 'object: null' | 'data: []' | 'result: {}' | 'nothing' | '204' | '500' | '400';
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

export function drawReports(draw: Draw): Reports {
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
    byKey: draw(undefined, undefined, 'user', 'startedBy'),
  };
}

/** Draws a service's way to speak. */
export function drawDialect(draw: Draw): Dialect {
  const named = (name: string) => Object.entries(vocabularies).find(([known]) => known === name)?.[1];
  const isPlain = draw(true, false, false, false, false);
  const states = isPlain
    ? 'plain'
    : draw(...Object.keys(vocabularies).filter(name => name !== 'plain'), 'flags', 'none');
  const vocabulary: Dialect['vocabulary'] = states === 'flags' ? 'flags' : named(states);
  const often = () => draw(true, true, false);
  const reports = draw(true, true, false) ? undefined : drawReports(draw);
  return {
    vendor: draw('ORACLE', 'MYSQL', 'MARIADB'),
    keys: draw('camel', 'camel', 'snake', 'kebab', 'upper', 'Pascal'),
    idKey: draw('id', 'databaseId', 'identifier', 'uid', 'reference'),
    nameKey: draw('name', 'databaseName', 'displayName', 'label'),
    states,
    vocabulary,
    liveVocabulary:
      typeof vocabulary !== 'object'
        ? vocabulary
        : isPlain
          ? { ...vocabulary, up: 'ACTIVE' }
          : draw(vocabulary, vocabulary, vocabulary, named(draw(...Object.keys(vocabularies)))),
    statePath: draw<Dialect['statePath']>(...places),
    showsWork: isPlain || draw(true, true, true, false),
    besideKey: isPlain
      ? undefined
      : draw(...Array<undefined>(5).fill(undefined), 'activity', 'currentOperation', 'busyWith', 'jobStatus'),
    sourceWorks: draw(true, false),
    reports,
    errorKey: draw('error', 'lastError', 'failureReason', 'errorMessage', undefined, undefined),
    errorStays: draw(true, false, false),
    errorAs: draw('text', 'text', 'object', 'list'),
    noError: draw(null, null, '', 'none'),
    children: draw(true, true, true, false)
      ? {
          where: draw('everywhere', 'everywhere', 'single'),
          as: draw('objects', 'ids', 'count'),
          key: draw('snapshots', 'recoveryPoints', 'snapshotList'),
          byKey: draw(undefined, undefined, 'createdBy', 'owner'),
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
    clock: {
      form: draw('ISO', 'ISO', 'milliseconds', 'local'),
      zone: draw(0, 2, -5),
      ahead: draw(0, 0, 0, 0, 90, -90, -3_600) * 1_000,
    },
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
    lists: draw('all', 'all', 'all', 'names and states', 'names'),
    hasClones: draw(true, true, false),
    tombstones: draw('none', 'none', 'none', 'deleted', 'deletedAt', 'state'),
    reusesNumbers: draw(true, false, false),
    checks: reports?.types !== undefined && draw(true, false, false),
    bodies: draw('both', 'both', 'both', 'bare'),
    tokens: draw('nothing', 'nothing', 'user', 'a constant'),
    outage:
      !isPlain && draw(true, false, false, false)
        ? { after: draw(0, 20, 90) * 1_000, lasts: draw(5, 60, 150) * 1_000, how: draw('503', '500', 'HTML', '429') }
        : undefined,
    refusal: draw('error', 'nested', 'HTML', 'text', 'list'),
    missing: draw('null', '404', '404', 'object: null', 'data: []', 'result: {}', 'nothing', '204', '500', '400'),
  };
}
