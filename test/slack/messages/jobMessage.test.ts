import { describe, expect, test } from 'vitest';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import { evidenceOf } from '../../../src/jobs/evidence/evidence.ts';
import { catalogue } from '../../../src/operations/catalogue.ts';
import { targetNouns } from '../../../src/operations/operation.ts';
import { fillPhrase } from '../../../src/operations/phrases.ts';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { type Content, said } from '../../../src/slack/blocks/message.ts';
import { jobButtons } from '../../../src/slack/messages/jobButtons.ts';
import { jobList } from '../../../src/slack/messages/jobList.ts';
import { jobCard, jobReply } from '../../../src/slack/messages/jobMessage.ts';
import { quoteOf, sentenceOf } from '../../../src/slack/messages/jobWords.ts';
import { recordList } from '../../../src/slack/records/listMessage.ts';
import { recordDetails } from '../../../src/slack/records/recordBlocks.ts';
import { runCommand } from '../../../src/slack/words/commandActions.ts';
import type { JobState } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { offers } from '../../house.ts';
import { job, recordOf } from '../../jobs/rows.ts';

const notSo = 'That’s wrong…';

const now = Date.UTC(2026, 10, 21, 9, 5);
const evil = '<!channel> <@U9> <http://x|y> & `*_~ \u202e\u0007 🐑 ';
const long = evil.repeat(60).slice(0, 2_000);
const frame = { workspace: undefined, zone: 'UTC' };

const evidence = (state: string | undefined, more: object = {}) =>
  JSON.stringify(
    evidenceOf(recordOf('MYSQL_CLONE_SERVER-9', { name: 'orders_qa', state, port: 3310, ...more }), undefined, now),
  );

const sent = { sentAt: now - 120_000, claimed: 'MYSQL_CLONE_SERVER-9' };
const ended = { ...sent, endedAt: now };

/** A job in each state that a reader can see, and what is said of it. */
const told: readonly [string, Partial<JobRow> & { state: JobState }, { says: string; buttons: readonly string[] }][] = [
  ['new', { state: 'new' }, { says: 'I’ll check the records first, then send it.', buttons: ['Withdraw'] }],
  [
    'new, without a sign-in',
    { state: 'new', hold: 'sign-in' },
    { says: 'Nothing has been sent; I’ll go on as soon as you sign in.', buttons: ['Sign in', 'Withdraw'] },
  ],
  [
    'new, without the sign-in of the service account, which nobody can mend by a click',
    { state: 'new', hold: 'sign-in', runsAs: 'service' },
    { says: 'The service account cannot sign in at the moment. Nothing has been sent', buttons: ['Withdraw'] },
  ],
  [
    'new, and told to wait',
    { state: 'new', hold: 'busy' },
    { says: 'Nothing has been sent yet; I’ll try again by myself.', buttons: ['Withdraw'] },
  ],
  ['sending', { ...sent, state: 'sending' }, { says: 'I am sending it to the service.', buttons: [] }],
  [
    'running',
    { ...sent, state: 'running', claimed: null },
    { says: 'but that does not mean that it is done', buttons: ['Check now', 'Stop checking'] },
  ],
  [
    'running, with a record',
    { ...sent, state: 'running', evidence: evidence('CREATING') },
    { says: 'its state is CREATING', buttons: ['Check now', 'Stop checking'] },
  ],
  [
    'running, in doubt',
    { ...sent, state: 'running', noAnswer: 'It broke.', reason: 'It broke.' },
    { says: 'It broke. It may or may not have been accepted.', buttons: ['Check now', 'Stop checking'] },
  ],
  [
    'running, without a sign-in',
    { ...sent, state: 'running', hold: 'sign-in' },
    { says: 'please sign in again', buttons: ['Sign in'] },
  ],
  [
    'succeeded',
    {
      ...ended,
      state: 'succeeded',
      reason: 'orders_qa is there; its state is RUNNING.',
      evidence: evidence('RUNNING'),
    },
    {
      says: 'orders_qa is there; its state is RUNNING.',
      buttons: ['Clone again', 'Stop', 'Delete…', 'Save as preset', 'Keep for…', notSo],
    },
  ],
  [
    'succeeded, without a state',
    {
      ...ended,
      state: 'succeeded',
      reason: 'orders_qa is there; its record shows no state.',
      evidence: evidence(undefined),
    },
    {
      says: 'orders_qa is there; its record shows no state.',
      buttons: ['Clone again', 'Stop', 'Delete…', 'Save as preset', 'Keep for…', notSo],
    },
  ],
  [
    'failed before it was sent',
    { endedAt: now, state: 'failed', reason: 'The service refused.' },
    { says: 'The service refused.', buttons: ['Change and ask again'] },
  ],
  [
    'failed, as the record says',
    { ...ended, state: 'failed', reason: 'disk full', evidence: evidence('FAILED', { error: 'disk full' }) },
    { says: 'The service reports for orders_qa: disk full', buttons: ['Change and ask again', 'Delete…', notSo] },
  ],
  [
    'failed, as its record contradicts it',
    { ...ended, state: 'failed', reason: 'Its state is still RUNNING.', evidence: evidence('RUNNING') },
    { says: 'Its state is still RUNNING.', buttons: ['Change and ask again', 'Delete…', notSo] },
  ],
  [
    'unconfirmed',
    { ...ended, state: 'unconfirmed' },
    { says: 'I cannot say whether it is done.', buttons: ['Check now', 'Change and ask again', notSo] },
  ],
  [
    'unconfirmed, in doubt',
    { ...ended, state: 'unconfirmed', noAnswer: 'It broke.', reason: 'It broke.' },
    { says: 'Check at the service before you ask again', buttons: ['Check now', 'Change and ask again', notSo] },
  ],
  [
    'withdrawn',
    { endedAt: now, state: 'withdrawn', reason: 'It was withdrawn.' },
    { says: 'It was withdrawn.', buttons: ['Change and ask again'] },
  ],
  [
    'expired',
    { endedAt: now, state: 'expired', reason: 'It waited for a day.' },
    { says: 'It waited for a day.', buttons: ['Change and ask again'] },
  ],
];

