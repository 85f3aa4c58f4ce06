import type { Button, KnownBlock, Overflow, SectionBlock } from '@slack/types';
import { vendorNames } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isZoned } from '../../api/reading/times.ts';
import { maskValue } from '../../api/secrets/passwords.ts';
import { capital } from '../../ground/wording.ts';
import { obstaclesTo } from '../../operations/availability.ts';
import { catalogue } from '../../operations/catalogue.ts';
import {
  asksOnlyForTarget,
  type JobOperation,
  type Operation,
  type ReadOperation,
} from '../../operations/operation.ts';
import { isOneOf } from '../../records/find.ts';
import { actionsRow, context, foldBlock, mrkdwn, option, section } from '../blocks/blocks.ts';
import { cut, limits } from '../blocks/limits.ts';
import { type Content, message } from '../blocks/message.ts';
import { localTimes } from '../blocks/moments.ts';
import { bold, code, plain, unmasked } from '../blocks/mrkdwn.ts';
import { operationAction, operationMenu, runCommand } from '../words/commandActions.ts';
import { belongings, called, stateText, timeText } from './belongings.ts';

/** A record in a list: its name, its state, and a menu of its most wanted operations. */
export function recordRow(record: RecordView, note?: string): KnownBlock {
  return { ...recordLines(record, note), accessory: menu(record) };
}

/** A record in two lines: its name and identifier, then its vendor, state and environment. `note` is mrkdwn. */
export function recordLines(record: RecordView, note?: string): SectionBlock {
  const line = [
    record.vendor && vendorNames[record.vendor],
    stateText(record),
    record.environment && plain(record.environment.label ?? record.environment.id.text, 80),
  ];
  return section(
    `${bold(record.name ?? record.id.text, 120)}  ${code(record.id.text)}\n${line.filter(Boolean).join('  ·  ')}${note === undefined ? '' : `\n${note}`}`,
  );
}

/** The menu of a row: to show the record, and its most wanted operations. */
function menu(record: RecordView): Overflow {
  const show = showOf(record);
  const quick = offeredOperations(record).filter(operation => operation.quick);
  const offers = [...(show ? [show] : []), ...quick].slice(0, limits.overflow);
  const options = offers.map(operation =>
    option(operationMenu.write({ name: operation.name, record: record.id.text }), operationLabel(operation)),
  );
  return { type: 'overflow', action_id: operationMenu.id, options };
}

/** The operation that shows one record of this noun; `undefined` where the service has none. */
export function showOf({ id }: Pick<RecordView, 'id'>): ReadOperation | undefined {
  return catalogue
    .filter(entry => entry.type === 'read')
    .find(({ shows, nouns }) => shows === 'one' && isOneOf(id, nouns));
}

/** Whether the policy leaves an operation to a person. */
export type Allows = (operation: JobOperation) => boolean;

/**
 * One record with Dolly's reading of it, the things that belong to it, and its available operations.
 * @param neighbours the databases among which its clones are, or which are on or in it
 * @param allows the operations that the person may ask for
 * @param at the time of the reading, by which snapshots of no use are marked
 */
