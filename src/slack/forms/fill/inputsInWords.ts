import { listCall } from '../../../api/call.ts';
import { type Identifier, type Noun, typedIdentifier, type Vendor, vendorNames } from '../../../api/identifiers.ts';
import { closest } from '../../../ground/closest.ts';
import { isSignedOut, sentence } from '../../../ground/failure.ts';
import type { Inputs } from '../../../jobs/newJob.ts';
import { choiceIn, faultIn } from '../../../operations/fields.ts';
import { type Field, type JobOperation, type Operation, vendorOf } from '../../../operations/operation.ts';
import { find, isOneOf, type Named, type NamedList, partsAsList, unread } from '../../../records/find.ts';
import type { Owner } from '../../../store/vault.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import type { Desk } from '../../desk/desk.ts';
import { notOne } from '../../records/foundOne.ts';
import { sameFor } from '../../words/otherCommands.ts';
import { holdersOf } from '../pickers.ts';

/**
 * Reads the words after a command as inputs. An identifier that only another field can take goes to that field; the
 * rest is the target.
 */
export function namedIn(operation: JobOperation, rest: readonly string[]): Record<string, string> {
  const inputs: Record<string, string> = {};
  const target: string[] = [];
  for (const word of rest) {
    const id = typedIdentifier(word);
    const other = operation.fields.find(
      ({ role, widget }) => role === 'snapshot' && widget.type === 'record' && isOneOf(id, widget.nouns),
    );
    if (other && id) inputs[other.name] = id.text;
    else target.push(word);
  }
  return target.length > 0 ? { ...inputs, [operation.target]: target.join(' ') } : inputs;
}

/** Says that a field has two different values, one by its place and one by its name; `undefined` if none has. */
export function namedTwice(operation: Operation, rest: readonly string[], typed: Inputs): string | undefined {
  if (operation.type === 'read') return undefined;
  const placed = Object.entries(namedIn(operation, rest));
  for (const [name, value] of Object.entries(typed)) {
    const [, other] = placed.find(([field]) => field.toLowerCase() === name.toLowerCase()) ?? [];
    if (other !== undefined && other !== value)
      return `${code(other, 60)} and ${code(`${name}=${value}`, 80)} give two values for the same field, so I did nothing. Give only one.`;
  }
  return undefined;
}

/** The inputs that the operation knows, with a note for each input that it does not know or cannot use. */
export function knownInputs(operation: JobOperation, typed: Inputs): { inputs: Inputs; notes: string[] } {
  const inputs: Record<string, string> = {};
  const notes: string[] = [];
  for (const [name, value] of Object.entries(typed)) {
    const field = operation.fields.find(entry => entry.name.toLowerCase() === name.toLowerCase());
    if (!field) {
      const [close] = closest(name.toLowerCase(), operation.fields, entry => entry.name);
      notes.push(`There is no field ${code(name, 60)}.${close ? ` Did you mean ${code(close.name)}?` : ''}`);
      continue;
    }
    const text = choiceIn(field, value);
    const fault = field.widget.type === 'record' ? undefined : faultIn(field, text);
    if (fault) notes.push(`I cannot use ${code(`${name}=${value}`, 80)}. ${plain(fault)}`);
    else inputs[field.name] = text;
  }
  return { inputs, notes };
}

/**
 * The inputs, fitted to the target's vendor. A choice that only other vendors have becomes the target vendor's choice
 * of the same label; if there is none, it is left out, with a note.
 */
export function fitChoices(operation: JobOperation, inputs: Inputs): { inputs: Inputs; notes: string[] } {
  const vendor = vendorOf(operation, inputs);
  const fitting: Record<string, string> = { ...inputs };
  const notes: string[] = [];
  for (const { name, label, widget } of vendor ? operation.fields : []) {
    const chosen = widget.type === 'choice' && widget.options.find(({ value }) => value === inputs[name]);
    if (!chosen || !vendor || !chosen.vendors || chosen.vendors.includes(vendor)) continue;
    const own = widget.options.find(option => option.label === chosen.label && option.vendors?.includes(vendor));
    delete fitting[name];
    if (own) fitting[name] = own.value;
    else notes.push(`${plain(label)}: ${vendorNames[vendor]} has no ${code(chosen.value)}.`);
  }
  return { inputs: fitting, notes };
}

