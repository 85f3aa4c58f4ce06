import type { z } from 'zod';
import type { Call } from '../api/call.ts';
import { type Identifier, type Noun, typedIdentifier, type Vendor } from '../api/identifiers.ts';
import { capital } from '../ground/wording.ts';
import type { Phrases } from './phrases.ts';
import type { Appears, Proof } from './proofs.ts';
import type { Work } from './work.ts';

/** The classes of state words (api/reading/stateWords.ts). */
type StateClass = 'ok' | 'busy' | 'failed' | 'stopped' | 'disabled' | 'unknown';

/** A database parameter as the service takes it (spec §2): a BOOLEAN is sent as the string `true` or `false`. */
export type DatabaseParam =
  | { name: string; type: 'STRING' | 'BOOLEAN'; value: string }
  | { name: string; type: 'NUMBER'; value: number };

/** The value of a field once it is checked. */
export type FieldValue = string | number | boolean | readonly DatabaseParam[];

/** Checked values by field name; a field that was left empty is absent. */
export type Values = Readonly<Record<string, FieldValue>>;

/** One of a few fixed values; `vendors` limits it to those. */
export type Choice = Readonly<{ value: string; label: string; description?: string; vendors?: readonly Vendor[] }>;

/** The input by which a field is asked for. Every widget yields a text, which the field's schema reads. */
export type Widget =
  | { type: 'record'; nouns: readonly Noun[] }
  | { type: 'choice'; options: readonly Choice[]; compact?: boolean }
  | { type: 'integer'; placeholder?: string }
  /** Something to tick, with the text beside it. */
  | { type: 'checkbox'; text: string }
  /** The name of a `part` is chosen among those that the target's record lists, or typed. */
  | {
      type: 'text';
      placeholder?: string;
      multiline?: boolean;
      part?: 'database' | 'table' | 'tablespace' | 'pdb';
      /** The usual times are offered, and any other can be typed. */
      suggests?: 'times';
    };

/**
 * The meaning of a field's value:
 * - `target`: the record on which the work is done. Its identifier decides the vendor. Each operation has one target.
 * - `kind`: the kind of the work. The operation's title says it, so nothing else repeats it.
 * - `environment`: the environment of the work, if that is not the target's own.
 * - `snapshot`: the snapshot of the target that is used, the latest one where none is named (spec §3, rule 4).
 * - `keepFor`: the time for which the new clone is kept. An operation with such a field makes a clone.
 * - `backUpFirst`: whether the live database is backed up first (plans/backUpFirst.ts).
 */
export type Role = 'target' | 'kind' | 'environment' | 'snapshot' | 'keepFor' | 'backUpFirst';

/** One input of a form, under its name in the specification. */
export type Field = Readonly<{
  name: string;
  /** At most 48 characters. */
  label: string;
  /** Explains the field; at most 150 characters. */
  hint?: string;
  widget: Widget;
  /** Reads the text that a person typed or chose; its error is one sentence that says what to do. */
  schema: z.ZodType<FieldValue, string>;
  /** Says what is doubtful of a value that is taken all the same (doubts.ts). */
  doubt?: (value: FieldValue, vendor: Vendor | undefined) => string | undefined;
  required?: boolean;
  /** It is required only where each of these other fields has one of the values. */
  requiredWith?: Readonly<Record<string, readonly string[]>>;
  /** The vendors that have this field; all of them where it is left out. */
  vendors?: readonly Vendor[];
  /** The nouns of the targets that have this field; all of them where it is left out. */
  targets?: readonly Noun[];
  /** The field is there only while each of these other fields has one of the values. */
  when?: Readonly<Record<string, readonly string[]>>;
  /** `false` for a field that only helps to choose and is no part of the request. */
  sent?: false;
  /** The meaning of the value for the operation, where Dolly has to know it. */
  role?: Role;
  /** The field that names the whole around a `part`: a table's database. */
  inside?: string;
  /** The field that takes the new snapshot of a backup that is made first. */
  feeds?: string;
  /** Fields whose change empties this one: any change of their `value`, or only one to another `vendor`. */
  dependsOn?: Readonly<Record<string, 'value' | 'vendor'>>;
  /** Whether few people need it: while it is empty, it stands behind “More options”. */
  seldom?: true;
  /** The way to fill it in beforehand; without one, it gets the person's last choice, or the only one. */
  fill?: Fill;
}>;

