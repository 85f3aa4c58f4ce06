import { zoneOrUtc } from '../../ground/zone.ts';
import { type PastReader, readPast } from '../../jobs/memory/readPast.ts';
import { type Content, said } from '../blocks/message.ts';
import { code } from '../blocks/mrkdwn.ts';
import type { Desk } from '../desk/desk.ts';
import type { Speaker } from '../desk/interaction.ts';
import { pastMessage } from './pastMessage.ts';

/** Shows the past of records. */
export type PastShower = PastReader & Desk<'names'>;

/** The past of what is or was called so; `undefined` where nothing is known of it that is for this person. */
export async function findPast(desk: PastShower, speaker: Speaker, typed: string): Promise<Content | undefined> {
  const [past, ...others] = await readPast(desk, speaker, typed);
  if (!past) return undefined;
  const zone = zoneOrUtc(await desk.people.zoneOf(speaker));
  return pastMessage(past, { zone, db: desk.names.db, others });
}

/** Answers who did what to a record. What nobody knows and what is for others is answered alike. */
export async function showPast(desk: PastShower, speaker: Speaker, words: readonly string[]): Promise<Content> {
  const typed = words.join(' ').trim();
  const { db } = desk.names;
  if (typed === '')
    return said(`Which one? Use ${code(`${db} history <name or identifier>`)}; deleted records work, too.`);
  return (await findPast(desk, speaker, typed)) ?? said(`${nothingFor(typed)} ${readers}`);
}

function nothingFor(typed: string): string {
  return `I know nothing about ${code(typed, 100)} that you may see.`;
}

const readers =
  'I show a record’s past to those who made it, held it, or asked for or decided something about it, to approvers, and in the channel of a message about it.';

/** Words of a question between “who” and the name. */
const asking = new Set(
  [
    'did do does has have had was were is the a an clone database db of for and last',
    'made make created holds held owns own owned asked approved denied deleted delete dropped removed killed restored',
  ].flatMap(line => line.split(' ')),
);

/** The name in “who deleted PAYDEV?”: what is left of the words behind “who” once those of the question are taken off. */
export function namedInQuestion(words: readonly string[]): readonly string[] {
  const [last = ''] = words.slice(-1);
  const whole = [...words.slice(0, -1), last.replace(/\?+$/, '')].filter(Boolean);
  const start = whole.findIndex((word, at) => at === whole.length - 1 || !asking.has(word.toLowerCase()));
  return start < 0 ? [] : whole.slice(start);
}