/** A record field with the text that was typed for it. */
export type Typed = { name: string; nouns: readonly Noun[]; text: string };

/** The record fields for which the person typed something. */
export function recordInputs(operation: JobOperation, inputs: Inputs): Typed[] {
  return operation.fields.flatMap(({ name, widget }) => {
    const text = inputs[name];
    return widget.type === 'record' && text !== undefined ? [{ name, nouns: widget.nouns, text }] : [];
  });
}

/** The record fields for which something was asked that cannot be used: nothing else may stand there in its place. */
export function leftEmpty(operation: JobOperation, asked: Inputs, usable: Inputs): string[] {
  return recordInputs(operation, asked).flatMap(({ name }) => (usable[name] === undefined ? [name] : []));
}

/** Texts that were typed for record fields of an operation. `known` are inputs that are found already, by field. */
type Lookup = Readonly<{ operation: JobOperation; typed: readonly Typed[]; known?: Inputs }>;

/**
 * Looks up the texts that were typed for record fields. A text without a record, or with several, becomes a note;
 * `near` are records that may have been meant. Parts of another record, such as a user of an environment, are looked
 * for in the record that is named beside them. `fault` is the first failure that prevented a look-up.
 */
export async function lookUp(desk: Desk<'records' | 'names'>, owner: Owner, { operation, typed, known = {} }: Lookup) {
  const inputs: Record<string, string> = {};
  const labels: Record<string, string> = {};
  const notes: string[] = [];
  const near: Named[] = [];
  let signedOut = false;
  let fault: unknown;
  const fieldOf = (name: string) => operation.fields.find(field => field.name === name);
  const isInner = ({ name }: Typed) => Number(Object.values(fieldOf(name)?.dependsOn ?? {}).includes('value'));
  for (const { name, nouns, text } of typed.toSorted((a, b) => isInner(a) - isInner(b))) {
    const chosen = { ...known, ...inputs };
    const field = fieldOf(name);
    const holder = field && holderOf(field, nouns, chosen);
    let found = find(text, nouns, unread);
    try {
      found = holder
        ? find(text, nouns, await namedInside(desk, owner, { holder, nouns, vendor: vendorOf(operation, chosen) }))
        : await desk.records.of(owner).find(text, nouns);
    } catch (error) {
      signedOut ||= isSignedOut(error);
      // A name goes to the notes; an identifier is used without the look-up.
      if (!isOneOf(typedIdentifier(text), nouns)) {
        fault ??= error;
        notes.push(`${plain(sentence(error))} I left ${code(`${name}=${text}`, 80)} for you to choose.`);
        continue;
      }
    }
    if (found.type === 'one') {
      inputs[name] = found.id;
      if (found.name) labels[found.id] = found.name;
    } else {
      const other = found.type === 'wrong' && name === operation.target ? found.noun : undefined;
      const hint = sameFor(desk.names.db, operation, other);
      const choose = found.type === 'several' ? ' Choose one below.' : '';
      notes.push(`${notOne(found, text, nouns)}${choose}${hint}`);
    }
    if (found.type === 'several') near.push(...found.records);
    if (found.type === 'none') near.push(...found.close);
  }
  return { inputs, labels, notes, near, signedOut, fault };
}

/** The record inside which a text is looked for. What has a list of its own is no part: a clone's source is a database. */
function holderOf(field: Field, nouns: readonly Noun[], chosen: Inputs): Identifier | undefined {
  return nouns.some(listCall) ? undefined : holdersOf(field, chosen)[0];
}

async function namedInside(
  desk: Desk<'records'>,
  owner: Owner,
  { holder, nouns, vendor }: Readonly<{ holder: Identifier; nouns: readonly Noun[]; vendor: Vendor | undefined }>,
): Promise<NamedList> {
  const seen = await Promise.all(nouns.map(noun => desk.records.of(owner).parts(holder, noun)));
  const parts = seen.flatMap(one => one.parts).filter(({ id }) => !vendor || !id.vendor || id.vendor === vendor);
  return partsAsList({ parts, cut: seen.some(({ cut }) => cut) });
}
