import type { Vendor } from '../../api/identifiers.ts';
import type { Role } from '../operation.ts';

/** The contents of a form: texts by field name. */
type Texts = Readonly<Record<string, string>>;

/** A record, or a part of one, that a field may name. */
export type PossibleValue = Readonly<{
  value: string;
  label?: string | undefined;
  /** The part around it: a table's database. */
  of?: string | undefined;
}>;

/** A request that the person made before, as the texts of its form. */
export type EarlierRequest = Readonly<{ texts: Texts; targetName: string | undefined }>;

/** A database or a clone, as far as its record shows it. */
export type Neighbour = Readonly<{
  isClone: boolean;
  /** Whether it failed: it takes its port and its name, and is no example for others. */
  isFailed?: boolean;
  vendor: Vendor | undefined;
  name?: string | undefined;
  sourceName?: string | undefined;
  port?: number | undefined;
  mountBase?: string | undefined;
  /** The identifiers that stand in its record. */
  mentions?: readonly string[];
}>;

/** The facts from which a form is filled in. What could not be read is absent. */
export type FormFacts = Readonly<{
  /** The person's earlier requests of the same operation, the latest first. */
  earlier: readonly EarlierRequest[];
  /** All values that a field may have, by field. */
  possible: Readonly<Record<string, readonly PossibleValue[]>>;
  /** The environment of the work; without one, nothing is known of a place. */
  place?: string | undefined;
  /** The databases and clones on that environment, and those that are being made there without a record yet. */
  there?: readonly Neighbour[] | undefined;
  /** Whether the list of databases was cut: what seems free may be taken. */
  isCut?: boolean | undefined;
  /** The clones of the source, wherever they are. */
  siblings?: readonly Neighbour[] | undefined;
  /** The target itself. */
  target?: Neighbour | undefined;
  /** What the policy fills in where nobody says anything else, by the role of the field. */
  byPolicy?: Readonly<Partial<Record<Role, string>>> | undefined;
  /** The latest snapshot of the target, where a backup can be made before the target goes back to it. */
  goesBackTo?: string | undefined;
  /** How the clone was made that is to be made again. */
  made?: MadeBefore | undefined;
}>;

/** How a record was made: texts by field, and the fields among them that its record does not show. */
type MadeBefore = Readonly<{ texts: Texts; fromJob: readonly string[] }>;
