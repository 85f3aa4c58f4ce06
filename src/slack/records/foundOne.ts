import { type Noun, nounNames } from '../../api/identifiers.ts';
import { type Found, noneAmong } from '../../records/find.ts';
import { type Content, said } from '../blocks/message.ts';
import { code, plain } from '../blocks/mrkdwn.ts';

type FoundOne = Extract<Found, { type: 'one' }>;

/** The one record that typed words name; else what to say about them, with the `usage` where nothing is like them. */
export function foundOne(
  found: Found,
  { typed, nouns, usage }: Readonly<{ typed: string; nouns: readonly Noun[]; usage: string }>,
): FoundOne | Content {
  if (found.type === 'one') return found;
  const isUnlike = found.type === 'none' && found.close.length === 0;
  const next = found.type === 'several' ? ' Name one by its identifier.' : isUnlike ? ` ${usage}` : '';
  return said(`${notOne(found, typed, nouns)}${next}`);
}

/** Says in mrkdwn why a text does not name exactly one record. */
export function notOne(found: Exclude<Found, FoundOne>, text: string, nouns: readonly Noun[]): string {
  if (found.type === 'wrong') return plain(found.sentence, 500);
  if (found.type === 'several') {
    const ids = found.records.slice(0, 8).map(({ id, environment }) => {
      return `${code(id.text)}${environment?.label ? ` on ${plain(environment.label, 60)}` : ''}`;
    });
    return `${found.records.length} ${nounNames[nouns[0] ?? 'live'].many} are called ${code(text, 60)}: ${ids.join(', ')}.`;
  }
  const close = found.close.map(record => code(record.name ?? record.id.text, 60));
  const meant = close.length > 0 ? ` Did you mean ${close.join(' or ')}?` : '';
  return `${noneAmong(`Nothing is called ${code(text, 60)}`, found.among)}${meant}`;
}