/** Every text of a message that Slack reads as mrkdwn. */
function mrkdwn(content: Content): string {
  const found: string[] = [content.text];
  JSON.stringify(content.blocks, (_, value: unknown) => {
    if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'mrkdwn' && 'text' in value)
      found.push(String(value.text));
    return value;
  });
  return found.join('\n');
}

function buttonsOf({ blocks }: Content): string[] {
  return blocks.flatMap(block =>
    block.type === 'actions'
      ? block.elements.flatMap(element => ('text' in element && element.type === 'button' ? [element.text.text] : []))
      : [],
  );
}

function isFine(content: Content, most = 4_000): void {
  expect(messageFaults(content.blocks)).toEqual([]);
  expect(content.text.trim()).not.toBe('');
  expect(content.text.length).toBeLessThanOrEqual(most);
}

/** What a message mentions or links to; dates apart. */
const mentions = (content: Content) => [
  ...new Set(
    (mrkdwn(content).match(/<[^>]*>?/g) ?? []).filter(found => !/^<!date\^\d+\^[^<>^|]+\|[^<>|]+>$/.test(found)),
  ),
];

test('the button Why? of a confirmed job stands in a menu where its row has six other buttons', () => {
  const seen = (change: Partial<JobRow>) => {
    const { evidence: kept = '{}' } = change;
    const basis = { row: 'it is there, and rests', others: [] };
    const told = { ...change, evidence: JSON.stringify({ ...JSON.parse(kept ?? '{}'), basis }) };
    const { blocks } = jobCard(job({ ...told, ...ended, state: 'succeeded', reason: 'It is there.' }), 'card', {
      offers,
    });
    expect(messageFaults(blocks)).toEqual([]);
    return blocks.flatMap(block => (block.type === 'actions' ? block.elements : [])).slice(-2);
  };
  const menu = { type: 'overflow', action_id: 'job.why', options: [{ text: { text: 'Why?' } }] };
  const clone = { evidence: evidence('RUNNING') };
  expect(seen(clone)).toMatchObject([{ text: { text: notSo } }, menu]);
  const backup = { operation: 'database.backup', inputs: '{"database":"MYSQL_LIVE_SERVER-1"}', claimed: null };
  expect(seen({ ...clone, ...backup }).at(-1)).toMatchObject({ type: 'button', text: { text: 'Why?' } });
});

