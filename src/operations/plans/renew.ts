import { parseIdentifier, typedIdentifier, type Vendor } from '../../api/identifiers.ts';
import { createClone, shareClone } from '../clones.ts';
import { backUpDatabase, deleteDatabase, mountSnapshot } from '../databases.ts';
import { type Field, type Values, vendorOf, type WriteOperation } from '../operation.ts';
import { keptBy, type PlannedSteps, planStep } from './plan.ts';

/** A clone as far as its record shows what it was made of. Identifiers are texts. */
export type RenewedClone = Readonly<{
  id: string;
  name?: string | undefined;
  source?: string | undefined;
  environment?: string | undefined;
  project?: string | undefined;
  port?: number | undefined;
  isPhysical?: boolean | undefined;
  /** Its other plain values, by the last key of their place in the record, in lower case. */
  values: Readonly<Record<string, string>>;
  /** The identifiers that it mentions outside of lists. */
  mentions: readonly string[];
}>;

/** Dolly's own job that made the clone. */
type MakingJob = Readonly<{ operation: string; values: Readonly<Record<string, string>> }>;

/** The kinds of clone, with the operation that makes each, by the value of the field `cloneType`. */
export const renewedKinds = [
  { value: 'VIRTUALCLONE', label: 'Virtual', maker: createClone },
  { value: 'PHYSICAL', label: 'Physical', maker: createClone },
  { value: 'SHARED', label: 'Shared', maker: shareClone },
  { value: 'MOUNTED', label: 'Mounted snapshot', maker: mountSnapshot },
] as const;

/** The fields of a renewal under their names in other operations. */
const sameField: Readonly<Record<string, string>> = { environment: 'targetEnvironment', database: 'sourceDatabase' };

/** The field of a renewal that is sent as this field of the operation that makes the clone. */
export function fieldOfRenewal(name: string): string {
  return sameField[name] ?? name;
}

/**
 * What is known of a clone for its renewal: the form's texts, the fields among them that only Dolly's own job shows, and
 * the labels of the fields that nothing shows.
 */
type KnownRenewal = Readonly<{
  inputs: Readonly<Record<string, string>>;
  fromJob: readonly string[];
  unknown: readonly string[];
}>;

/**
 * Collects how a clone was made: what its record shows now, else what Dolly's own job asked for. `unknown` are the
 * fields of its kind that neither shows; what the clone had there, only people know.
 */
export function knownRenewal(fields: readonly Field[], clone: RenewedClone, job: MakingJob | undefined): KnownRenewal {
  const own = ownInputs(fields, clone);
  const made = Object.fromEntries(
    Object.entries(job?.values ?? {})
      .filter(([name]) => name !== 'snapshot' && name !== 'keepFor' && name !== 'backUpFirst')
      .map(([name, value]) => [fieldOfRenewal(name), value]),
  );
  const kind = kindOf(clone, job);
  const inputs = { ...made, ...own, ...(kind === undefined ? {} : { cloneType: kind }), database: clone.id };
  const vendor = parseIdentifier(clone.id)?.vendor;
  const unknown = fields.filter(
    field =>
      field.role !== 'snapshot' &&
      field.sent !== false &&
      !(field.name in inputs) &&
      isOf(field, vendor) &&
      (!field.when?.cloneType || kind === undefined || field.when.cloneType.includes(kind)),
  );
  const fromJob = Object.keys(made).filter(name => own[name] === undefined);
  return { inputs, fromJob, unknown: job ? [] : unknown.map(({ label }) => label) };
}

function isOf({ vendors }: Field, vendor: Vendor | undefined): boolean {
  return !vendors || (vendor !== undefined && vendors.includes(vendor));
}

/** The texts of the fields that a clone's record shows. */
function ownInputs(fields: readonly Field[], clone: RenewedClone): Record<string, string> {
  const { name, source, environment, project, port, values, mentions } = clone;
  const ofNoun = (noun: string) => mentions.find(text => parseIdentifier(text)?.noun === noun);
  const vendor = parseIdentifier(clone.id)?.vendor;
  const plain = Object.fromEntries(
    fields
      .filter(field => isOf(field, vendor))
      .flatMap(field => {
        const value = values[field.name.toLowerCase()];
        const isPlain = field.widget.type === 'text' || field.widget.type === 'integer';
        return isPlain && value !== undefined && field.schema.safeParse(value).success ? [[field.name, value]] : [];
      }),
  );
  const shown = {
    sourceDatabase: source,
    targetEnvironment: environment,
    project,
    port: port?.toString(),
    environmentUser: ofNoun('environmentUser'),
    install: ofNoun('install'),
    ...(vendor === 'ORACLE' && plain.databaseName === undefined ? { databaseName: name } : {}),
  };
  const known = Object.entries(shown).flatMap(([field, value]) =>
    value === undefined ? [] : [[field, value] as const],
  );
  return { ...plain, ...Object.fromEntries(known) };
}

/** The kind of a clone: Dolly's job knows it best; a clone of a clone was shared. */
function kindOf({ source, isPhysical }: RenewedClone, job: MakingJob | undefined): string | undefined {
  if (job?.operation === mountSnapshot.name) return 'MOUNTED';
  if (job?.operation === shareClone.name || parseIdentifier(source ?? '')?.noun === 'clone') return 'SHARED';
  return isPhysical === undefined ? job?.values.cloneType : isPhysical ? 'PHYSICAL' : 'VIRTUALCLONE';
}

/** The operation that makes a clone of this kind. */
export function makerOf(kind: unknown): WriteOperation {
  return renewedKinds.find(({ value }) => value === kind)?.maker ?? createClone;
}

/**
 * Plans a renewal out of its checked values: a backup of the source if it was asked for, the deletion of the clone, and
 * its making, with the new snapshot, the chosen one, or the latest (spec §3, rule 4).
 */
export function planRenewal(values: Values, names: Readonly<Record<string, string>>): PlannedSteps {
  const { database, sourceDatabase, cloneType, backUpFirst, snapshot } = values;
  const source = typedIdentifier(String(sourceDatabase ?? ''));
  const maker = makerOf(cloneType);
  if (!source || source.text === database)
    return keptBy('sourceDatabase', 'Choose the database that it is a clone of.');
  if ((maker === shareClone) !== (source.noun === 'clone'))
    return maker === shareClone
      ? keptBy('sourceDatabase', 'A shared clone has a clone as its source. Choose that, or another type of clone.')
      : keptBy('sourceDatabase', 'The source is a clone, so choose the type “Shared”.');
  if (backUpFirst === true && snapshot !== undefined)
    return keptBy('snapshot', 'Leave it empty: the backup provides the snapshot.');
  const backup = backUpFirst === true && source.noun === 'live';
  const made = madeValues(maker, values, source.text);
  const brought = backup ? { snapshot: { step: 0, brings: 'snapshot' } as const } : {};
  const backups = backup ? [planStep(backUpDatabase, { database: source.text }, names)] : [];
  const deletion = planStep(deleteDatabase, { database: String(database ?? '') }, names);
  return { ok: true, steps: [...backups, deletion, planStep(maker, { ...made, ...brought }, names)] };
}

/** The values of the making operation out of those of the renewal. */
function madeValues(maker: WriteOperation, values: Values, source: string): Values {
  const vendor = vendorOf(maker, { [maker.target]: source });
  return Object.fromEntries(
    maker.fields.flatMap(field => {
      const { name, role } = field;
      const value = role === 'target' ? source : values[fieldOfRenewal(name)];
      return value === undefined || !isOf(field, vendor) || role === 'backUpFirst' ? [] : [[name, value] as const];
    }),
  );
}
