import { z } from 'zod';
import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { createClone } from '../clones.ts';
import { backUpFirst, choice, record, snapshotOf, target } from '../fields.ts';
import { definePlan, type Field, type Operation, type PlanOperation, targetNouns } from '../operation.ts';
import { phrasesOf } from '../phrases.ts';
import { renewedKinds } from './renew.ts';

/** The identifiers of the branches that stay, with blanks between them. The form shows the tree to choose from. */
const leaveOut: Field = {
  name: 'leaveOut',
  label: 'Leave out',
  hint: 'What stays, with everything on it and everything that it depends on',
  widget: { type: 'text', placeholder: 'identifiers, separated by spaces' },
  schema: z
    .string()
    .trim()
    .max(3_000, 'Leave out fewer at once.')
    .refine(
      text => text.split(/\s+/).every(part => parseIdentifier(part) !== undefined),
      'Type identifiers, separated by spaces.',
    ),
  sent: false,
  seldom: true,
};

/** Deletes a record with everything that depends on it (spec §3, rules 2 and 3), from the leaves on. */
export const tearDownDatabase = definePlan({
  name: 'database.teardown',
  words: ['teardown'],
  summary: 'Delete a database, a clone or a snapshot with every clone that depends on it',
  fields: [target('database', 'Database, clone or snapshot', ['live', 'clone', 'snapshot']), leaveOut],
  title: () => 'Teardown',
  label: 'Tear down',
  phrases: phrasesOf('tear down', 'Tearing down', 'torn down'),
  warning: () => 'This cannot be undone. Clones are deleted first.',
  makes: 'teardown',
  typed: true,
  guarded: true,
});

/** Deletes an environment with everything on it. It is disabled in between (spec §4.7; §3, rule 1). */
const tearDownEnvironment = definePlan({
  name: 'environment.teardown',
  words: ['env', 'teardown'],
  summary: 'Delete an environment with every database on it, and every clone of those',
  fields: [target('environment', 'Environment', ['environment']), leaveOut],
  title: () => 'Teardown',
  label: 'Tear down',
  phrases: phrasesOf('tear down', 'Tearing down', 'torn down', 'the environment '),
  warning: () => 'This cannot be undone. Everything on it is deleted, then it is disabled and deleted.',
  makes: 'teardown',
  typed: true,
  guarded: true,
});

/** The teardown that is for records like this; `undefined` where there is none. */
export function teardownOf({ noun }: Pick<Identifier, 'noun'>): PlanOperation | undefined {
  return [tearDownDatabase, tearDownEnvironment].find(operation => noun && targetNouns(operation).includes(noun));
}

/** The fields of a new clone that a renewal has, too: all but those that it has under another meaning. */
const sameFields = createClone.fields.filter(
  ({ role, sent }) => sent !== false && role !== 'target' && role !== 'kind' && role !== 'snapshot',
);

const kinds = (...values: readonly (typeof renewedKinds)[number]['value'][]) => ({ cloneType: values });

/** The fields that the operation of each kind does not take. */
const kindsOf: Readonly<Record<string, Field['when']>> = {
  databaseParams: kinds('VIRTUALCLONE', 'PHYSICAL'),
  specificPostScriptPath: kinds('VIRTUALCLONE', 'PHYSICAL'),
};

/** Deletes a clone, and makes it again from newer data. */
export const renewClone = definePlan({
  name: 'clone.renew',
  words: ['renew'],
  summary: 'Make a clone again from newer data: same name, port, place and parameters',
  fields: [
    target('database', 'Clone', ['clone']),
    record('sourceDatabase', 'Source', ['live', 'clone'], {
      required: true,
      dependsOn: { database: 'value' },
    }),
    choice(
      'cloneType',
      'Type of clone',
      renewedKinds.map(({ value, label }) => ({ value, label })),
      { required: true, role: 'kind', fill: 'never', dependsOn: { database: 'value' } },
    ),
    backUpFirst('Newest data', 'Back up the source first, and use that snapshot', {
      feeds: 'snapshot',
      when: kinds('VIRTUALCLONE', 'PHYSICAL', 'MOUNTED'),
    }),
    snapshotOf('sourceDatabase', {
      fill: 'never',
      when: { ...kinds('VIRTUALCLONE', 'PHYSICAL', 'MOUNTED'), backUpFirst: ['', 'false'] },
    }),
    ...sameFields.map(field => ({
      ...field,
      // It gets what the clone had, or stays empty.
      fill: 'never' as const,
      when: kindsOf[field.name] ?? kinds('VIRTUALCLONE', 'PHYSICAL', 'SHARED'),
    })),
  ],
  title: () => 'Renewal',
  phrases: phrasesOf('renew', 'Renewing', 'renewed'),
  again: 'Renew again',
  warning: name => `All changes in ${name} are lost: it is deleted and made again.`,
  makes: 'renewal',
  presets: true,
  step: { id: 'renew', title: 'Renew a clone' },
  schedulable: true,
  guarded: true,
  freeForMaker: true,
});

/** The operations that take several steps, each an operation of the service. */
export const lifecycleOperations: readonly Operation[] = [tearDownDatabase, tearDownEnvironment, renewClone];