describe.each(told)('a job that is %s', (_, change, { says, buttons }) => {
  const seen = job(change);

  test('the card of a job says its state and what was asked for, with buttons for what can be done', () => {
    const card = jobCard(seen, 'card', { offers });
    isFine(card);
    expect(mrkdwn(card)).toContain(says);
    expect(card.text).toContain(says);
    expect(buttonsOf(card)).toEqual(buttons);
    expect(mrkdwn(card)).toContain('Virtual clone of orders');
    expect(mrkdwn(card)).toContain('3310');
  });

  test('a job’s card mentions nobody, and its reply mentions the requester, unless they withdrew it', () => {
    expect(mentions(jobCard(seen, 'card', { asker: '`Ana`' }))).toEqual([]);
    expect(mrkdwn(jobCard(seen, 'card', { asker: '`Ana`' }))).toContain('Asked by `Ana`');
    expect(mentions(jobReply(seen))).toEqual(seen.state === 'withdrawn' ? [] : ['<@U1>']);
    isFine(jobReply(seen));
    expect(mrkdwn(jobReply(seen))).toContain(says);
  });

  test('a job with hostile names, errors and values is told within Slack’s limits and mentions only its requester', () => {
    const extras = { connection: `mysql ${evil}`, host: evil, address: evil, url: evil, mount: evil, simulated: true };
    const hostile = job({
      ...change,
      targetName: long,
      reason: change.reason ? long : (change.reason ?? null),
      labels: JSON.stringify({ 'HOST_ENVIRONMENT-4': long, 'PROJECT-1': '<!here>' }),
      inputs: JSON.stringify({
        sourceDatabase: 'MYSQL_LIVE_SERVER-1',
        cloneType: 'VIRTUALCLONE',
        targetEnvironment: 'HOST_ENVIRONMENT-4',
        project: 'PROJECT-1',
        mountBase: `/${long}`,
        specificPostScriptPath: `/${long}`,
        databaseParams: Array.from({ length: 100 }, (__, at) => ({ name: `p${at}`, type: 'STRING', value: long })),
      }),
      evidence: change.evidence
        ? evidence(long, { name: long, error: long, environment: { id: 'HOST_ENVIRONMENT-4', name: long }, ...extras })
        : null,
    });
    for (const content of [jobCard(hostile), jobReply(hostile)]) {
      isFine(content);
      expect(mentions(content).filter(found => found !== '<@U1>')).toEqual([]);
      expect(mrkdwn(content)).not.toMatch(/&(?!amp;|lt;|gt;|[a-z]{0,3}…)/);
    }
    isFine(jobList([hostile], frame));
    expect(mentions(jobList([hostile], frame))).toEqual([]);
  });
});

test('a job’s card says “Confirmed” only where the job succeeded', () => {
  for (const [, change] of told) {
    const says = mrkdwn(jobCard(job(change))).includes('Confirmed');
    expect([change.state, says]).toEqual([change.state, change.state === 'succeeded']);
  }
});

