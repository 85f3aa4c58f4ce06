import { thisMoment, wasSetSince } from '../../ground/clock.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import type { Execution } from '../../store/tables/executionRows.ts';
import type { Desk } from '../desk/desk.ts';
import { takeExecutionOn } from './stepOfExecution.ts';

/** Max executions that one process works on at once. */
const maxAtOnce = 20;

/**
 * Works on the executions of workflows’ steps that are due. Each is taken by one process; a step that was done by half
 * when a process was killed is done again from the store, where the second time changes nothing.
 */
export function workOnExecutions(desk: Desk): Loop {
  const { executions, clock, log } = desk;
  const inHand = new Set<string>();
  const renewLocks = lockRenewal(clock, until => executions.renew([...inHand], until));
  let before = thisMoment(clock);
  const workOn = async (execution: Execution) => {
    inHand.add(execution.id);
    try {
      await takeExecutionOn(desk, execution);
    } catch (error) {
      log.error({ error, execution: execution.id }, 'an execution stays as it is, to be taken up again');
    } finally {
      inHand.delete(execution.id);
    }
  };
  return startLoop(clock, {
    async turn(run, isPoll) {
      const now = clock.now();
      if (wasSetSince(clock, before)) await executions.recall(now);
      before = thisMoment(clock);
      await renewLocks();
      if (isPoll) {
        const next = await executions.nextTime(now);
        if (next === undefined || next > now) return next;
      }
      const room = maxAtOnce - inHand.size;
      if (room <= 0) return undefined;
      const due = await executions.take(now, lockTime, room);
      for (const execution of due) run(workOn(execution));
      return due.length >= room ? now : executions.nextTime(now);
    },
    failed: (error, times) => log.error({ error, times }, 'the list of due executions could not be read'),
  });
}
