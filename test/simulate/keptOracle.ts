import { begin } from './cast.ts';
import { mayBeLost } from './faults.ts';
import { isRestore, type Job, portOf } from './jobRows.ts';
import type { Facts, Found } from './oracles.ts';
import type { Deed } from './people.ts';

/* What must hold at the end of what people asked for: a closed form is a kept job, and one form makes one job (2, 3). */

/** Checks what people asked for. */
export function checkKept(
  { plan, deeds, service, network }: Pick<Facts, 'plan' | 'deeds' | 'service' | 'network'>,
  all: readonly Job[],
  found: Found,
): void {
  const anew = network.exchanges.filter(
    ({ body }) => /approval\.anew|job\.again/.test(body) && body.includes('block_actions'),
  ).length;
  const isKept = ({ isTaken, beganAt }: Deed) => isTaken && !mayBeLost(plan, beganAt - begin);
  for (const deed of deeds()) {
    const { act } = deed;
    const own = all.filter(job => isOf(job, act));
    const isAsked = ['clone', 'delete', 'restore', 'tear down'].includes(act.act);
    // Two acts may be about one record: a job is of either.
    const alike = plan.acts.filter(other => own.some(job => isOf(job, other))).length;
    if (isAsked && own.length > alike + anew) found('2 one job', `${act.act} ${act.id} made ${own.length} jobs`);
    if (isAsked && isKept(deed) && own.length === 0)
      found('3 kept', `${act.act} ${act.id} was taken, and there is no job`);
  }
  const typed = network.exchanges.filter(({ url, arrivedAt }) => url.pathname.endsWith('/slack/events') && arrivedAt);
  for (const record of new Set(plan.acts.flatMap(act => (act.act === 'back up' ? [act.record] : [])))) {
    const id = service.idOf(record);
    const own = all.filter(job => job.operation === 'database.backup' && job.target === id && job.schedule === null);
    // Slack may say the same once more; a button beside a job asks for another one like it.
    const asked = new Set(
      typed.flatMap(({ body }) => (body.includes(id) && /command|job\.a|view_sub/.test(body) ? body : [])),
    );
    if (own.length > asked.size)
      found('2 one job', `${asked.size} requests for backups of ${record} made ${own.length} jobs`);
  }

  function isOf(job: Job, act: Deed['act']): boolean {
    if (job.plan !== null) return false;
    if (act.act === 'tear down') return job.operation.endsWith('teardown') && job.target === service.idOf(act.record);
    if (act.act === 'clone' && job.operation !== 'clone.create') return false;
    if (act.act === 'clone') return portOf(job) === act.port;
    if (act.act === 'delete') return job.operation.endsWith('delete') && job.target === service.idOf(act.record);
    if (act.act === 'restore') return isRestore(job) && job.plan === null && job.target === service.idOf(act.record);
    return false;
  }
}
