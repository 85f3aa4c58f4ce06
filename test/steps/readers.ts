import { fieldErrorsIn } from '../../src/api/answers/fieldErrors.ts';
import { reasonIn } from '../../src/api/answers/reasonInPage.ts';
import { doubtsToken, refusalOf, standingIn } from '../../src/api/answers/refusals.ts';
import { sentenceIn } from '../../src/api/answers/serviceAnswer.ts';
import { tokensIn } from '../../src/api/answers/tokenInAnswer.ts';
import { type Identifier, parseIdentifier, typedIdentifier } from '../../src/api/identifiers.ts';
import { deniesErrors, readOutcome } from '../../src/api/reading/outcomes.ts';
import { readRecord } from '../../src/api/reading/recordList.ts';
import { usualClass } from '../../src/api/reading/stateWords.ts';
import { maskPasswords, maskSurePasswords, maskValue } from '../../src/api/secrets/passwords.ts';
import { quotesAny } from '../../src/api/secrets/secrets.ts';
import { faultToType } from '../../src/features/schedules/scheduleLines.ts';
import { readScheduleWords } from '../../src/features/schedules/scheduleWords.ts';
import { closest } from '../../src/ground/closest.ts';
import { canBeRead, foldings, looksLike } from '../../src/ground/lookalikes.ts';
import { readRhythm } from '../../src/ground/rhythmWords.ts';
import { readTime, saysNever, writeInOrder } from '../../src/ground/timeText.ts';
import { readZone } from '../../src/ground/zone.ts';
import { matchesPattern } from '../../src/jobs/approval/policy/pattern.ts';
import { jobOperation } from '../../src/operations/catalogue.ts';
import { readDatabaseParams } from '../../src/operations/fields.ts';
import { afterPattern, nextFreeName } from '../../src/operations/prefill/nextFree.ts';
import { readKeepFor } from '../../src/operations/requests/keepFor.ts';
import { complaintsIn } from '../../src/operations/serviceComplaints.ts';
import { speaksOf, stateSpeaksOf, works } from '../../src/operations/work.ts';
import { find, matches } from '../../src/records/find.ts';
import { identifiersIn, namedInText } from '../../src/records/inText.ts';
import { legible, withoutHidden, withoutMarkup } from '../../src/records/legible.ts';
import { readQuery } from '../../src/slack/audit/auditQuery.ts';
import { cut } from '../../src/slack/blocks/limits.ts';
import { withMentions } from '../../src/slack/blocks/mentionPeople.ts';
import { localTimes, partsByTime } from '../../src/slack/blocks/moments.ts';
import { code, plain } from '../../src/slack/blocks/mrkdwn.ts';
import { preformatted, richLine } from '../../src/slack/blocks/richText.ts';
import { spoken } from '../../src/slack/blocks/spoken.ts';
import { helpAbout } from '../../src/slack/commands/help.ts';
import { unknown } from '../../src/slack/commands/unknown.ts';
import { readMessage } from '../../src/slack/desk/message.ts';
import { readPresetText } from '../../src/slack/presets/presetText.ts';
import { textOfMessage } from '../../src/slack/shortcuts/messageText.ts';
import { commandOffer } from '../../src/slack/words/commandOffer.ts';
import { readCommand, writeCommand } from '../../src/slack/words/commandText.ts';
import { typedText } from '../../src/slack/words/typedText.ts';
import { withoutPasswords, withoutSignIn } from '../../src/slack/words/withoutPasswords.ts';
import { lexicon, ownCommands } from '../house.ts';

/** A reader of foreign text, of which it reads the first `longest` characters: its callers give it no more. */
export type Reader = Readonly<{ name: string; longest: number; read: (text: string) => unknown }>;

/** The longest command or message, of a value of the service, of a label. */
const typed = 4_000;
const value = 4_000;

const quotes = quotesAny(['hunter22secret']);
const answerOf = (text: string) => ({ status: 400, headers: {}, text, body: undefined });
const refused = (status: number, body: unknown) => refusalOf({ status, headers: {}, text: '', body }, quotes);
const clone = jobOperation('clone.create');
const live = identifier('MYSQL_LIVE_SERVER-1');
const someone = (text: string) => [{ id: live, name: text, environment: undefined }];
const listOf = (text: string) => ({ records: someone(text), cut: false });
const recordOf = (body: object) => readRecord({ id: live.text, ...body }, live);
const read = (name: string, longest: number, reading: (text: string) => unknown): Reader => ({
  name,
  longest,
  read: text => reading(text.slice(0, longest)),
});

