/** What can be asked of a service, as the journeys know it. */
export const kinds = [
  'virtual clone',
  'physical clone',
  'share',
  'mount',
  'backup',
  'backup logs',
  'stop',
  'start',
  'disable',
  'enable',
  'refresh',
  'reset',
  'restore',
  'convert',
  'delete',
  'snapshot delete',
] as const;
export type Kind = (typeof kinds)[number];

/** What somebody may do at the service beside all this. */
export type AnyKind = Kind | 'discovery' | 'health check';

/** How a record stands while nothing is done to it. */
export type Rest = 'up' | 'down' | 'disabled' | 'broken';

/** A word for work: one, or several one after the other. `{}` in it stands for the word for rest. */
export type Passing = string | number | readonly string[];

/** The words of one service for states: at rest, and while something is done. `other` is the word for all other work. */
export type Vocabulary = Readonly<
  Record<Rest, string | number> & { passing: Readonly<Partial<Record<AnyKind, Passing>> & { other: Passing }> }
>;

export const vocabularies = {
  /** Live databases of such a service rest in ACTIVE (dialect.ts). */
  plain: {
    up: 'RUNNING',
    down: 'STOPPED',
    disabled: 'DISABLED',
    broken: 'FAILED',
    passing: { 'virtual clone': 'CREATING', 'physical clone': 'CREATING', share: 'CREATING', other: 'UPDATING' },
  },
  usual: {
    up: 'RUNNING',
    down: 'STOPPED',
    disabled: 'DISABLED',
    broken: 'FAILED',
    passing: {
      'virtual clone': 'CREATING',
      'physical clone': 'CREATING',
      share: 'CREATING',
      mount: 'MOUNTING',
      backup: 'BACKING_UP',
      'backup logs': 'BACKING_UP_LOGS',
      stop: 'STOPPING',
      start: 'STARTING',
      restore: 'RESTORING',
      delete: 'DELETING',
      other: 'UPDATING',
    },
  },
  'a job runs': {
    up: 'ACTIVE',
    down: 'INACTIVE',
    disabled: 'SUSPENDED',
    broken: 'ERROR',
    passing: { other: 'RUNNING' },
  },
  Oracle: {
    up: 'READ WRITE',
    down: 'SHUTDOWN',
    disabled: 'RESTRICTED',
    broken: 'RECOVER',
    passing: { other: 'MOUNTED' },
  },
  'Oracle, opened': {
    up: 'OPEN',
    down: 'CLOSE',
    disabled: 'QUIESCED',
    broken: 'CORRUPT',
    passing: { start: 'STARTED', stop: 'CLOSING', other: 'MOUNTED' },
  },
  'Oracle, in steps': {
    up: 'READ WRITE',
    down: 'CLOSED',
    disabled: 'RESTRICTED',
    broken: 'INVALID',
    passing: { stop: ['CLOSING', 'MOUNTED', 'STARTED'], other: ['STARTED', 'MOUNTED', 'OPEN'] },
  },
  blank: { up: 'ONLINE', down: 'OFFLINE', disabled: 'DISABLED', broken: 'FAILED', passing: { other: '' } },
  'work behind': {
    up: 'ACTIVE',
    down: 'INACTIVE',
    disabled: 'SUSPENDED',
    broken: 'BROKEN',
    passing: { other: '{}, operation running' },
  },
  healthy: { up: 'OK', down: 'HALTED', disabled: 'PAUSED', broken: 'NOK', passing: { other: 'WARNING' } },
  'numbers 2': { up: 2, down: 0, disabled: 3, broken: 9, passing: { other: 1 } },
  'numbers 1': { up: 1, down: 0, disabled: 4, broken: -1, passing: { other: 2 } },
  'numbers 100': { up: '100', down: '300', disabled: '400', broken: '500', passing: { other: '200' } },
  German: {
    up: 'aktiv',
    down: 'angehalten',
    disabled: 'gesperrt',
    broken: 'fehlerhaft',
    passing: { backup: 'wird gesichert', restore: 'wird wiederhergestellt', other: 'in Arbeit' },
  },
  French: {
    up: 'en ligne',
    down: 'arrêtée',
    disabled: 'désactivée',
    broken: 'en erreur',
    passing: { other: 'en cours' },
  },
  'made up': { up: 'FLORP', down: 'GRALT', disabled: 'ZEND', broken: 'KRAX', passing: { other: 'WIBBLE' } },
  short: { up: 'UP', down: 'DOWN', disabled: 'LOCKED', broken: 'CRASHED', passing: { other: 'PENDING' } },
  letters: { up: 'A', down: 'I', disabled: 'D', broken: 'F', passing: { other: 'P' } },
  sentences: {
    up: 'Open for business',
    down: 'Shut down',
    disabled: 'Suspended by an administrator',
    broken: 'Needs attention',
    passing: { other: 'Operation under way' },
  },
  'other work words': {
    up: 'AVAILABLE',
    down: 'STOPPED',
    disabled: 'DISABLED',
    broken: 'FAILED',
    passing: {
      'virtual clone': 'PROVISIONING',
      'physical clone': 'DUPLICATING',
      share: 'REPLICATING',
      mount: 'MOUNTING',
      backup: 'SNAPSHOTTING',
      'backup logs': 'ARCHIVING',
      restore: 'ROLLING_BACK',
      refresh: 'DISCOVERING',
      reset: 'ROLLING_BACK',
      convert: 'MIGRATING',
      other: 'VALIDATING',
    },
  },
  logs: {
    up: 'NORMAL',
    down: 'SHUTDOWN',
    disabled: 'QUIESCED',
    broken: 'FAULT',
    passing: { backup: 'SYNCING', 'backup logs': 'LOG_BACKUP', other: 'OPERATION_IN_PROGRESS' },
  },
  negated: {
    up: 'READY',
    down: 'NOT STARTED',
    disabled: 'NOT ENABLED',
    broken: 'NOT OK',
    passing: { other: 'NOT READY' },
  },
} as const satisfies Record<string, Vocabulary>;

