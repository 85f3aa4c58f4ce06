import { meaningIn, withoutMeaning } from '../ground/wording.ts';

/** A kind of work that the service does on a record, with the words by which reports and passing states name it. */
export type Work = Readonly<{
  /** The words of a record cannot tell two operations apart whose work has the same name. */
  name: string;
  /** Beginnings of words that mean this work whatever else stands beside them: MOUNT_SNAPSHOT is a mount. */
  verb?: RegExp;
  /** Beginnings of words that name a thing as often as work on it. They count only where no verb stands beside them. */
  noun?: RegExp;
  /** Names of other work by which a service may call this one. */
  alsoCalled?: readonly string[];
}>;

// The service calls a backup sync (spec §4.1); others call the reading of metadata sync.
const sync = 'sync|synchron|resync';

/** The work of the specification's operations. An operation that does other work defines it in its own entry. */
export const works = {
  delete: { name: 'delete', verb: /^(delet|remov|drop|destroy|purg|eras|decommission)/ },
  stop: { name: 'stop', verb: /^(stop|shut|halt|terminat|quiesc)/ },
  start: { name: 'start', verb: /^(start|boot|launch)/ },
  enable: { name: 'enable', verb: /^(enabl|activat|unlock)/, alsoCalled: ['start'] },
  disable: { name: 'disable', verb: /^(disabl|deactivat|suspend)/, alsoCalled: ['stop'] },
  mount: { name: 'mount', verb: /^(mount|stag)/, alsoCalled: ['clone'] },
  convert: { name: 'convert', verb: /^(conver|switch|materiali)/, alsoCalled: ['clone'] },
  restore: { name: 'restore', verb: /^(restor|recover|rollback|rolling|pitr|flashback)/ },
  reset: { name: 'reset', verb: /^(reset|rewind|revert)/, alsoCalled: ['restore'] },
  refresh: {
    name: 'refresh',
    verb: /^(refresh|discover|rediscover|scan|rescan|inventor)/,
    noun: new RegExp(`^(${sync})`),
  },
  share: { name: 'share', verb: /^shar/, alsoCalled: ['clone'] },
  logs: {
    name: 'logs',
    verb: /^(log(?!in|ged|ic|o)|archiv|redo|binlog|wal)/,
    noun: new RegExp(`^(${sync})`),
    alsoCalled: ['backup'],
  },
  clone: { name: 'clone', noun: /^(clon|provision|duplicat|copy|copi|replicat|creat|build)/ },
  backup: { name: 'backup', noun: new RegExp(`^(backup|backing|snap|increment|protect|dump|${sync})`) },
} as const satisfies Record<string, Work>;

const known: readonly Work[] = Object.values(works);

/**
 * Whether a service's words (`BACKUP_LOGS`, `snapshotDelete`, `Restoring`) speak of this work: `yes`, `no` where they
 * speak of other work, `open` where they speak of none that Dolly knows (`BUSY`, `TASK_7`).
 */
export function speaksOf(text: string, work: Work): 'yes' | 'no' | 'open' {
  const spoken = spokenOf(text, known.some(({ name }) => name === work.name) ? known : [...known, work]);
  if (spoken.length === 0) return 'open';
  return [work.name, ...(work.alsoCalled ?? [])].some(name => spoken.includes(name)) ? 'yes' : 'no';
}

/** Whether words name this very work, and not only other work by which a service may call it: a clone for a mount. */
export function namesItself(text: string, work: Work): boolean {
  return speaksOf(text, { ...work, alsoCalled: [] }) === 'yes';
}

/** How what stands beside a time of this work is read: the type LOG names other work than a backup. */
export function workOfTime(work: Work) {
  return {
    // SNAPSHOT may say from what it was restored.
    isOther: (type: string) => speaksOf(type, work) === 'no' && speaksOf(type, works.backup) !== 'yes',
    isAbout: (key: string) => speaksOf(key, work) === 'yes',
  };
}

/** Whether one of the words means several kinds of work: DB_SYNC is a backup, or a refresh. */
export function meansSeveral(text: string): boolean {
  return (
    workMeant(text) === undefined && partsOf(text).some(part => known.filter(({ noun }) => noun?.test(part)).length > 1)
  );
}

/** Words in the kind of a report that say only that there is work, or was. */
const plainWork =
  /^(\w|jobs?|tasks?|operations?|ops?|requests?|works?|actions?|activity|process(es)?|procedure|workflows?|runs?|async|background|commands?|execut(e|ion)|database|db|clone|server|system|service|environment|env|host|in|under|progress|way|busy|pending|queued|waiting|running|working|processing|executing|wird|arbeit|lauft|en|cours|curso)$/;

/**
 * Whether the kind of a report may be this work. A kind that names no work at all (`TASK_7`) may; one that names work
 * which no operation does (`SOURCE_HEALTH_CHECK`) is the service's own.
 */
export function mayReport(kind: string, work: Work): boolean {
  const speaks = speaksOf(kind, work);
  return speaks === 'yes' || (speaks === 'open' && partsOf(kind).every(part => plainWork.test(part)));
}

