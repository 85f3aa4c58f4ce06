import { get, lists } from '../api/call.ts';
import { defineOperation } from './operation.ts';

/** Spec §4.1: GET /database/list. */
export const listDatabases = defineOperation({
  type: 'read',
  name: 'database.list',
  words: ['list'],
  summary: 'List databases and clones, all or those that match the words',
  nouns: ['live', 'clone'],
  list: lists.databases,
});

/** Spec §4.1: GET /database/{id}. */
export const showDatabase = defineOperation({
  type: 'read',
  name: 'database.show',
  words: ['show'],
  summary: 'Show one database or clone: its state, snapshots and what belongs to it',
  nouns: ['live', 'clone'],
  list: lists.databases,
  one: id => get('/database', id.text),
});
