import { typedIdentifier, type Vendor } from '../../api/identifiers.ts';
import { writeValues } from '../fields.ts';
import { type Field, fieldsFor, type JobOperation, type Values, vendorOf } from '../operation.ts';
import type { EarlierRequest, FormFacts, Neighbour } from './formFacts.ts';
import { afterPattern, firstPortNotIn, nextFreeName, type TellingWords } from './nextFree.ts';

/** The contents of a form: texts by field name. */
type Texts = Readonly<Record<string, string>>;

/**
 * The reason for a value that was filled in:
 * - `last`: the person chose it last for this target; `vendor`: last for another target of the vendor.
 * - `only`: there is no other choice.
 * - `others`: all other clones on the environment have it.
 * - `free`: it is the next free one, as far as records show.
 * - `pattern`: it follows the person's last one; `sibling`: it follows another clone of the source.
 * - `policy`: the policy says so where nobody says anything else.
 * - `latest`: it is the latest one; `safe`: so that the work can be taken back.
 * - `record`: the record that is made again shows it; `job`: Dolly's own job asked for it when it made that record.
 */
export const fillOrigins = [
  ...(['last', 'vendor', 'only', 'others', 'free', 'pattern', 'sibling', 'policy'] as const),
  ...(['latest', 'safe', 'record', 'job'] as const),
] as const;
export type FillOrigin = (typeof fillOrigins)[number];

/** Values that were filled into empty fields, by field, and the reason for each. */
type Prefilled = Readonly<{ texts: Texts; origins: Readonly<Record<string, FillOrigin>> }>;

type Filled = Readonly<{ text: string; origin: FillOrigin }>;
type WorkToFill = Readonly<{ operation: JobOperation; texts: Texts; facts: FormFacts }>;

/**
 * The values for the empty fields of a form, as far as facts suggest any. Fields with a text keep it. `fields` limits
 * it to some of the operation's fields.
 */
export function prefill(
  operation: JobOperation,
  texts: Texts,
  facts: FormFacts,
  isWanted: (field: Field) => boolean = () => true,
): Prefilled {
  const all: Record<string, string> = { ...texts };
  const filled: Record<string, string> = {};
  const origins: Record<string, FillOrigin> = {};
  // A choice of what to restore brings fields of its own, so the fields are asked for anew after each.
  for (const { name } of operation.fields) {
    const field = fieldsFor(operation, all).find(one => one.name === name);
    if (!field || all[name] || field.role === 'target' || !isWanted(field)) continue;
    const found = fillField({ operation, texts: all, facts }, field);
    if (!found || hidden.test(found.text) || !field.schema.safeParse(found.text).success) continue;
    all[name] = found.text;
    filled[name] = found.text;
    origins[name] = found.origin;
  }
  return { texts: filled, origins };
}

/** Characters that an input does not show: nobody would see what is sent. */
const hidden = /[^\P{C}\n\t]/u;

/** The next free port on the environment of the work; `undefined` where the records do not show enough. */
function nextFreePort(operation: JobOperation, texts: Texts, facts: FormFacts): number | undefined {
  const work = { operation, texts, facts };
  const { target, siblings = [] } = facts;
  const there = thereIn(work);
  const taken = new Set<number>();
  // A clone is often called by its source and its port: two of one source with one port would have one name.
  for (const { port } of [...(there ?? []), ...siblings]) if (port !== undefined) taken.add(port);
  // Records that show no port at all do not tell which one is free.
  const isShown = taken.size > 0 || target?.port !== undefined;
  if (!there || !isShown) return undefined;
  const models = modelsOf(work).filter(model => model.texts.port);
  const from = [
    Number(models.find(({ origin }) => origin === 'last')?.texts.port ?? 0),
    highestPort(siblings),
    Number(models[0]?.texts.port ?? 0),
    highestPort(alikeThere(work)),
    target?.port ?? 0,
  ].find(port => port > 0);
  return from === undefined ? undefined : firstPortNotIn(from, taken);
}

function highestPort(some: readonly Neighbour[]): number {
  return some.reduce((most, { port = 0 }) => Math.max(most, port), 0);
}

/** What is on the environment that the form names; `undefined` where that is not known. */
function thereIn({ operation, texts, facts }: WorkToFill): readonly Neighbour[] | undefined {
  const place = placeField(operation);
  return place !== undefined && texts[place] && texts[place] === facts.place ? facts.there : undefined;
}