/** Whether the kind of a report names a check, by which a service looks at a record and changes nothing. */
export function isCheck(kind: string): boolean {
  return (
    spokenOf(kind, known).length === 0 && partsOf(kind).some(part => /^(health|check|monitor|heartbeat)/.test(part))
  );
}

/** What the word of a state speaks of, as `speaksOf` says it. A past form, such as MOUNTED or RESTORED, is no work in progress. */
export function stateSpeaksOf(word: string, work: Work): 'yes' | 'no' | 'open' {
  if (workMeant(word) !== undefined) return speaksOf(word, work);
  const passing = partsOf(word).filter(part => !part.endsWith('ed'));
  return speaksOf(passing.join(' '), work);
}

/** The work that an operator says a text means. A clone may be told with its kind. */
function workMeant(text: string): string | undefined {
  const meaning = meaningIn(text)?.replace(/^(virtual|physical) (?=clone$)/, '');
  return known.find(({ name }) => name === meaning)?.name;
}

/** The names of the work that a text mentions. */
function spokenOf(text: string, all: readonly Work[]): readonly string[] {
  const told = workMeant(text);
  if (told !== undefined) return [told];
  const parts = partsOf(text);
  const namesWith = (kind: 'verb' | 'noun') =>
    all.filter(work => parts.some(part => work[kind]?.test(part))).map(({ name }) => name);
  const meant = namesWith('verb');
  // RESTORE_LOG and DELETE_LOGS are no backups of logs.
  const acts = meant.length > 1 ? meant.filter(name => name !== works.logs.name) : meant;
  // START_BACKUP begins a backup.
  if (acts.some(name => name !== works.start.name)) return acts;
  const named = namesWith('noun');
  // CREATE_SNAPSHOT makes no clone, CLONE_FROM_SNAPSHOT does.
  const isBackup = named.includes(works.backup.name) && !/clon|provision|duplicat/i.test(text);
  return [...acts, ...(isBackup ? named.filter(name => name !== works.clone.name) : named)];
}

/**
 * Whether dotted keys of a time or a counter (`lastRestoredAt`, `resetCount`, `backup.last.at`) are about the end of this very
 * work: they name it, and have no other word but those that such keys usually have. `pendingRestores` and
 * `restorePolicyUpdatedAt` are about something else, and so may any word be that nobody knows.
 */
export function isSignOf(path: string, work: Work): boolean {
  if (speaksOf(path, work) !== 'yes') return false;
  if (workMeant(path) !== undefined) return true;
  const names = [work.name, ...(work.alsoCalled ?? [])];
  const own = [work, ...known.filter(({ name }) => names.includes(name))];
  // What goes on has not ended.
  const isOwn = (part: string) =>
    !/(ing|able)$/.test(part) && own.some(one => one.verb?.test(part) || one.noun?.test(part));
  const keys = path.split('.').map(partsOf);
  const from = keys.findIndex(parts => parts.some(isOwn));
  const isAside = keys.slice(0, from).some(parts => parts.some(part => notOfNow.test(part)));
  return from >= 0 && !isAside && keys.slice(from).every(parts => parts.every(part => isOwn(part) || usual.test(part)));
}

/** The same in a record: where an operator names the time of this work, that alone is about it. */
export function isSignOn(
  { timedWorks }: Readonly<{ timedWorks: readonly string[] }>,
  path: string,
  work: Work,
): boolean {
  return timedWorks.includes(work.name) ? workMeant(path) === work.name : isSignOf(path, work);
}

/** Whether a time or a counter of a record is about a work, and its key names that work and no other. */
export function isOwnSignOn(record: Parameters<typeof isSignOn>[0], path: string, work: Work): boolean {
  return isSignOn(record, path, work) && namesItself(path, work);
}

/** Words in the key of a time or a counter that say no more than that it is one, how often, of what, or of which kind of backup. */
const usual =
  /^(\w|last|latest|recent|most|at|on|of|times?|date|datetime|timestamp|ts|utc|gmt|local|when|complet(ed|ion|e)|finish(ed)?|end(ed)?|done|success(ful|fully)?|succeeded|ok|runs?|ran|counts?|counter|totals?|millis|ms|epoch|iso|sec|seconds|full|incremental|incr|differential|cumulative|manual|automatic|auto|online|hot|cold|physical|logical|databases?|db|server|instance|clone|pdb|tablespace|table|schema|data|file|oracle|mysql|mariadb|rman|job|task|operation|info|details?|taken|list)$/;
/** Beginnings of words in the keys around, which speak of what is wanted or to come. */
const notOfNow = /^(next|schedul|plan|polic|desired|target|retention|config|setting|request|source)/;

function partsOf(text: string): readonly string[] {
  return (
    withoutMeaning(text)
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      // They are what backups make, and no recoveries.
      .replace(/\b(recovery|restore)[ _-]?points\b/g, 'snapshots')
      .split(/[^a-z]+/)
      .filter(Boolean)
  );
}
