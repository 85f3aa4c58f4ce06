import type { Endpoint } from './endpoint.ts';
import { cloneEndpoints } from './endpoints/clones.ts';
import { databaseEndpoints } from './endpoints/databases.ts';
import { environmentEndpoints } from './endpoints/environments.ts';
import { newCloneEndpoints } from './endpoints/newClones.ts';
import { projectEndpoints } from './endpoints/projects.ts';
import { restoreEndpoint } from './endpoints/restore.ts';
import { snapshotEndpoints } from './endpoints/snapshots.ts';
import { userEndpoints } from './endpoints/users.ts';

/** The 31 endpoints of spec §4. */
export const endpoints: readonly Endpoint[] = [
  ...databaseEndpoints,
  ...snapshotEndpoints,
  ...newCloneEndpoints,
  ...cloneEndpoints,
  restoreEndpoint,
  ...environmentEndpoints,
  ...userEndpoints,
  ...projectEndpoints,
];
