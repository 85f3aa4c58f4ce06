import { type Noun, nounNames } from '../../../api/identifiers.ts';
import type { RecordList } from '../../../api/reading/recordList.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { isSignedOut, sentence } from '../../../ground/failure.ts';
import { mapInSlices } from '../../../ground/slices.ts';
import { capital } from '../../../ground/wording.ts';
import { learnFrom } from '../../../jobs/evidence/gather.ts';
import type { Owner } from '../../../store/vault.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';

/** Says how Dolly reads the records of some kinds, as one person sees them, and learns their state words. */
export async function kindReport(desk: Desk<'records' | 'jobs' | 'vocabulary'>, owner: Owner, nouns: readonly Noun[]) {
  const many = capital(nouns.map(noun => nounNames[noun].many).join(' and '));
  try {
    const list = await desk.records.of(owner).list(nouns);
    await learnFrom(desk, owner.team, list.records);
    return await describe(many, list);
  } catch (error) {
    if (isSignedOut(error)) throw error;
    return `*${many}*: ${plain(sentence(error), 500)}`;
  }
}

/**
 * Describes how Dolly reads a list: an example with the source of each fact, the states seen, and how to mend missing
 * facts.
 */
export async function describe(many: string, { records, cut: isCut }: RecordList): Promise<string> {
  const readFrom = await mapInSlices(records, record => Object.keys(record.readFrom));
  const max = Math.max(0, ...new Set(readFrom.map(({ length }) => length)));
  const example = records[readFrom.findIndex(({ length }) => length === max)];
  if (!example) return `*${many}*: the list is empty, or holds nothing that looks like ${code('<KIND>-<integer>')}.`;
  const { name, state, source, environment, port, error } = example;
  const shown = { name, state: state?.word, source: source?.id.text, environment: environment?.id.text, port, error };
  const facts = Object.entries(example.readFrom).flatMap(([fact, path]) => {
    const value = Object.entries(shown).find(([name]) => name === fact)?.[1];
    return path === undefined
      ? []
      : [`${fact} ${value === undefined ? '' : `${code(String(value), 60)} `}from ${code(path, 60)}`];
  });
  const missing = ['name', 'state'].filter(fact => !readFrom.some(facts => facts.includes(fact)));
  return [
    `*${many}*: ${records.length}${isCut ? ', and the service says that there are more' : ''}. For example ${code(example.id.text)}: ${facts.join(', ') || 'nothing but the identifier'}.`,
    statesSeen(records),
    ...missing.map(
      fact => `:warning: I find no ${fact}. If the records have one, name its path in ${code('RECORDS_FILE')}.`,
    ),
  ]
    .filter(Boolean)
    .join('\n');
}

function statesSeen(records: readonly RecordView[]): string {
  const words = new Map(records.flatMap(({ state }) => (state ? [[state.word, state.class] as const] : [])));
  if (words.size === 0) return '';
  const unknown = [...words].filter(([, known]) => known === 'unknown').map(([word]) => code(word, 40));
  const known = [...words]
    .filter(([, kind]) => kind !== 'unknown')
    .map(([word, kind]) => `${code(word, 40)} is ${kind}`);
  const mend =
    unknown.length > 0
      ? ` I do not know ${unknown.slice(0, 10).join(', ')}: say in ${code('RECORDS_FILE')} under ${code('states')} what they mean.`
      : '';
  return `States: ${known.slice(0, 20).join(', ')}.${mend}`;
}
