/** A kind of work that the service does on a record, as its reports and passing states speak of it. */
export type Work =
  | 'backup'
  | 'clone'
  | 'convert'
  | 'delete'
  | 'disable'
  | 'enable'
  | 'logs'
  | 'mount'
  | 'refresh'
  | 'reset'
  | 'restore'
  | 'share'
  | 'start'
  | 'stop';

/** The beginnings of words that say which work is meant, whatever else stands beside them: MOUNT_SNAPSHOT is a mount. */
const verbs: readonly (readonly [RegExp, Work])[] = [
  [/^(delet|remov|drop|destroy|purg|eras|decommission)/, 'delete'],
  [/^(stop|shut|halt|terminat|quiesc)/, 'stop'],
  [/^(start|boot|launch)/, 'start'],
  [/^(enabl|activat|unlock)/, 'enable'],
  [/^(disabl|deactivat|suspend)/, 'disable'],
  [/^(mount|stag)/, 'mount'],
  [/^(conver|switch|materiali)/, 'convert'],
  [/^(restor|recover|rollback|rolling|pitr|flashback)/, 'restore'],
  [/^(reset|rewind|revert)/, 'reset'],
  [/^(refresh|discover|rediscover|scan|rescan|inventor)/, 'refresh'],
  [/^shar/, 'share'],
  [/^(log(?!in|ged|ic|o)|archiv|redo|binlog|wal)/, 'logs'],
];

/** Words that name a thing as often as work on it. They count only where no verb stands beside them. */
const nouns: readonly (readonly [RegExp, readonly Work[]])[] = [
  [/^(clon|provision|duplicat|copy|copi|replicat|creat|build)/, ['clone']],
  [/^(backup|backing|snap|increment|protect|dump)/, ['backup']],
  // The service's own word for backups is sync (spec §4.1); others call a reading of metadata so.
  [/^(sync|synchron|resync)/, ['backup', 'logs', 'refresh']],
];

/** Under which other names a service may do this work. */
const alsoCalled: Readonly<Partial<Record<Work, readonly Work[]>>> = {
  convert: ['clone'],
  disable: ['stop'],
  enable: ['start'],
  logs: ['backup'],
  mount: ['clone'],
  reset: ['restore'],
  share: ['clone'],
};

/**
 * Whether a service's words (`BACKUP_LOGS`, `snapshotDelete`, `Restoring`) speak of this work: `yes`, `no` where they speak
 * of other work, `open` where they speak of none that Dolly knows (`BUSY`, `TASK_7`).
 */
export function speaksOf(text: string, work: Work): 'yes' | 'no' | 'open' {
  const spoken = spokenOf(text);
  if (spoken.length === 0) return 'open';
  return [work, ...(alsoCalled[work] ?? [])].some(name => spoken.includes(name)) ? 'yes' : 'no';
}

/** The same of the word of a state: a record that is MOUNTED or RESTORED is nothing that is being done. */
export function stateSpeaksOf(word: string, work: Work): 'yes' | 'no' | 'open' {
  const said = partsOf(word).filter(part => !part.endsWith('ed'));
  return speaksOf(said.join(' '), work);
}

function spokenOf(text: string): readonly Work[] {
  const parts = partsOf(text);
  const meant = verbs.filter(([word]) => parts.some(part => word.test(part))).map(([, work]) => work);
  // RESTORE_LOG and DELETE_LOGS are no backups of logs.
  const acts = meant.length > 1 ? meant.filter(work => work !== 'logs') : meant;
  // START_BACKUP begins a backup.
  if (acts.length > 0 && acts.some(work => work !== 'start')) return acts;
  const named = nouns.filter(([word]) => parts.some(part => word.test(part)));
  // CREATE_SNAPSHOT makes no clone, CLONE_FROM_SNAPSHOT does.
  const backups = named.filter(([, works]) => works.includes('backup'));
  const meantNouns = backups.length > 0 && !/clon|provision|duplicat/i.test(text) ? backups : named;
  return [...acts, ...meantNouns.flatMap(([, works]) => works)];
}

/** Whether the key of a time or a counter (`lastRestoredAt`, `resetCount`) is about this very work, and about its end. */
export function isSignOf(key: string, work: Work): boolean {
  const parts = partsOf(key);
  return speaksOf(key, work) === 'yes' && !parts.some(part => notTheEnd.test(part));
}

const notTheEnd =
  /^(next|schedul|planned|start|begin|began|begun|attempt|fail|error|expir|until|retention|request|queued|source|from|to$|earliest|point|window|restorable|recoverable)/;

function partsOf(text: string): readonly string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
}