/** Words of a service that no reader remembers yet. */
let unseen = 0;

function identifier(text: string): Identifier {
  const id = parseIdentifier(text);
  if (!id) throw new Error(`${text} is no identifier`);
  return id;
}

function orFailure(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

/** Facts of a record that its readers ask for, of which all come from one text. */
function factsOf(text: string): unknown {
  const told = { name: text, state: text, error: text, lastJob: text, lastBackup: text, createdAt: text, port: text };
  const record = recordOf({ ...told, environment: text, databases: text, tables: [text], lastRun: { state: text } });
  return (
    record && [
      ...[record.name, record.state, record.error, record.port, record.isPhysical, record.createdAt, record.source],
      ...[record.environment, record.times, record.counters, record.askedBy, record.reports, record.mentions],
      ...[record.parts, record.values, matches(record, ['x'])],
    ]
  );
}

/** A record with as many references as a text has characters, each beside its name. */
function manyReferences(text: string): unknown {
  const references = [...text].flatMap((_, at) => [
    [`part${at}Environment`, `MYSQL_ENVIRONMENT-${at + 1}`] as const,
    [`part${at}EnvironmentName`, `place ${at}`] as const,
  ]);
  const record = recordOf(Object.fromEntries(references));
  return record && [record.name, record.environment, record.mentions, record.values];
}

export const readers: readonly Reader[] = [
  read('readCommand', typed, readCommand),
  read('writeCommand', typed, text => writeCommand(readCommand(text))),
  read('withoutSignIn', typed, text => withoutSignIn(text, ownCommands)),
  read('withoutPasswords', typed, text => withoutPasswords(text, ownCommands)),
  read('typedText', typed, text => typedText(text, 'U0BOT')),
  read('typedText unknown bot', typed, text => typedText(text, undefined)),
  read('readMessage', 40_000, text =>
    readMessage({ team_id: 'T1', event: { type: 'message', channel: 'D1', user: 'U1', ts: '1.1', text } }),
  ),
  read('commandOffer', typed, text => commandOffer('x', 'y', text)),
  read('readScheduleWords', typed, text => readScheduleWords(readCommand(`schedule backup shop ${text}`))),
  read('readScheduleWords daily at', typed, text =>
    readScheduleWords(readCommand(`schedule backup shop every ${text}`)),
  ),
  read('readRhythm', typed, text => readRhythm({ every: text, at: text, on: text }, { zone: 'UTC', now: 0 })),
  read('readRhythm cron', typed, text => readRhythm({ cron: text }, { zone: 'UTC', now: 0 })),
  read('readZone', typed, readZone),
  read('readKeepFor', typed, readKeepFor),
  read('readQuery', 1_000, text => orFailure(() => readQuery(text, 0, { person: 'U1', isForAll: true }))),
  read('readDatabaseParams', typed, readDatabaseParams),
  read('readDatabaseParams value', typed, text => readDatabaseParams(`a=${text}`)),
  read('readDatabaseParams number', typed, text => readDatabaseParams(`a=1.${text}`)),
  read('readPresetText', 2_500, text => clone && readPresetText(clone, text, {})),
  read('helpAbout', typed, text => helpAbout(lexicon, readCommand(text).words)),
  read('unknown', typed, text => unknown(lexicon, readCommand(text))),
  read('closest', typed, text => closest(text, ['shop', 'orders-3310'], one => one)),
  read('find', typed, text => find(text, ['live'], listOf('shop-users'))),
  read('find in names', value, text => find('shop', ['live'], listOf(text))),
  read('find both', value, text => find(text, ['live'], listOf(`${text}x`))),
  read('identifiersIn', 100_000, identifiersIn),
  read('namedInText', 100_000, text => namedInText(text, someone('shop'))),
  read('namedInText names', 4_000, text => namedInText(text.repeat(4), someone(text))),
  read('textOfMessage', 100_000, text => textOfMessage({ text })),
  read('legible', value, legible),
  read('withoutHidden', value, withoutHidden),
  read('withoutMarkup', value, withoutMarkup),
  read('plain', value, text => plain(text)),
  read('plain long', value, text => plain(text, 10_000)),
  read('code', value, text => code(text)),
  read('cut', value, text => cut(text, 100)),
  read('localTimes', value, localTimes),
  read('partsByTime', value, partsByTime),
  read('withMentions', value, text => withMentions(text, ['S0ABC'])),
  read('preformatted', value, text => preformatted(text, 3_000)),
  read('richLine', value, text => richLine([text], 3_000)),
  read('spoken', value, text => spoken([{ type: 'section', text: { type: 'mrkdwn', text } }])),
  read('faultToType', typed, faultToType),
  read('maskPasswords', value, maskPasswords),
  read('maskSurePasswords', value, maskSurePasswords),
  read('maskValue', value, text => maskValue('a.b', text)),
  read('quotes', value, quotes),
  read('quotes short', value, quotesAny(['abc'])),
  read('foldings', value, foldings),
  read('looksLike', value, text => looksLike(text, 'ana')),
  read('canBeRead', value, canBeRead),
  read('matchesPattern', value, text => matchesPattern('*a*b*c', text)),
  read('usualClass', value, text => usualClass(`${text} ${unseen++}`)),
  read('readOutcome', value, text => readOutcome(`${text} ${unseen++}`)),
  read('readOutcome after', value, text => readOutcome(`${unseen++} with ${text}`)),
  read('deniesErrors', value, text => deniesErrors(`no ${text} ${unseen++}`)),
  read('readTime', value, readTime),
  read('readTime of a date', value, text => readTime(`2026-11-01 ${text}`)),
  read('writeInOrder', value, text => writeInOrder(`3/4/2026 ${text}`, 'day-first')),
  read('saysNever', value, saysNever),
  read('typedIdentifier', value, typedIdentifier),
  read('nextFreeName', value, text => nextFreeName(text, [text])),
  read('afterPattern', value, text => afterPattern(text, { port: '3310', name: 'a' }, { port: '3311', name: 'b' })),
  read('afterPattern of', value, text =>
    afterPattern('a-3310', { port: '3310', name: text, source: undefined }, { port: '3311', name: text }),
  ),
  read('speaksOf', value, text => speaksOf(text, works.backup)),
  read('stateSpeaksOf', value, text => stateSpeaksOf(text, works.backup)),
  read('complaintsIn', 1_100, text => clone && complaintsIn(`x: “${text}”`, { operation: clone, values: { port: 1 } })),
  read('refusal', 40_000, text => refusalOf(answerOf(text), quotes)),
  read('refusal 401', 40_000, text => refusalOf({ ...answerOf(text), status: 401 }, quotes)),
  read('refusal body', 40_000, text => refused(400, { message: text, errors: [text] })),
  read('refusal fields', 40_000, text => refused(400, { errors: { port: text, name: [text] }, error: text })),
  read('refusal bare', 40_000, text => refused(400, { port: text, name: [text] })),
  read('doubtsToken', 40_000, text => doubtsToken(answerOf(text))),
  read('standingIn', 40_000, text => standingIn({ ...answerOf(text), status: 403 })),
  read('tokensIn', 40_000, text => tokensIn(answerOf(text))),
  read('tokensIn body', 40_000, text =>
    tokensIn({ status: 200, headers: {}, text: '', body: { token: text, x: text } }),
  ),
  read('sentenceIn', 40_000, text => sentenceIn({ text, body: undefined })),
  read('fieldErrorsIn', 40_000, text => fieldErrorsIn({ port: text })),
  read('fieldErrorsIn list', 40_000, text =>
    fieldErrorsIn({ errors: Array.from({ length: 20 }, (_, at) => ({ field: text, message: `${at} ${text}` })) }),
  ),
  read('reasonIn', 40_000, reasonIn),
  read('reasonIn page', 40_000, text => reasonIn(`<html>${text}`)),
  read('a record of one text', 10_000, factsOf),
  read('a record with many references', 1_000, manyReferences),
];

/** Readers whose steps grow faster than the text. */
export const slow: readonly Reader[] = [
  read('a search that begins anew at each blank', value, text => /\s+$/.exec(text)),
  read('a loop in a loop', value, text => [...text].map(one => [...text].filter(other => other === one))),
  read('a list that is looked through for each element', value, text =>
    [...text].map((_, at, all) => all.includes(`${at}`)),
  ),
];