describe.each(catalogue.flatMap(entry => (entry.type === 'write' ? [entry] : [])))('while $name runs', operation => {
  const ids = { live: 'MYSQL_LIVE_SERVER-1', clone: 'MYSQL_CLONE_SERVER-3', snapshot: 'MYSQL_SNAPSHOT-1' };
  const others = { environment: 'HOST_ENVIRONMENT-1', user: 'USER-1', project: 'PROJECT-1' };
  const named = Object.entries({ ...ids, ...others });
  const target = named.find(([noun]) => targetNouns(operation).some(known => known === noun))?.[1] ?? '';
  const asks = { operation: operation.name, target, inputs: JSON.stringify({ [operation.target]: target }) };
  const says = (id: string, state: string) => {
    const seen = JSON.stringify(evidenceOf(recordOf(id, { name: 'orders', state }), undefined, now));
    return sentenceOf(job({ ...sent, ...asks, state: 'running', evidence: seen, claimed: null }));
  };

  test('a running job tells its target’s state only where that shows work, such as STOPPING', () => {
    expect(says(target, 'ACTIVE')).toContain('but that does not mean that it is done');
    expect(says(target, 'STOPPING')).toBe('Its record says STOPPING.');
  });

  test('the card of a job says its operation’s own sentences, while it runs and once it succeeded', () => {
    const { running, done } = operation.phrases;
    const first = (change: Partial<JobRow> & { state: JobState }) =>
      jobCard(job({ ...ended, ...asks, claimed: null, ...change })).text.split('\n')[0];
    const values = { name: 'orders', result: 'orders' };
    expect(first({ state: 'running', endedAt: null })).toContain(`*${fillPhrase(running, values)}* · started`);
    expect(first({ state: 'succeeded', reason: 'Seen.' })).toContain(`*${fillPhrase(done, values)}*`);
  });

  test('a running job tells of a new record only if its operation makes one', () => {
    const makes = operation.proof.type === 'appears';
    expect(says('MYSQL_CLONE_SERVER-9', 'ACTIVE').includes('Its record is there; its state is ACTIVE.')).toBe(makes);
  });
});

test('the reply at the end of a clone’s making says how long it took, and how to connect', () => {
  const reply = jobReply(
    job({ ...ended, state: 'succeeded', evidence: evidence('RUNNING', { connection: 'mysql -h dev-1 -P 3310' }) }),
  );
  expect(mrkdwn(reply)).toContain('after 2 min');
  expect(mrkdwn(reply)).toContain('`mysql -h dev-1 -P 3310`');
});

test('a job’s card tells each requested value under its label, a record by its name and identifier', () => {
  const card = mrkdwn(jobCard(job({ labels: '{"HOST_ENVIRONMENT-4":"dev-1"}' })));
  expect(card).toContain('Target environment: dev-1 (`HOST_ENVIRONMENT-4`)');
  expect(card).toContain('Port: `3310`');
});

test('a clone’s card names its environment and source as chosen, where the record shows identifiers alone', () => {
  const seen = evidence('RUNNING', { environment: 'HOST_ENVIRONMENT-4', sourceDatabase: 'MYSQL_LIVE_SERVER-1' });
  const labels = '{"HOST_ENVIRONMENT-4":"dev-1"}';
  const card = mrkdwn(jobCard(job({ ...ended, state: 'succeeded', evidence: seen, labels })));
  expect(card).toContain('*orders_qa is ready* on dev-1');
  expect(card).toContain('Virtual clone of orders');
  expect(card).not.toContain('MYSQL_LIVE_SERVER-1');
});

