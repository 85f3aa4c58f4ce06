import { begin } from './cast.ts';
import { mayBeLost } from './faults.ts';
import { isRestore, type Job, portOf } from './jobRows.ts';
import { toldTo } from './messageOracle.ts';
import type { Facts, Found } from './oracles.ts';
import type { Deed } from './people.ts';

/* What must hold at the end of what people asked for: a closed form is a kept job, and one form makes one job (2, 3). */

/** Checks what people asked for. */
export function checkKept(
  { plan, deeds, service, slack }: Pick<Facts, 'plan' | 'deeds' | 'service' | 'slack'>,
  all: readonly Job[],
  found: Found,
): void {
  const isKept = ({ isTaken, beganAt }: Deed) => isTaken && !mayBeLost(plan, beganAt - begin);
  for (const deed of deeds()) {
    const { act } = deed;
    const own = all.filter(job => isOf(job, act));
    const isAsked = ['clone', 'delete', 'restore', 'tear down'].includes(act.act);
    if (isAsked && own.length > 1) found('2 one job', `${act.act} ${act.id} made ${own.length} jobs`);
    if (isAsked && isKept(deed) && own.length === 0)
      found('3 kept', `${act.act} ${act.id} was taken, and there is no job`);
  }
  for (const record of new Set(plan.acts.flatMap(act => (act.act === 'back up' ? [act.record] : [])))) {
    const asked = deeds().filter(({ act }) => act.act === 'back up' && act.record === record);
    const own = all.filter(job => job.operation === 'database.backup' && job.target === service.idOf(record));
    const answered = asked.filter(deed => isAnswered(deed)).length;
    if (own.length > asked.length) found('2 one job', `${asked.length} backups of ${record} made ${own.length} jobs`);
    if (own.length + answered < asked.filter(isKept).length)
      found(
        '3 kept',
        `backups of ${record} were acknowledged, and there are ${own.length} jobs and ${answered} answers`,
      );
  }

  /** Whether a person was told something after a deed of theirs. */
  function isAnswered({ act, beganAt }: Deed): boolean {
    const name = 'who' in act ? act.who.toLowerCase() : '';
    const person = slack.slack.workspace.people.find(one => one.name === name)?.id;
    return person !== undefined && toldTo(slack, person).some(({ at }) => at >= beganAt);
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