function fillField(work: WorkToFill, field: Field): Filled | undefined {
  const { operation, texts, facts } = work;
  const same = facts.made?.texts[field.name];
  if (same) return { text: same, origin: facts.made?.fromJob.includes(field.name) ? 'job' : 'record' };
  if (facts.goesBackTo !== undefined && texts.backUpFirst !== 'false') {
    if (field.role === 'snapshot') return { text: facts.goesBackTo, origin: 'latest' };
    if (field.role === 'backUpFirst') return { text: 'true', origin: 'safe' };
  }
  const byPolicy = field.role && facts.byPolicy?.[field.role];
  if (byPolicy !== undefined) return { text: byPolicy, origin: 'policy' };
  // How long a clone is kept follows from nothing but the policy.
  if (field.role === 'keepFor') return undefined;
  switch (field.fill) {
    case 'never':
      return undefined;
    case 'port': {
      const port = nextFreePort(operation, texts, facts);
      return port === undefined ? undefined : { text: String(port), origin: 'free' };
    }
    case 'name':
      return field.name === nameField(work)?.name ? fillName(work, field) : fillAfter(work, field, []);
    case 'path':
      return fillPath(work, field);
    default:
      return chosenBefore(work, field) ?? onlyChoice(work, field) ?? asOthers(work, field);
  }
}

/** An earlier request that this one may be like. */
type Model = EarlierRequest & Readonly<{ origin: 'last' | 'vendor' }>;

/**
 * The earlier requests to fill from, the likest first: for this target, else for its vendor, and each time on this
 * environment first.
 */
function modelsOf({ operation, texts, facts }: WorkToFill): readonly Model[] {
  const [target, vendor] = [texts[operation.target], vendorOf(operation, texts)];
  const place = placeField(operation);
  const isHere = (request: EarlierRequest) => place !== undefined && request.texts[place] === texts[place];
  const of = (origin: Model['origin'], fits: (request: EarlierRequest) => boolean): Model[] => {
    const fitting = facts.earlier.filter(fits);
    return [...fitting.filter(isHere), ...fitting].map(request => ({ ...request, origin }));
  };
  const targetOf = (request: EarlierRequest) => request.texts[operation.target];
  return [
    ...of('last', request => targetOf(request) === target),
    ...of('vendor', request => targetOf(request) !== target && vendorOf(operation, request.texts) === vendor),
  ];
}

/** What the person chose last, if it can still be chosen. Seldom fields repeat only what was chosen for this target. */
function chosenBefore(work: WorkToFill, field: Field): Filled | undefined {
  if (field.fill === 'only' || field.role === 'snapshot' || field.sent === false) return undefined;
  const { operation, texts, facts } = work;
  const possible = facts.possible[field.name];
  const isPossible = ({ texts: before }: Model) =>
    possible
      ? possible.some(({ value }) => value === before[field.name])
      : Object.entries(field.dependsOn ?? {}).every(
          ([name, reason]) => reason === 'vendor' || before[name] === texts[name],
        );
  const [latest] = modelsOf(work);
  for (const model of field.seldom || field.widget.type === 'choice' ? [latest] : modelsOf(work)) {
    const text = model?.texts[field.name];
    if (!model || !text || !isPossible(model)) continue;
    if ((field.seldom || field.widget.type === 'choice') && model.origin !== 'last') continue;
    if (!isOfVendor(text, vendorOf(operation, texts))) continue;
    return { text, origin: model.origin };
  }
  return undefined;
}

function onlyChoice({ operation, texts, facts }: WorkToFill, field: Field): Filled | undefined {
  const vendor = vendorOf(operation, texts);
  const values =
    field.widget.type === 'choice'
      ? field.widget.options.filter(({ vendors }) => !vendors || (vendor && vendors.includes(vendor)))
      : facts.possible[field.name]?.filter(
          ({ value, of }) =>
            isOfVendor(value, vendor) && (of === undefined || !field.inside || of === texts[field.inside]),
        );
  const [only, ...others] = values ?? [];
  // A seldom field is left to the service, unless a person wants it.
  if (!only || others.length > 0 || (field.seldom && field.role !== 'snapshot')) return undefined;
  return { text: only.value, origin: 'only' };
}

