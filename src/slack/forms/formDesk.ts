import type { Inquirer } from '../../jobs/parts.ts';
import type { Desk, Doorkeeper, Greeter, Voice } from '../desk/desk.ts';

/** Reads what a last page shows: the facts, and what else a plan says and needs. */
export type PageReader = Inquirer & Desk<'records' | 'fieldRules' | 'log'>;

/** Fills forms from records. */
export type Filler = Desk<'requiredFields' | 'names' | 'clock' | 'log'> &
  Readonly<{ pages: PageReader & Desk<'names'> }>;

/** Fills forms from records, or offers a sign-in to read them with. */
export type FormFiller = Filler & Readonly<{ greeter: Greeter }>;

/** Draws forms that are open. */
export type FormDrawer = Filler & Voice & Desk<'people'>;

/** Changes forms that are open. */
export type FormChanger = FormFiller & FormDrawer & Desk<'credentials' | 'presets' | 'run'>;

/** Takes forms that were submitted, and keeps what they ask for. */
export type FormTaker = Filler & Doorkeeper & Voice & Desk<'jobs'>;
