import { post } from '../../src/api/call.ts';
import { flag, record, target } from '../../src/operations/fields.ts';
import { defineWrite } from '../../src/operations/operation.ts';
import { changes } from '../../src/operations/proofs.ts';

/** An operation that no specification has: all that Dolly knows of it stands here. */
export const verifyDatabase = defineWrite({
  name: 'database.verify',
  work: { name: 'verify', verb: /^verif/ },
  words: ['verify'],
  summary: 'Verify that a live database can be restored from a snapshot',
  fields: [
    target('database', 'Database', ['live']),
    record('snapshot', 'Snapshot', ['snapshot'], { dependsOn: { database: 'value' }, role: 'snapshot' }),
    flag('thorough', 'Read every page'),
  ],
  title: () => 'Verification',
  phrases: {
    asks: 'verify {name}',
    running: 'Verifying {name}',
    done: '{name} is verified',
    undone: 'Not verified',
  },
  guarded: true,
  call: (_, values) => post('/database/verify', { ...values }),
  pointlessIn: ['stopped'],
  proof: changes('short', { by: ['verifiedAt'] }),
});