/** The one of several choices that all clones of this vendor on the environment show. */
function asOthers({ operation, texts, facts }: WorkToFill, field: Field): Filled | undefined {
  const possible = facts.possible[field.name];
  if (!possible || !field.dependsOn || field.role) return undefined;
  const mentioned = new Set(alikeThere({ operation, texts, facts }).flatMap(({ mentions }) => mentions ?? []));
  const [one, ...others] = possible.filter(({ value }) => mentioned.has(value));
  return one && others.length === 0 ? { text: one.value, origin: 'others' } : undefined;
}

function fillName(work: WorkToFill, field: Field): Filled | undefined {
  const there = thereIn(work);
  const model = modelsOf(work).find(({ origin, texts }) => origin === 'last' && texts[field.name]);
  const last = model?.texts[field.name];
  const example = last ?? work.facts.siblings?.filter(isExample).findLast(({ name }) => name !== undefined)?.name;
  if (example === undefined || !there) return undefined;
  const taken = there.flatMap(({ name }) => name ?? []);
  return { text: nextFreeName(example, taken), origin: last === undefined ? 'sibling' : 'pattern' };
}

function fillPath(work: WorkToFill, field: Field): Filled | undefined {
  const there = thereIn(work);
  if (placeField(work.operation) !== undefined && !there) return undefined;
  return fillAfter(work, field, there?.flatMap(({ mountBase }) => mountBase ?? []) ?? []);
}

/** A text after the pattern of the person's last one, or of the source's other clones, that none of `taken` equals. */
function fillAfter(work: WorkToFill, field: Field, taken: readonly string[]): Filled | undefined {
  const { texts, facts } = work;
  const own = nameField(work)?.name;
  const is: TellingWords = { port: texts.port, name: own && texts[own], source: facts.target?.name };
  const isPath = field.fill === 'path';
  const source = facts.target?.isClone ? [facts.target] : [];
  const siblings = isPath
    ? [...(facts.siblings ?? []), ...source, ...alikeThere(work)].filter(
        one => isExample(one) && one.mountBase !== undefined,
      )
    : [];
  const examples = [
    ...modelsOf(work).map(({ texts: before, targetName, origin }) => ({
      text: before[field.name],
      was: { port: before.port, name: own && before[own], source: targetName },
      origin: origin === 'last' || isPath ? ('pattern' as const) : undefined,
    })),
    ...siblings.map(({ mountBase, port, name, sourceName }) => ({
      text: mountBase,
      was: { port: port?.toString(), name: own && name, source: sourceName },
      origin: 'sibling' as const,
    })),
  ];
  for (const { text, was, origin } of examples) {
    const made = text && origin && afterPattern(text, was, is);
    if (!made || !origin) continue;
    // A further name that does not follow the new one would be the last one's.
    if (!isPath && made === text) continue;
    const isShared = taken.filter(path => path === made).length > 1;
    return { text: isShared ? made : nextFreeName(made, taken, '-'), origin };
  }
  return undefined;
}

/** Whether a new clone may be like this one: nobody wants another where one has failed. */
function isExample({ isFailed }: Neighbour): boolean {
  return !isFailed;
}

/** The clones of the target's vendor on the environment of the work. */
function alikeThere(work: WorkToFill): readonly Neighbour[] {
  const vendor = vendorOf(work.operation, work.texts);
  return thereIn(work)?.filter(one => one.isClone && one.vendor === vendor) ?? [];
}

/** Whether a field must have another value for each record: its port, its name, its path. */
export function isUnique({ fill }: Pick<Field, 'fill'>): boolean {
  return fill === 'port' || fill === 'name' || fill === 'path';
}

/** The field that names the environment of the work, if that is not the target's own. */
export function placeField(operation: JobOperation): string | undefined {
  return operation.fields.find(({ role }) => role === 'environment')?.name;
}

/** What a request takes on the environment of its new record; `undefined` where it makes none there. */
export function takenBy(operation: JobOperation, values: Values) {
  const texts = writeValues(values);
  const on = texts[placeField(operation) ?? ''];
  if (!on) return undefined;
  const name = nameField({ operation, texts })?.name;
  const port = texts.port === undefined ? null : Number(texts.port);
  return { on, port, name: (name && texts[name]) ?? null, path: texts.mountBase ?? null };
}

/** The field that names the new record. */
export function nameField({ operation, texts }: Pick<WorkToFill, 'operation' | 'texts'>): Field | undefined {
  return fieldsFor(operation, texts).find(({ fill }) => fill === 'name');
}

function isOfVendor(value: string, vendor: Vendor | undefined): boolean {
  const own = typedIdentifier(value)?.vendor;
  return !vendor || !own || own === vendor;
}