/**
 * The way to fill a field in beforehand (prefill.ts):
 * - `port`: the next free one on the environment.
 * - `name`: after the pattern of the person's last one. The first such field names the new record.
 * - `path`: after the pattern of the person's last one, or of the source's other clones.
 * - `only`: where there is only one choice. An earlier choice says nothing about this one.
 * - `never`: it stays empty.
 */
export type Fill = 'port' | 'name' | 'path' | 'only' | 'never';

/** The headings of the help, in its order. */
export const groups = ['Databases', 'Clones', 'Snapshots', 'Environments', 'Users', 'Projects'] as const;

/** The heading under which the help lists an operation: the noun in its name says it. */
export function groupOf({ name }: Pick<Operation, 'name'>): string {
  return capital(name.replace(/\..*/, 's'));
}

/** The properties of every operation. */
type Common = Readonly<{
  /** Unique, `noun.verb`: a form's callback_id and a job's operation. */
  name: string;
  /** The words after `/db`. */
  words: readonly string[];
  /** The slash command that it has to itself, by its key in the configuration. */
  shortcut?: 'clone' | 'restore';
  /** One line for help. */
  summary: string;
  /** Whether people may keep the values of its form as presets. */
  presets?: true;
  /** The step of Slack’s Workflow Builder that asks for it: its callback id, which never changes, and its title. */
  step?: Readonly<{ id: string; title: string }>;
}>;

/** Shows records at once: a list, or one record named by the words that follow. */
export type ReadOperation = Common &
  Readonly<{
    type: 'read';
    /** The nouns of the records that it shows. An identifier of another noun is refused. */
    nouns: readonly Noun[];
    /** Whether it shows the list, or one record, which the words after it name. */
    shows: 'one' | 'list';
  }>;

/** Asks the service to do something. It becomes a job, which ends when its proof is seen. */
export type WriteOperation = Common &
  Readonly<{
    type: 'write';
    /** The work of the service, by which records name it (work.ts). */
    work: Work;
    /** The name of the field whose role is `target`. */
    target: string;
    fields: readonly Field[];
    /** The name of the job, before "of" and the target's name: "Virtual clone". */
    title: (values: Values) => string;
    /** The name on buttons and above forms, where its last word does not say it: "Back up". At most 24 characters. */
    label?: string;
    /** The sentences of its messages. */
    phrases: Phrases;
    /** The button that asks for the same again once it is done; absent where nobody wants it a second time. */
    again?: string;
    /** Names of the operations that people want next, on the record that it made or else on its target. */
    next?: readonly string[];
    /** Names the harm to the target, on a last page. Such an operation never runs without its form. */
    warning?: (name: string, values: Values) => string;
    /** Words, in lower case, that people add where they mean another command, with the word of that command. */
    instead?: Readonly<Record<string, string>>;
    /** Whether it is only for virtual clones, and so not offered for a physical one. */
    onlyVirtual?: true;
    /** Whether people want it often, so that a list's menu offers it. */
    quick?: true;
    /** States of the target in which it changes nothing, so that it is not offered. */
    pointlessIn?: readonly StateClass[];
    /**
     * The sentence about the loss where it takes the target back to a snapshot. It is said where the records do not show
     * how much that is.
     */
    rewinds?: string;
    /** Whether the target's name must be typed on a last page. */
    typed?: true;
    /** Whether it deletes the target. Then the target's dependents are an obstacle (spec §3, rules 2 and 3). */
    deletes?: true;
    /** Whether it may run by the calendar. */
    schedulable?: true;
    /** Whether several may be asked for together, or only several clones (plans/batch.ts). */
    together?: true | 'clones';
    /** Its default policy: whether it waits for another person's approval, unless the policy says otherwise. */
    guarded?: true;
    /** Builds the request out of the checked values. */
    call: (target: Identifier, values: Values) => Call;
    /** The sign that proves it. */
    proof: Sign;
  }>;

/** The sign that proves an operation. A new record must be like the one that the values ask for. */
export type Sign =
  | Exclude<Proof, Appears>
  | Readonly<{ type: 'appears'; like: (source: Identifier, values: Values) => Appears }>;

/**
 * Asks for several things at once: it becomes a plan, whose steps are write operations (plans/plan.ts). The fields of
 * its form say what the steps follow from.
 */
