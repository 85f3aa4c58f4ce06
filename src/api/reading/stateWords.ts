import { isKeyOf, keysOf } from '../../ground/keys.ts';
import { meaningIn, withoutMeaning } from '../../ground/wording.ts';
import { memoByKey, splitWords } from './jsonTree.ts';
import { type Phrase, readPhrase } from './phrases.ts';
import { type Mapping, type outcomeNames, workNames } from './recordMapping.ts';

/** Words that say of a record and of work alike that something goes on. */
export const wordsOfWork = splitWords(
  'queued enqueued inprogress progress inprocess backingup scheduled submitted dispatched busy new accepted being underway rollback wartet wird ausstehend inarbeit encours enattente encurso pendiente',
);

/**
 * The meanings of words for the state of a record, which the specification does not show (spec §3). The first list with a
 * matching word decides: work in progress outweighs a lasting state.
 */
export const stateWords = {
  failed: splitWords(
    'failed failure failures fail error errors errored err broken fault faulty crash crashed dead damaged abort aborted cancelled canceled rejected timeout timedout corrupt corrupted invalid unhealthy nothealthy notok nok unusable faulted fatal failing missing erreur echec echoue fehler fehlerhaft fehlgeschlagen gescheitert defekt fallo fallido errore fallito fout mislukt erro falha falhou',
  ),
  busy: [...wordsOfWork, ...splitWords('notready notavailable unavailable unreachable notreachable')],
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

/** Nouns of work, which goes on where no word says that it is over: CREATION, IN_TRANSITION. */
export const nounsOfWork = splitWords('creation deletion transition');

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

/** The class of a state word: `RUNNING` is ok, `CREATE_FAILED` is failed; unknown words stay unknown. */
export function stateClass(word: string, mapping: Mapping = {}): StateClass {
  const { states = {} } = mapping;
  const bare = withoutMeaning(word).toLowerCase();
  const isMeant = (entry: string) => entry.toLowerCase() === bare;
  return keysOf(states).find(state => states[state]?.some(isMeant)) ?? usualClass(word);
}

const workGoesOn = /(?<!\b(no|not) )\b(operation|job|task|action|activity)s? ((is|are) )?(running|active|started)$/;

/** The same without an operator's own meanings. */
export const usualClass = memoByKey((word): StateClass => {
  const meant = classMeant(meaningIn(word));
  if (meant) return meant;
  const phrase = readPhrase(word);
  const known = phrase.hasErrors ? 'failed' : keysOf(stateWords).find(state => names(phrase, stateWords[state]));
  if (known === 'failed' || known === 'busy') return known;
  // In "ACTIVE, operation running" it is the operation that runs.
  if (workGoesOn.test(phrase.words.join(' '))) return 'busy';
  if (phrase.isWork && !phrase.words.some(isResting)) return 'busy';
  if (known === undefined && names(phrase, nounsOfWork)) return 'busy';
  // What holds for a part alone is not known of the whole.
  if (known !== undefined) return phrase.isPartial ? 'unknown' : known;
  return wholeWords.get(phrase.whole) ?? 'unknown';
});

/** The class of a state whose word was said to mean a work, which goes on then, or an outcome. */
function classMeant(meaning: string | undefined): StateClass | undefined {
  if (meaning === undefined) return undefined;
  return isKeyOf(ofOutcomes, meaning)
    ? ofOutcomes[meaning]
    : workNames.some(name => name === meaning)
      ? 'busy'
      : undefined;
}

const ofOutcomes = { done: 'ok', partial: 'unknown', failed: 'failed', busy: 'busy' } as const satisfies Record<
  (typeof outcomeNames)[number],
  StateClass
>;

/** Whether a phrase has one of the words, alone or as two of its words together. */
export function names({ terms }: Phrase, words: readonly string[]): boolean {
  return words.some(word => terms.has(word));
}

const isResting = (word: string) =>
  /ing$/.test(word) && keysOf(stateWords).some(state => state !== 'busy' && stateWords[state].includes(word));

/** Words that leave no doubt; others are believed once they are seen twice. */
const plainWords = {
  failed: splitWords('failed failure error broken corrupt corrupted faulted'),
  disabled: splitWords('disabled isdisabled'),
} as const;

/** Whether a word says for certain that a record has failed, or is disabled. */
export function saysPlainly(word: string, state: keyof typeof plainWords): boolean {
  return names(readPhrase(word), plainWords[state]);
}

/** Whether a word says that a database runs, and not only that it is there or well. */
export function saysThatItRuns(word: string): boolean {
  return /run|start|online|open|\bup\b/i.test(word);
}