export function recordDetails(
  record: RecordView,
  neighbours: readonly RecordView[] = [],
  allows: Allows = () => true,
  at?: number,
): Content {
  const title = record.name ?? record.id.text;
  const made = record.createdFrom?.value;
  const rows: [string, string | undefined][] = [
    ['Identifier', code(record.id.text)],
    ['Vendor', record.vendor && vendorNames[record.vendor]],
    ['State', stateText(record)],
    ['Environment', record.environment && called(record.environment)],
    ['Source', record.source && called(record.source)],
    ['Project', record.project && called(record.project)],
    ['Port', record.port?.toString()],
    [
      'Created',
      record.createdAt === undefined ? undefined : timeText(record.createdAt, isZoned(made) ? undefined : made),
    ],
    ['Error', record.error && plain(record.error, 500)],
  ];
  const { id, name, vendor, state, environment, source, project, port, error } = record;
  const related = [environment, source, project].flatMap(other => [other?.id.text, other?.label]);
  const told = [id.text, name, vendor, state?.word, ...related, port, error, id.kind];
  const others = record.values.filter(
    ({ path, value }) => path !== record.readFrom.createdAt && !told.some(entry => String(entry) === value),
  );
  // Cards mask passwords. Here the person may have them.
  const isMasked = ({ path, value }: { path: string; value: string }) => maskValue(path, value) !== value;
  const secrets = others
    .filter(isMasked)
    .slice(0, 10)
    .map(({ path, value }) => `${plain(path, 40)} ${unmasked(value)}`);
  const values = others
    .filter(entry => !isMasked(entry))
    .slice(0, 15)
    .map(({ path, value }) => `${plain(path, 40)} ${oneTime.test(value) ? localTimes(value) : code(value, 100)}`);
  const actions = actionsFor(record, neighbours, allows);
  const known = [
    section(bold(title)),
    {
      type: 'section' as const,
      fields: rows
        .flatMap(([label, value]) => (value ? [mrkdwn(cut(`*${label}*\n${value}`, limits.fieldText))] : []))
        .slice(0, 10),
    },
    ...belongings(record, neighbours, at),
    ...(secrets.length > 0
      ? [context(cut(`With passwords, visible to you alone:  ${secrets.join('  ·  ')}`, limits.sectionText))]
      : []),
  ];
  const row = actionsRow(actions);
  return message([...known, ...row, ...foldBlock(also, values)], 'all', [
    ...known,
    ...(values.length > 0 ? [context(cut(`${also}:  ${values.join('  ·  ')}`, 1900))] : []),
    ...row,
  ]);
}

/** A value that is one time and nothing else, with its zone. */
const oneTime = /^[\d:.T-]{16,30}Z$/;

/** The title of the facts that Dolly shows as it found them. */
const also = 'Also in the record';

/** Buttons for the available operations of a record. A teardown is one where something depends on the record. */
function actionsFor(record: RecordView, neighbours: readonly RecordView[], allows: Allows) {
  const isOn = ({ source, environment }: RecordView) =>
    [source, environment].some(mention => mention?.id.text === record.id.text);
  const hasDependents = neighbours.some(isOn);
  const isWanted = (operation: JobOperation) =>
    hasDependents || operation.type !== 'plan' || operation.makes !== 'teardown';
  const nightly = record.id.noun === 'environment' && neighbours.some(one => one.id.noun === 'live' && isOn(one));
  const offers = offeredOperations(record)
    .filter(operation => isWanted(operation) && allows(operation))
    .map(operation =>
      operationAction(operation).button(
        operationLabel(operation),
        record.id.text,
        operation.typed ? { style: 'danger' } : {},
      ),
    );
  // The form of a schedule, for all that stands there.
  const words = `schedule backup env:${record.id.text}`;
  return nightly ? [runCommand.button('Back up nightly…', words, { suffix: 'nightly' }), ...offers] : offers;
}

/** The operations that change something and are available in the record's present state. */
export function offeredOperations(record: RecordView): JobOperation[] {
  return catalogue.filter(entry => entry.type !== 'read').filter(entry => obstaclesTo(entry, record).length === 0);
}

/** The label of an operation's button. An ellipsis says that a form follows. */
export function operationLabel(operation: Operation): string {
  const more = operation.type !== 'read' && (!asksOnlyForTarget(operation) || operation.warning);
  return `${shortName(operation)}${more ? '…' : ''}`;
}

/** The button that begins an operation on a record at once, or opens its form: “Back up now”, “Back up now: shop”. */
export function nowButton(operation: Operation, { id, name }: Readonly<{ id: string; name?: string }>): Button {
  const which = name === undefined ? '' : `: ${cut(name, 40)}`;
  return operationAction(operation).button(`${shortName(operation)} now${which}`, id, { suffix: id });
}

/** The operation in a word or two, as on buttons and above forms: "Clone", "Back up logs". */
export function shortName(operation: Operation): string {
  const own = operation.type !== 'read' ? operation.label : undefined;
  return own ?? capital(operation.words.at(-1) ?? '');
}
