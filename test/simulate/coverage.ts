import { schedules } from '../../src/features/schedules/schedule.ts';
import { consents } from '../../src/features/workflows/consent/consent.ts';
import { executions } from '../../src/features/workflows/execution.ts';
import { transitions } from '../../src/jobs/machine/transitions.ts';
import { incidents, subscriptions } from '../../src/store/tables/alerts/alertRows.ts';
import { leases } from '../../src/store/tables/leases.ts';
import { reachableDoors } from './doors.ts';
import { Plan } from './plan.ts';
import { stepOf } from './thingStates.ts';

/** A fault that no plan draws: it is a mode of its own. */
const undrawn = 'late';

/** The durable things, with their states. */
export const machines: readonly Readonly<{
  name: string;
  states: Readonly<Record<string, readonly string[]>>;
}>[] = [leases, schedules, executions, consents, subscriptions, incidents];

/** All that seeds should reach, by the names under which a run says that it reached it. */
export function reachable(): readonly string[] {
  const acts = Plan.shape.acts.element.options.map(({ shape }) => shape);
  const faults = Plan.shape.faults.element.options.map(({ shape }) => shape);
  return [
    'step  → new',
    'lock expired',
    ...new Set(Object.values(transitions).flatMap(stepsOf)),
    ...machines.flatMap(({ name, states }) =>
      Object.entries(states).flatMap(([from, after]) => after.map(to => stepOf(name, from, to))),
    ),
    ...reachableDoors(),
    ...acts.flatMap(shape => ('who' in shape ? [`${shape.act.value} taken`] : [])),
    ...faults.flatMap(({ fault }) => (fault.value === undrawn ? [] : [`fault ${fault.value}`])),
    ...faults.flatMap(shape =>
      shape.fault.value === 'kill' && 'point' in shape
        ? shape.side.options.flatMap(side => shape.point.options.map(point => `kill ${side} ${point}`))
        : [],
    ),
  ];
}

/** The steps from one state to another that an event may be. */
function stepsOf(event: Readonly<Record<string, string | readonly string[]>>): readonly string[] {
  return Object.entries(event).flatMap(([from, after]) =>
    [after].flat().flatMap(to => (from === to ? [] : [`step ${from} → ${to}`])),
  );
}
