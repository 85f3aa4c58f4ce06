import { describe, expect, test } from 'vitest';
import { resultOfJob } from '../../../src/features/workflows/tellSlack.ts';
import { hasEnded, type Job, type JobState } from '../../../src/store/jobs/rows/job.ts';
import { rows } from '../../jobs/jobIn.ts';
import { job } from '../../jobs/rows.ts';

function ended(made: Job) {
  if (!hasEnded(made)) throw new Error('it has not ended');
  return made;
}

const evidence = {
  ...{ id: 'MYSQL_CLONE_SERVER-9', name: 'qa\u202e-3310', state: 'RUNNING', stateClass: 'ok', since: 4, seenAt: 5 },
  extras: [{ path: 'connectionString', value: 'mysql://root:secret@dev.example.com:3310' }],
};

describe('the outcome of a step', () => {
  test('a workflow step gives the confirmed record, how to connect to it without a password, and the message', () => {
    const made = ended(
      job({ state: 'succeeded', reason: 'It is there.', claimed: evidence.id, evidence: JSON.stringify(evidence) }),
    );
    const result = resultOfJob(made, 'https://example.slack.com/archives/C1/p1');
    expect(result).toMatchObject({
      outputs: { outcome: 'confirmed', identifier: evidence.id, link: 'https://example.slack.com/archives/C1/p1' },
    });
    expect(JSON.stringify(result)).toContain('dev.example.com:3310');
    // No password, and nothing that turns the text around.
    expect(JSON.stringify(result)).not.toMatch(/secret|\u202e/);
  });

  test('a workflow step has each output that the manifest declares, also where the records show nothing', () => {
    const made = ended(job({ state: 'succeeded', reason: 'It is done.' }));
    expect(resultOfJob(made, undefined)).toEqual({
      outputs: { outcome: 'confirmed', name: 'orders', identifier: 'MYSQL_LIVE_SERVER-1', connection: '', link: '' },
    });
  });

  test.each(['denied', 'expired', 'withdrawn', 'void', 'failed', 'finished', 'unconfirmed'] satisfies JobState[])(
    'a workflow step whose job is %s fails with the sentence that people read',
    state => {
      const made = ended(job({ ...rows[state], state, reason: 'It is <so> & so.' }));
      expect(resultOfJob(made, undefined)).toEqual({ error: expect.stringContaining('It is &lt;so&gt; &amp; so.') });
    },
  );
});