describe('a confirmed clone', () => {
  const origin = { id: 'MYSQL_SNAPSHOT-9', takenAt: now - 14_520_000 };
  const seen = { environment: 'HOST_ENVIRONMENT-4', connection: 'mysql -h dev-1 -P 3310', simulated: true };
  const card = jobCard(
    job({
      ...ended,
      state: 'succeeded',
      reason: 'orders_qa is there; its state is RUNNING.',
      evidence: JSON.stringify({ ...JSON.parse(evidence('RUNNING', seen)), snapshot: origin }),
      labels: '{"HOST_ENVIRONMENT-4":"dev-1"}',
    }),
    'card',
    { asker: '*Ana*' },
  );

  test('the card of a confirmed clone says in its first line what is ready, where, and how old its data is', () => {
    const [first = ''] = card.text.split('\n');
    const time = `<!date^${Math.floor(origin.takenAt / 1000)}^of {date_short_pretty} {time}|of ${new Date(origin.takenAt).toISOString().slice(0, 19).replace('T', ' ')} UTC>`;
    expect(first).toBe(`:white_check_mark: *orders_qa is ready* on dev-1, from the snapshot ${time} (4 hours old)`);
  });

  test.each([
    [31, '31 hours'],
    [47.9, '47 hours'],
    [49, '2 days'],
    [71, '2 days'],
  ])('a clone made %d hours after its snapshot is called %s old, never older than it is', (hours, age) => {
    const snapshot = { ...origin, takenAt: now - hours * 3_600_000 };
    const shown = JSON.stringify({ ...JSON.parse(evidence('RUNNING', seen)), snapshot });
    const old = jobCard(job({ ...ended, state: 'succeeded', sentAt: now, evidence: shown }));
    expect(old.text).toContain(`(${age} old)`);
  });

  test('a confirmed clone’s card shows the connection, then what comes next, then who asked, and folds the rest', () => {
    const above = ['section', 'rich_text', 'actions', 'context'];
    expect(card.blocks.map(({ type }) => type)).toEqual([...above, 'container']);
    expect(card.plain?.map(({ type }) => type)).toEqual(above);
    expect(JSON.stringify(card.blocks[3])).toContain('Asked by *Ana*');
    expect(JSON.stringify(card.blocks[4])).not.toContain('Asked by');
    expect(card.blocks[4]).toMatchObject({ title: { text: 'Virtual clone of orders (MySQL) · Confirmed' } });
    expect(JSON.stringify(card.blocks[1])).toContain('"rich_text_preformatted"');
    expect(card.text).toContain('\nmysql -h dev-1 -P 3310\n');
  });

  test('the small print on a confirmed clone’s card says nothing twice, and stresses only who asked', () => {
    const [rest = ''] = card.text.split('\n').slice(-1);
    expect(rest).toMatch(/^Virtual clone of orders \(MySQL\) · Confirmed/);
    expect(rest.match(/3310/g)).toHaveLength(1);
    expect(rest).not.toContain('dev-1');
    expect(rest.match(/RUNNING/g)).toHaveLength(1);
    expect(rest.match(/\*[^*]+\*/g)).toEqual(['*Ana*']);
  });
});

describe('a job that the service refused', () => {
  const refused = (words: string, change: Partial<JobRow> = {}) =>
    job({ ...ended, claimed: null, reason: `The service refused: “${words}”.`, ...change, state: 'failed' });

  test('a job refused for missing fields names them by their labels, and offers to fill them in', () => {
    const card = jobCard(refused('mountBase: is required; environmentUser, install: are required'));
    expect(card.text.split('\n')[0]).toBe(
      ':x: *Not cloned*: the service also needs *Mount base, Environment user, Installation*.',
    );
    expect(buttonsOf(card)).toEqual(['Fill these in']);
    expect(card.text).toContain('Virtual clone of orders (MySQL) · Failed');
    expect(card.text).toContain('The service refused: “mountBase: is required;');
  });

  test.each<[string, string, Partial<JobRow>, readonly string[]]>([
    [
      'a database',
      'MYSQL_LIVE_SERVER-1 has dependent clones: MYSQL_CLONE_SERVER-3 (qa)',
      {},
      ['Delete all of it, in order…'],
    ],
    ['a database, by another reason', 'MYSQL_LIVE_SERVER-1 is busy', {}, []],
    [
      'an environment',
      'MYSQL_LIVE_SERVER-2 is on it',
      { operation: 'environment.delete', target: 'HOST_ENVIRONMENT-4' },
      ['Delete all of it, in order…'],
    ],
  ])(
    'a refused deletion of %s offers to delete the dependents, too, if the refusal named them',
    (_, words, of, first) => {
      const asked = { operation: 'database.delete', target: 'MYSQL_LIVE_SERVER-1', values: '{}', ...of };
      expect(buttonsOf(jobCard(refused(words, asked)))).toEqual([...first, 'Change and ask again']);
    },
  );

  test.each([
    'the port 3310 is required by another clone',
    'a quota is missing',
    'the snapshot must be AVAILABLE',
    'the mount base is too long',
  ])('a refusal of the service with “%s” is told in its own words alone', words => {
    const card = jobCard(refused(words));
    expect(card.text).not.toContain('also needs');
    expect(card.text).toContain(`The service refused: “${words}”.`);
    expect(buttonsOf(card)).toEqual(['Change and ask again']);
  });

  test('a job refused for a missing right does not offer to change the request', () => {
    const reason = 'The service does not allow you to do this: “only an operator may clone”.';
    expect(buttonsOf(jobCard(refused('', { reason })))).toEqual([]);
  });
});

