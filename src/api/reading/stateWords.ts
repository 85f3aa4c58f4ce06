import { keysOf } from '../../ground/keys.ts';
import { memoByKey, plainKey, splitWords } from './jsonTree.ts';
import type { Mapping } from './recordMapping.ts';

/**
 * The meanings of state words, which the specification does not show (spec §3). The first list with a matching word
 * decides: work in progress outweighs a lasting state.
 */
const stateWords = {
  failed: splitWords(
    'failed failure fail error errors errored err broken fault faulty crash crashed dead damaged aborted cancelled canceled rejected timeout timedout corrupt corrupted invalid unhealthy nothealthy notok nok unusable faulted fatal failing missing erreur echec echoue fehler fehlerhaft fehlgeschlagen gescheitert defekt fallo fallido errore fallito fout mislukt erro falha falhou',
  ),
  busy: splitWords(
    'queued inprogress progress backingup scheduled submitted busy notready notavailable unavailable unreachable new accepted being creation deletion transition underway rollback wartet wird ausstehend inarbeit encours enattente encurso pendiente',
  ),
  disabled: splitWords(
    'disabled disable inactive deactivated suspended blocked locked held onhold outofservice notenabled notactive deaktiviert gesperrt inaktiv desactive desactivee desactivado desactivada',
  ),
  stopped: splitWords(
    'stopped down offline shutdown closed terminated halted off paused notrunning notstarted notonline dormant angehalten gestoppt arrete arretee detenido detenida',
  ),
  ok: splitWords(
    'running active online ready open opened available ok okay enabled healthy normal started readwrite readonly completed complete done success successful succeeded finished created provisioned restored deployed live good green valid connected idle listening serving operating responding standing existing aktiv bereit actif enligne activo',
  ),
} as const;

/** Words with this meaning only as the whole state: in BACKUP_DONE and BACKING_UP they have another. */
const wholeWords = new Map<string, StateClass>([
  ...splitWords(
    'backup logbackup archive snapshot restore recovery clone copy duplicate sync refresh reset mount migration replication validation discovery conversion maintenance',
  ).map(word => [word, 'busy'] as const),
  ['up', 'ok'],
  ['on', 'ok'],
  ['close', 'stopped'],
]);

export type StateClass = keyof typeof stateWords | 'unknown';

const negations = ['not', 'no', 'nicht', 'pas', 'non'];

/** The class of a state word: `RUNNING` is ok, `CREATE_FAILED` is failed; unknown words stay unknown. */
export function stateClass(word: string, mapping: Mapping = {}): StateClass {
  const { states = {} } = mapping;
  const isMeant = (entry: string) => entry.toLowerCase() === word.toLowerCase();
  return keysOf(states).find(state => states[state]?.some(isMeant)) ?? usualClass(word);
}

const workGoesOn = /(?<!\b(no|not) )\b(operation|job|task|action|activity)s? ((is|are) )?(running|active|started)$/;

/** The same without an operator's own meanings. */
export const usualClass = memoByKey((word): StateClass => {
  const parts = partsOf(word);
  // "NOT RUNNING" and "un-available" count as one word each, not as the word behind the negation.
  const joined = parts.flatMap((part, at) =>
    negations.includes(part)
      ? [`${part}${parts[at + 1] ?? ''}`]
      : negations.includes(parts[at - 1] ?? '')
        ? []
        : [part],
  );
  const whole = parts.join('');
  const all = new Set([...joined, whole]);
  const known = keysOf(stateWords).find(state => stateWords[state].some(entry => all.has(entry)));
  if (known === 'failed' || known === 'busy') return known;
  // In "ACTIVE, operation running" it is the operation that runs.
  if (workGoesOn.test(parts.join(' '))) return 'busy';
  // A word in -ing is work in progress (VALIDATING), unless it is listed as a lasting state (RUNNING).
  const goesOn = joined.some(part => /^[a-z]{3,}ing$/.test(part) && !isNegated(part) && !isResting(part));
  return goesOn ? 'busy' : (known ?? wholeWords.get(whole) ?? 'unknown');
});

/** The words in a text, in plain lower-case letters: `CREATE_FAILED`, `createFailed` and `créé` alike. */
export function partsOf(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('under way', 'underway')
    .split(/[^a-z]+/)
    .filter(Boolean);
}

function isNegated(part: string): boolean {
  return negations.some(negation => part.startsWith(negation) && part.length > negation.length + 3);
}

function isResting(part: string): boolean {
  return keysOf(stateWords).some(state => state !== 'busy' && stateWords[state].includes(part));
}

/** Whether a word says that a database runs, and not only that it is there or well. */
export function saysThatItRuns(word: string): boolean {
  return /run|start|online|open|\bup\b/i.test(word);
}

/** Whether a word is the outcome of work or of a request rather than the state of a record. */
export function isOutcome(word: string): boolean {
  return outcomes.includes(plainKey(word));
}

const outcomes = splitWords(
  'success successful succeeded completed complete done finished successresult ok okay notfound',
);
