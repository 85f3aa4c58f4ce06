import type { World } from '../world.ts';
import type { Report } from './report.ts';
import { onStore } from './stoppedStore.ts';

/**
 * Reports on the permission of what deletes, by the rows in the store of a bot that does not run: nothing that people asked
 * for was sent, and no plan began, unless somebody approved it. What ends a lease has the rule's permission.
 */
export async function reportPermissions(earth: World, result: Report): Promise<void> {
  const jobs = await onStore(earth, store =>
    store
      .selectFrom('jobs')
      .select(['operation', 'target', 'state', 'sentAt', 'terms', 'decisions'])
      .where('operation', 'in', ['database.delete', 'database.teardown'])
      .where('plan', 'is', null)
      .execute(),
  );
  for (const { operation, target, state, sentAt, terms, decisions } of jobs) {
    const isBegun = sentAt !== null || state === 'running' || state === 'succeeded';
    const isAllowed = `${decisions}`.includes('"type":"approved"') || `${terms}`.includes('"lease":');
    if (isBegun && !isAllowed) result.untrue.push(`${operation} of ${target}: nobody approved it`);
  }
}