test('a clone that failed shows no way to connect to it', () => {
  const seen = (state: string) => evidence(state, { connection: 'mysql -P 3310' });
  const card = (state: JobState, word: string) => jobCard(job({ ...ended, state, reason: word, evidence: seen(word) }));
  expect(card('succeeded', 'RUNNING').text).toContain('mysql -P 3310');
  expect(card('failed', 'FAILED').text).not.toContain('mysql -P 3310');
});

test('a confirmed deletion offers no buttons, since what is gone cannot be asked for again', () => {
  const gone = { id: 'MYSQL_CLONE_SERVER-9', name: 'orders_qa', gone: true, since: now, seenAt: now };
  const deleted = job({
    ...ended,
    ...{ operation: 'database.delete', target: gone.id, targetName: gone.name, state: 'succeeded', claimed: null },
    inputs: JSON.stringify({ database: gone.id }),
    evidence: JSON.stringify(gone),
  });
  expect(jobCard(deleted).text.split('\n')[0]).toBe(':white_check_mark: *orders_qa is deleted*');
  expect(buttonsOf(jobCard(deleted))).toEqual([]);
});

test.each(['denied', 'void', 'expired', 'withdrawn'] as const)(
  'a request for a longer lease that is %s leads to the form of the lease, and to no other',
  state => {
    const asker = { users: [], names: ['ana'] };
    const terms = JSON.stringify({ rule: 'a rule', approvals: 1, approvers: ['U9'], asker });
    const asked = job({
      operation: 'clone.lease',
      target: 'MYSQL_CLONE_SERVER-3',
      inputs: '{}',
      steps: '[]',
      step: 0,
      terms,
      state,
    });
    const labels = jobButtons(asked, 'card', { offers }).map(({ text }) => text.text);
    expect(labels.filter(label => label !== 'Ask again')).toEqual(['Keep for…']);
  },
);

test('the card of a stopped clone offers to start it, and not to stop it once more', () => {
  const stopped = job({
    ...ended,
    ...{ operation: 'clone.stop', target: 'MYSQL_CLONE_SERVER-9', targetName: 'orders_qa', claimed: null },
    state: 'succeeded',
    inputs: '{"database":"MYSQL_CLONE_SERVER-9"}',
    evidence: evidence('STOPPED'),
  });
  expect(buttonsOf(jobCard(stopped, 'card', { offers }))).toEqual(['Start', 'Delete…', 'On a schedule…', notSo]);
});

test('a job in the list of jobs is linked to its message', () => {
  const posted = job({ place: 'C1', messageTs: '1795251600.000100' });
  const address = 'https://example.slack.com/archives/C1/p1795251600000100';
  expect(jobList([posted], { ...frame, workspace: 'https://example.slack.com/' }).text).toContain(
    `<${address}|Message>`,
  );
  expect(jobList([posted], frame).text).not.toContain('archives');
});

test('the list of jobs says why a job failed, and gives no reason for a confirmed one', () => {
  const failed = job({ state: 'failed', reason: 'The environment is full.', endedAt: 1_795_251_700_000, hold: null });
  const list = jobList([failed], frame);
  expect(mrkdwn(list)).toContain('The environment is full.');
  expect(list.text).toContain('The environment is full.');
  const confirmed = job({ state: 'succeeded', reason: 'orders-copy is there.', endedAt: 1_795_251_700_000 });
  expect(mrkdwn(jobList([confirmed], frame))).not.toContain('is there');
  expect(mrkdwn(jobList([], { ...frame, chosenBy: 'by anyone' }))).toContain('There are no jobs by anyone.');
});

test('the list of jobs names each job of a person, or says that there are none', () => {
  const list = jobList(
    told.map(([, change]) => job({ ...change, place: 'C1' })),
    frame,
  );
  isFine(list);
  expect(list.text.match(/Virtual clone of \*orders\*/g)).toHaveLength(told.length);
  expect(mrkdwn(jobList([], frame))).toContain('You have no jobs yet.');
});

test('an overlong answer and its button are cut to what Slack takes', () => {
  isFine(said('x'.repeat(9_000), [runCommand.button(long, long.slice(0, 2_000), { suffix: '1' })]));
});

