import { z } from 'zod';
import { dayOrders } from '../../ground/timeText.ts';

const path = z.string().min(1, 'must be a path such as spec.displayName');
const Paths = z.strictObject({
  name: path.optional(),
  state: path.optional(),
  error: path.optional(),
  source: path.optional(),
  environment: path.optional(),
});
const words = z.array(z.string().min(1)).optional();

/**
 * An operator's corrections for a service whose records Dolly misreads (RECORDS_FILE): the places of facts in a record
 * of each kind, as dotted keys, the meanings of state words, and what comes first in a date such as 03/04/2026. All that is left
 * out is found as usual.
 */
export const Mapping = z.strictObject({
  database: Paths.optional(),
  environment: Paths.optional(),
  user: Paths.optional(),
  project: Paths.optional(),
  dates: z.enum(dayOrders, 'must be day-first or month-first').optional(),
  states: z.strictObject({ ok: words, busy: words, failed: words, stopped: words, disabled: words }).optional(),
});
export type Mapping = z.infer<typeof Mapping>;
export type Paths = z.infer<typeof Paths>;
