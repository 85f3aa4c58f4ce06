import { lists, recordCall } from '../../api/call.ts';
import type { Identifier, Noun } from '../../api/identifiers.ts';
import { type Mention, mentionsIn } from '../../api/reading/mentions.ts';
import { readRecord } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk } from '../desk/desk.ts';
import { read, readRecords } from './reading.ts';

/** A record by its own GET, else from its place in the list; `undefined` where neither shows it. */
export async function readHolder(desk: Desk, owner: Owner, id: Identifier): Promise<RecordView | undefined> {
  const answer = await answerOf(desk, owner, id);
  const alone = answer === undefined ? undefined : readRecord(answer, id, desk.mapping);
  return alone ?? (await listed(desk, owner, id));
}

/**
 * What stands inside a record: the snapshots of a database, the installations and users of an environment. Of an
 * environment that shows none, those are known that databases on it use; another one's are never among them.
 */
export async function inside(desk: Desk, owner: Owner, id: Identifier, noun: Noun): Promise<readonly Mention[]> {
  const answer = await answerOf(desk, owner, id);
  const own = new Set(readRecord(answer, id)?.mentions.map(mention => mention.id.text));
  const labelled = mentionsIn(answer, noun).filter(mention => own.has(mention.id.text));
  if (labelled.length > 0) return labelled;
  const inList = (await listed(desk, owner, id))?.mentions.filter(mention => mention.id.noun === noun) ?? [];
  if (inList.length > 0 || id.noun !== 'environment') return inList;
  const databases = await read(desk, owner, lists.databases).catch(() => undefined);
  const { records } = await readRecords(desk, owner, ['live', 'clone']).catch(() => ({ records: [] }));
  const here = records.filter(({ environment }) => environment?.id.text === id.text);
  const used = new Set(here.flatMap(({ mentions }) => mentions.map(mention => mention.id.text)));
  return mentionsIn(databases, noun).filter(mention => used.has(mention.id.text));
}

async function answerOf(desk: Desk, owner: Owner, id: Identifier): Promise<unknown> {
  const call = recordCall(id);
  return (
    call &&
    (await read(desk, owner, call).catch((error: unknown) => {
      desk.log.info({ error, record: id.text }, 'a record could not be read for a picker');
    }))
  );
}

async function listed(desk: Desk, owner: Owner, id: Identifier): Promise<RecordView | undefined> {
  if (!id.noun) return undefined;
  const { records } = await readRecords(desk, owner, [id.noun]);
  return records.find(record => record.id.text === id.text);
}