describe('records', () => {
  const rows = (count: number): RecordView[] =>
    Array.from({ length: count }, (_, at) =>
      recordOf(`MYSQL_LIVE_SERVER-${at + 1}`, { name: `db${at + 1}`, state: 'RUNNING' }),
    );
  const asked = {
    words: [],
    page: 0,
    query: '',
    cut: false,
    operation: 'database.list',
    nouns: ['live', 'clone'],
    now,
  } as const;
  const hostile = recordOf('MYSQL_LIVE_SERVER-7', {
    name: long,
    state: long,
    error: long,
    environment: { id: 'HOST_ENVIRONMENT-1', name: long },
    source: { id: 'MYSQL_LIVE_SERVER-8', name: long },
    port: 3306,
    createdAt: now,
    ...Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`fact ${at} ${evil}`, long])),
    snapshots: Array.from({ length: 300 }, (_, at) => ({
      id: `MYSQL_SNAPSHOT-${at}`,
      name: long,
      createdAt: now - at,
    })),
  });

  test('a list of records says whether it has none, one, or is incomplete', () => {
    expect(recordList([], asked).text).toBe('There are no databases.');
    expect(recordList([], { ...asked, cut: true }).text).toContain('that I could read. There may be more');
    expect(mrkdwn(recordList(rows(1), asked))).toContain('*1 database*');
    expect(mrkdwn(recordList(rows(1), { ...asked, words: ['x'] }))).toContain('*1 database* that matches x');
    expect(mrkdwn(recordList(rows(2), { ...asked, cut: true }))).toContain('This list is incomplete');
    expect(mrkdwn(recordList(rows(2), asked))).not.toContain('incomplete');
  });

  test('hostile records break no limit of Slack and mention nobody', () => {
    const list = recordList(
      Array.from({ length: 30 }, () => hostile),
      { ...asked, words: [long], query: long, page: 1 },
    );
    for (const content of [list, recordDetails(hostile), recordDetails(recordOf('PROJECT-1'))]) {
      isFine(content);
      expect(mentions(content)).toEqual([]);
    }
  });

  test('the details of a record show its state, and its newest snapshots first', () => {
    const details = mrkdwn(
      recordDetails(
        recordOf('MYSQL_LIVE_SERVER-1', {
          name: 'orders',
          state: 'RUNNING',
          snapshots: [
            { id: 'MYSQL_SNAPSHOT-1', createdAt: now - 5_000 },
            { id: 'MYSQL_SNAPSHOT-2', createdAt: now, name: 'nightly' },
          ],
        }),
      ),
    );
    expect(details).toMatch(/RUNNING[\s\S]*nightly `MYSQL_SNAPSHOT-2`[\s\S]*`MYSQL_SNAPSHOT-1`/);
  });

  test('the details of a live database offer a clone, and those of a project do not', () => {
    expect(buttonsOf(recordDetails(recordOf('MYSQL_LIVE_SERVER-1')))).toContain('Clone…');
    expect(buttonsOf(recordDetails(recordOf('PROJECT-1')))).not.toContain('Clone…');
  });
});

test('a quoted reason that is too long ends with an ellipsis', () => {
  expect(quoteOf(Array.from({ length: 9 }, (_, at) => `line ${at}`).join('\n')).split('\n')).toEqual([
    ...Array.from({ length: 7 }, (_, at) => `> line ${at}`),
    '> …',
  ]);
  expect(quoteOf('x'.repeat(600))).toBe(`> ${'x'.repeat(499)}…`);
});

test('a job’s card warns of doubtful values in the request until the job is confirmed', () => {
  const inputs = JSON.stringify({ sourceDatabase: 'MYSQL_LIVE_SERVER-1', cloneType: 'VIRTUALCLONE', port: 80 });
  const cardOf = (change: Partial<JobRow> & { state: JobState }) => JSON.stringify(jobCard(job({ inputs, ...change })));
  expect(cardOf({ ...sent, state: 'sending' })).toContain(':warning: Port: most hosts keep ports below 1024');
  expect(cardOf({ ...ended, state: 'failed', reason: 'Access denied' })).toContain(':warning: Port:');
  expect(cardOf({ ...ended, state: 'succeeded' })).not.toContain(':warning: Port:');
});