/** The words for how a job stands. */
export type StatusWords = Readonly<Record<'waiting' | 'running' | 'succeeded' | 'failed', string | number>>;

export const statusWords = {
  upper: { waiting: 'QUEUED', running: 'RUNNING', succeeded: 'SUCCEEDED', failed: 'FAILED' },
  completed: { waiting: 'PENDING', running: 'IN_PROGRESS', succeeded: 'COMPLETED', failed: 'ERROR' },
  ok: { waiting: 'WAITING', running: 'EXECUTING', succeeded: 'OK', failed: 'NOT OK' },
  lower: { waiting: 'new', running: 'active', succeeded: 'done', failed: 'failed' },
  success: { waiting: 'Scheduled', running: 'Pending', succeeded: 'Success', failed: 'Failure' },
  finished: { waiting: 'CREATED', running: 'STARTED', succeeded: 'FINISHED', failed: 'ABORTED' },
  percent: { waiting: '0 %', running: '45 %', succeeded: '100 %', failed: 'FAILED AT 45 %' },
  German: { waiting: 'wartet', running: 'läuft', succeeded: 'erledigt', failed: 'fehlgeschlagen' },
  warnings: { waiting: 'SUBMITTED', running: 'PROCESSING', succeeded: 'COMPLETED_WITH_WARNINGS', failed: 'CANCELLED' },
} as const satisfies Record<string, StatusWords>;

/** The words for what a job does, as a report of it shows them. */
export type WorkWords = Readonly<Record<AnyKind, string>>;

const upper = {
  'virtual clone': 'CLONE',
  'physical clone': 'DUPLICATE',
  share: 'SHARE',
  mount: 'MOUNT',
  backup: 'BACKUP',
  'backup logs': 'LOG_BACKUP',
  stop: 'STOP',
  start: 'START',
  disable: 'DISABLE',
  enable: 'ENABLE',
  refresh: 'REFRESH',
  reset: 'RESET',
  restore: 'RESTORE',
  convert: 'CONVERT',
  delete: 'DELETE',
  'snapshot delete': 'DELETE_SNAPSHOT',
  discovery: 'DISCOVERY',
  'health check': 'HEALTH_CHECK',
} as const satisfies WorkWords;

export const workWords = {
  upper,
  product: {
    'virtual clone': 'VDB_PROVISION',
    'physical clone': 'DB_DUPLICATE',
    share: 'VDB_SHARE',
    mount: 'SNAPSHOT_MOUNT',
    backup: 'DB_SYNC',
    'backup logs': 'DB_LOG_SYNC',
    stop: 'VDB_STOP',
    start: 'VDB_START',
    disable: 'DB_DISABLE',
    enable: 'DB_ENABLE',
    refresh: 'DB_REFRESH',
    reset: 'VDB_RESET',
    restore: 'DB_RESTORE',
    convert: 'DB_SWITCH',
    delete: 'DB_DELETE',
    'snapshot delete': 'SNAPSHOT_DELETE',
    discovery: 'SOURCE_DISCOVER',
    'health check': 'SOURCE_HEALTH_CHECK',
  },
  sentences: {
    'virtual clone': 'Create virtual clone',
    'physical clone': 'Create physical clone',
    share: 'Share clone',
    mount: 'Mount snapshot',
    backup: 'Incremental backup',
    'backup logs': 'Log backup',
    stop: 'Stop clone',
    start: 'Start clone',
    disable: 'Disable database',
    enable: 'Enable database',
    refresh: 'Refresh metadata',
    reset: 'Reset clone',
    restore: 'Restore database',
    convert: 'Convert to physical',
    delete: 'Delete database',
    'snapshot delete': 'Delete snapshot',
    discovery: 'Discover databases',
    'health check': 'Check the health of the source',
  },
} as const satisfies Record<string, WorkWords>;
