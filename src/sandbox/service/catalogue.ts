import type { Endpoint } from './endpoint.ts';
import { cloneEndpoints } from './endpoints/clones.ts';
import { databaseEndpoints } from './endpoints/databases.ts';
import { directoryEndpoints } from './endpoints/directory.ts';
import { environmentEndpoints } from './endpoints/environments.ts';

/** The 31 endpoints of spec §4. Fixed paths come before those with {id}, which would take them. */
export const endpoints: readonly Endpoint[] = [
  ...databaseEndpoints,
  ...cloneEndpoints,
  ...environmentEndpoints,
  ...directoryEndpoints,
].toSorted((one, other) => Number(one.takes === 'path') - Number(other.takes === 'path'));
