import { fail } from '../change.ts';
import { discover } from '../discover.ts';
import type { Endpoint, PlanText } from '../endpoint.ts';
import type { Environment } from '../estate.ts';
import { bookkeeping } from '../jobs.ts';
import { findEnvironment } from '../lookups.ts';
import { environmentRecord } from '../records.ts';
import { Refusal } from '../refusal.ts';
import { checkEnabled, checkPermission } from '../rules.ts';

const settled: readonly string[] = ['ENABLED', 'DISABLED', 'FAILED'];

function checkSettled({ id, state }: Environment): void {
  if (!settled.includes(state)) throw new Refusal('WRONG_STATE', `${id} is ${state}`);
}

const refresh: PlanText = (context, caller, id) => {
  const environment = findEnvironment(context.estate, id);
  checkPermission(caller, 'environment/refresh');
  checkEnabled(environment);
  checkSettled(environment);
  return { texts: [environment.name], begin: effects => discover(context, environment, effects) };
};

const toggle =
  (write: 'environment/disable' | 'environment/enable'): PlanText =>
  ({ estate, jobs, clock }, caller, id) => {
    const enabling = write === 'environment/enable';
    const environment = findEnvironment(estate, id);
    checkPermission(caller, write);
    checkSettled(environment);
    if (environment.enabled === enabling && environment.state !== 'FAILED')
      throw new Refusal('WRONG_STATE', `${id} is ${environment.state} already`);
    return {
      texts: [environment.name],
      begin(effects) {
        environment.state = enabling ? 'ENABLING' : 'DISABLING';
        environment.error = undefined;
        const before = environment.enabled;
        // Shut at once, opened at the end: nothing slips in while the job runs.
        environment.enabled = false;
        return jobs.start({
          operation: write,
          target: id,
          effects,
          work: task => bookkeeping(clock, task),
          done: () =>
            Object.assign(environment, {
              state: enabling ? 'ENABLED' : 'DISABLED',
              enabled: enabling,
              updatedAt: clock.now(),
            }),
          failed(message) {
            environment.enabled = before;
            fail(environment, message, clock.now());
          },
        });
      },
    };
  };

const remove: PlanText = ({ estate, jobs, clock }, caller, id) => {
  const environment = findEnvironment(estate, id);
  checkPermission(caller, 'environment/delete');
  checkEnabled(environment);
  checkSettled(environment);
  const tenants = [...estate.databases.values()].filter(database => database.environment === id);
  if (tenants.length > 0)
    throw new Refusal(
      'IN_USE',
      `${id} holds ${tenants.map(database => `${database.id} (${database.name})`).join(', ')}`,
    );
  return {
    texts: [environment.name],
    begin(effects) {
      environment.state = 'DELETING';
      environment.error = undefined;
      return jobs.start({
        operation: 'environment/delete',
        target: id,
        effects,
        work: task => bookkeeping(clock, task),
        done: () => estate.environments.delete(id),
        failed: message => fail(environment, message, clock.now()),
      });
    },
  };
};

/** Spec §4.7. */
export const environmentEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/environment/list',
    takes: 'nothing',
    read: ({ estate }) => [...estate.environments.values()].map(environmentRecord),
  },
  {
    method: 'GET',
    path: '/environment/{id}',
    takes: 'path',
    read: ({ estate }, id) => environmentRecord(findEnvironment(estate, id)),
  },
  { method: 'PUT', path: '/environment/refresh', takes: 'text', write: 'environment/refresh', plan: refresh },
  {
    method: 'PUT',
    path: '/environment/disable',
    takes: 'text',
    write: 'environment/disable',
    plan: toggle('environment/disable'),
  },
  {
    method: 'PUT',
    path: '/environment/enable',
    takes: 'text',
    write: 'environment/enable',
    plan: toggle('environment/enable'),
  },
  { method: 'DELETE', path: '/environment/delete', takes: 'input', write: 'environment/delete', plan: remove },
];
