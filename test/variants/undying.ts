import { recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import { filled, inSandboxWords, type Variant } from './variant.ts';

/** How often a record is read before its deletion is seen to have failed. */
const patience = 3;

/** Accepts every deletion and fails it in the background: the record stays, and says why. */
export function undying(): Variant {
  const reads = new Map<string, number>();
  const accepts = () => Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });
  return {
    name: 'undying',
    meets(request) {
      const id = new URL(request.url).searchParams.get('input');
      if (id === null || request.method !== 'DELETE' || id === 'ORACLE_LIVE_DATABASE-3') return undefined;
      reads.set(id, 0);
      return accepts();
    },
    shows: record => {
      const id = stringOf(record.id);
      const read = reads.get(id);
      if (read !== undefined) reads.set(id, read + 1);
      const failed = read !== undefined && read >= patience;
      return filled({
        serverId: id,
        serverName: record.name,
        lifecycle: {
          phase: read !== undefined && !failed ? 'Deleting' : stringOf(record.state),
          lastTransitionMessage: failed ? 'kept' : undefined,
        },
        lastError: failed ? { message: 'cannot unmount /mnt: device is busy' } : record.error,
        hostEnvironment: record.environment,
        hostEnvironmentName: record.environmentName,
        source: record.sourceDatabase && { serverId: record.sourceDatabase, serverName: record.sourceDatabaseName },
        endpoint: record.port && { port: record.port },
        createTime: record.createdAt,
        restoreTime: record.restoredAt,
        snapshots: recordsOf(record.snapshots).map(({ id: snapshotId, name, createdAt }) => ({
          snapshotId,
          label: name,
          createTime: createdAt,
        })),
        installations: recordsOf(record.installs).map(({ id: installId, name }) => ({ installId, title: name })),
        users: recordsOf(record.environmentUsers).map(({ id: userId, name }) => ({ userId, username: name })),
      });
    },
    wraps: (entries, area) => ({ kind: `${area}List`, metadata: { remainingItemCount: 0 }, entries }),
    signs: jwt => Response.json({ user: { name: 'someone' }, jwt }),
    accepts,
    refuses: ({ status, message }) => Response.json({ kind: 'Status', code: status, reason: message }, { status }),
    ...inSandboxWords,
    endings: { ...inSandboxWords.endings, delete: ['Failed', 'cannot unmount /mnt: device is busy'] },
  };
}
