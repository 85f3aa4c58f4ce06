import { put } from '../api/call.ts';
import { defineDeletion } from './deletion.ts';
import { target } from './fields.ts';
import { defineReads, defineWrite, type Operation } from './operation.ts';
import { phrasesOf } from './phrases.ts';
import { changes } from './proofs.ts';
import { bringsTo } from './stateChange.ts';
import { works } from './work.ts';

const environment = target('environment', 'Environment', ['environment']);

/** Spec §4.7: discovers new databases. */
const refreshEnvironment = defineWrite({
  name: 'environment.refresh',
  work: works.refresh,
  quick: true,
  words: ['env', 'refresh'],
  summary: 'Look for new databases on an environment',
  fields: [environment],
  schedulable: true,
  title: () => 'Refresh',
  phrases: {
    asks: 'look for new databases on {name}',
    running: 'Looking for new databases on {name}',
    done: '{name} is refreshed',
    undone: 'Not refreshed',
  },
  again: 'Refresh again',
  call: ({ text }) => put('/environment/refresh', text),
  proof: changes('medium', { by: 'work' }),
});

/** Spec §4.7; see rule 1 of section 3. */
export const disableEnvironment = defineWrite({
  name: 'environment.disable',
  work: works.disable,
  quick: true,
  words: ['env', 'disable'],
  summary: 'Disable an environment',
  fields: [environment],
  ...bringsTo(
    ['disabled'],
    'Disabling',
    '/environment/disable',
    phrasesOf('disable', 'Disabling', 'disabled', 'the environment '),
  ),
  next: ['environment.enable'],
  warning: name => `Nothing can be done on ${name} until it is enabled again.`,
});

/** Spec §4.7. */
export const enableEnvironment = defineWrite({
  name: 'environment.enable',
  work: works.enable,
  quick: true,
  words: ['env', 'enable'],
  summary: 'Enable an environment again',
  fields: [environment],
  ...bringsTo(
    ['ok', 'stopped'],
    'Enabling',
    '/environment/enable',
    phrasesOf('enable', 'Enabling', 'enabled', 'the environment '),
  ),
  next: ['environment.refresh'],
});

/** Spec §4.7. */
export const deleteEnvironment = defineDeletion('environment', {
  word: 'env',
  summary: 'Delete an environment',
  path: '/environment/delete',
});

/** The operations on environments (spec §4.7). */
export const environmentOperations: readonly Operation[] = [
  ...defineReads('environment', {
    words: ['env'],
    nouns: ['environment'],
    summaries: ['List environments', 'Show one environment: its state, installations and users'],
  }),
  refreshEnvironment,
  disableEnvironment,
  enableEnvironment,
  deleteEnvironment,
];
