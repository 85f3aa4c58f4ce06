import { existsSync, readFileSync } from 'node:fs';
import { type Noun, nounNames, typedIdentifier } from './api/identifiers.ts';
import { parseListJson } from './api/reading/faultyJson.ts';
import { readList, readRecord } from './api/reading/recordList.ts';
import { ConfigFault, readMapping } from './app/config/config.ts';
import { systemClock } from './ground/clock.ts';
import { codeOf } from './ground/failure.ts';
import { parseJson } from './ground/json.ts';
import { counted } from './ground/wording.ts';
import { countWords, describeRecord, describeWords } from './jobs/mapping/describeReading.ts';

/* npm run records:check <file with a GET's answer> [identifier] */

const nouns: readonly Noun[] = ['live', 'clone', 'environment', 'project', 'user'];
/** Max records that are told one by one. */
const most = 5;

if (existsSync('.env')) process.loadEnvFile('.env');
try {
  const [file, asked] = process.argv.slice(2);
  if (file === undefined)
    throw new ConfigFault('Name a file with the answer to a GET: npm run records:check answer.json');
  const mapping = readMapping(process.env);
  const text = textOf(file);
  const id = asked === undefined ? undefined : typedIdentifier(asked);
  if (asked !== undefined && !id)
    throw new ConfigFault(`${asked} is not an identifier. One looks like MYSQL_LIVE_SERVER-1.`);
  const body = parseJson(text) ?? parseListJson(text, nouns);
  if (body === undefined)
    throw new ConfigFault(`${file} is not JSON, and I cannot read records from it in spite of that.`);
  const one = id && readRecord(body, id, mapping);
  const { records, cut } = id ? { records: one ? [one] : [], cut: false } : readList(body, nouns, mapping);
  if (records.length === 0)
    throw new ConfigFault(
      `I find no record in ${file}. If it does not repeat its identifier, add that after the file: npm run records:check ${file} MYSQL_LIVE_SERVER-1`,
    );
  const kinds = [...Map.groupBy(records, record => record.id.noun)].map(([noun, { length }]) =>
    noun ? counted(length, nounNames[noun].one.replace(/^an? /, ''), nounNames[noun].many) : `${length}`,
  );
  const told = Object.keys(mapping).length === 0 ? 'no RECORDS_FILE, so all of it is guessed' : 'with RECORDS_FILE';
  const lines = records.slice(0, most).flatMap(record => ['', ...describeRecord(record, mapping, systemClock.now())]);
  console.log(
    [
      `${file}: ${kinds.join(', ')}; ${told}.`,
      ...(cut ? ['There are more records than were read: the answer says so, or part of it is not JSON.'] : []),
      ...lines,
      '',
      ...(records.length > most ? [`${records.length - most} more records are not shown one by one.`] : []),
      ...describeWords(countWords(records)),
    ].join('\n'),
  );
} catch (error) {
  if (!(error instanceof ConfigFault)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const code = codeOf(error);
    throw new ConfigFault(
      code === 'ENOENT' ? `There is no file at ${file}.` : `The file at ${file} cannot be read (${code}).`,
    );
  }
}