export type PlanOperation = Omit<WriteOperation, 'type' | 'work' | 'call' | 'proof'> &
  Readonly<{
    type: 'plan';
    /** The function that makes its steps out of its form (plans/); of the others, whoever asks brings the steps. */
    makes?: 'teardown' | 'renewal';
    /** The operation whose form asks for it, where it has none of its own. */
    of?: string;
    /** Whether the default policy lets people run it alone on what they made through Dolly. */
    freeForMaker?: true;
    /** Whether no step waits for another one (plans/batch.ts). */
    isBatch?: true;
  }>;

/** An operation that a job can be about. */
export type JobOperation = WriteOperation | PlanOperation;

export type Operation = ReadOperation | JobOperation;

/** Declares an entry that becomes a job. @throws Error where no field has the role `target` */
export function defineWrite(entry: Omit<WriteOperation, 'type' | 'target'>): WriteOperation {
  return { ...entry, type: 'write', target: targetIn(entry) };
}

/** Declares an entry that becomes a plan. @throws Error likewise */
export function definePlan(entry: Omit<PlanOperation, 'type' | 'target'>): PlanOperation {
  return { ...entry, type: 'plan', target: targetIn(entry) };
}

function targetIn({ name, fields }: Pick<JobOperation, 'name' | 'fields'>): string {
  const target = fields.find(({ role }) => role === 'target');
  if (!target) throw new Error(`${name} has no field with the role target`);
  return target.name;
}

type Reads = Pick<ReadOperation, 'words' | 'nouns'> & Readonly<{ summaries: readonly [list: string, one: string] }>;

/** Declares the two entries that show records of a kind: the list of them, and one of them. */
export function defineReads(name: string, { words, summaries: [list, one], ...of }: Reads): readonly ReadOperation[] {
  return [
    { type: 'read', ...of, name: `${name}.list`, words: [...words, 'list'], summary: list, shows: 'list' },
    { type: 'read', ...of, name: `${name}.show`, words: [...words, 'show'], summary: one, shows: 'one' },
  ];
}

/** Proved by a new record, which must not contradict the request. */
export function appears(like: (source: Identifier, values: Values) => Appears): Sign {
  return { type: 'appears', like };
}

/** The proof of the operation when it is asked of this target with these values. */
export function proofOf({ proof }: Pick<WriteOperation, 'proof'>, target: Identifier, values: Values): Proof {
  return proof.type === 'appears' ? proof.like(target, values) : proof;
}

/** The fields of a form for the inputs so far, in order. Before the vendor is known, only those of all vendors. */
export function fieldsFor(operation: JobOperation, inputs: Readonly<Record<string, unknown>>): readonly Field[] {
  const { vendor, noun } = typedIdentifier(String(inputs[operation.target] ?? '')) ?? {};
  const areSo = (others: NonNullable<Field['when']>) =>
    Object.entries(others).every(([other, values]) => values.includes(String(inputs[other] ?? '')));
  const shown = operation.fields.filter(field => {
    if (field.vendors && !(vendor && field.vendors.includes(vendor))) return false;
    if (field.targets && !(noun && field.targets.includes(noun))) return false;
    return areSo(field.when ?? {});
  });
  return shown.map(field => (field.requiredWith && areSo(field.requiredWith) ? asRequired(field) : field));
}

const required = new WeakMap<Field, Field>();

/** The field as a required one: the same each time, since forms compare fields. */
function asRequired(field: Field): Field {
  const known = required.get(field) ?? { ...field, required: true };
  required.set(field, known);
  return known;
}

/** The vendor of the chosen target. */
export function vendorOf(operation: JobOperation, inputs: Readonly<Record<string, unknown>>): Vendor | undefined {
  return typedIdentifier(String(inputs[operation.target] ?? ''))?.vendor;
}

/** Whether an operation makes a clone, which may be kept for a while only. */
export function makesClone({ fields }: Pick<JobOperation, 'fields'>): boolean {
  return fields.some(({ role }) => role === 'keepFor');
}

/** Whether an operation makes a clone anew. */
export function isRenewal(operation: JobOperation): boolean {
  return operation.type === 'plan' && operation.makes === 'renewal';
}

/** Whether the request holds nothing but the target. */
export function asksOnlyForTarget(operation: JobOperation): boolean {
  return operation.fields.every(field => field.sent === false || field.name === operation.target);
}

export function sentValues(operation: JobOperation, values: Values): Values {
  const hidden = operation.fields.filter(field => field.sent === false).map(field => field.name);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !hidden.includes(name)));
}

export function targetNouns(operation: JobOperation): readonly Noun[] {
  const target = operation.fields.find(field => field.name === operation.target);
  return target?.widget.type === 'record' ? target.widget.nouns : [];
}
