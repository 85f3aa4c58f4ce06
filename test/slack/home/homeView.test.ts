import { describe, expect, test } from 'vitest';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import { statusRow } from '../../../src/features/protection/statusInHome.ts';
import { scheduleRows } from '../../../src/features/schedules/schedulesInHome.ts';
import { consentBlocks } from '../../../src/features/workflows/consent/consentMessages.ts';
import { viewFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { elementsOf } from '../../../src/sandbox/playground/elements.ts';
import { recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import { plain } from '../../../src/slack/blocks/mrkdwn.ts';
import { areTaken } from '../../../src/slack/home/firstSteps.ts';
import { clonesPerPage, pageOfClones } from '../../../src/slack/home/homeClones.ts';
import { Pages } from '../../../src/slack/home/homePages.ts';
import { closedHome, type HomeData, homeView, presetsInHome, rowsPerPage } from '../../../src/slack/home/homeView.ts';
import type { Page } from '../../../src/store/jobs/reading.ts';
import type { Job, JobState } from '../../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import type { Preset } from '../../../src/store/tables/presets.ts';
import { estate, summaryOf } from '../../features/protection/estate.ts';
import { aSchedule } from '../../features/schedules/aSchedule.ts';
import { aboutShop, aConsent } from '../../features/workflows/aConsent.ts';
import { offers } from '../../house.ts';
import { job, recordOf } from '../../jobs/rows.ts';
import { textOf } from '../../sandbox/playground/blockText.ts';

const evil = '<!channel> <@U9> <http://x|y> & `*_~ \u202e\u0007 🐑 "\\';
const long = evil.repeat(30).slice(0, 500);
const amps = '&'.repeat(500);

const page = <T>(rows: readonly T[], all = rows.length, at = 0, size = 5): Page<T> => ({ rows, all, page: at, size });
const empty: HomeData = {
  service: 'https://service.example',
  command: '/db',
  signIn: { username: 'ana', since: 0 },
  underWay: page([]),
  approvals: page([]),
  ended: page([]),
  clones: { type: 'shown', page: page([]), mine: 0, isCut: false },
  notes: new Map(),
  sections: { top: [], middle: [], below: [] },
  offers,
  presets: [],
  person: 'U1',
};
const say = (data: Partial<HomeData>) => textOf(homeView({ ...empty, ...data }).blocks);

const jobs = (many: number, change: Partial<JobRow> & { state: JobState }): readonly Job[] =>
  Array.from({ length: many }, (_, at) =>
    job({ id: `0a6e9c1e-0000-4000-8000-${String(at).padStart(12, '0')}-${change.state}`, ...change }),
  );

const clones = (many: number, fields: object = {}): readonly RecordView[] =>
  Array.from({ length: many }, (_, at) =>
    recordOf(`MYSQL_CLONE_SERVER-${at + 1}`, { name: `clone-${at + 1}`, state: 'RUNNING', ...fields }),
  );

const presetOf = (id: string, name: string): Preset => ({
  ...{ id, team: 'T1', scope: 'workspace', holder: '', person: 'U2', operation: 'clone.create', name },
  ...{ inputs: { sourceDatabase: 'MYSQL_LIVE_SERVER-1', port: name }, labels: { 'MYSQL_LIVE_SERVER-1': name } },
  ...{ revision: 1, createdAt: 0, usedAt: 0 },
});

/** The buttons of a Home by what stands on them, with what they bring back. */
function buttonsOf(data: HomeData): [string, string][] {
  return homeView(data).blocks.flatMap(block =>
    elementsOf({ ...block })
      .filter(({ element }) => element.type === 'button')
      .map(({ element }): [string, string] => [textOf(element.text), stringOf(element.value)]),
  );
}

describe('the heaviest user’s Home', () => {
  const facts = JSON.stringify(
    Array.from({ length: 20 }, () => ({ key: 'value a', label: amps, value: amps, compared: amps })),
  );
  const terms = JSON.stringify({ rule: amps, approvals: 2, approvers: ['U1'], asker: { users: [], names: ['ana'] } });
  const waiting = { terms, facts, digest: 'abc', purpose: long, expiresAt: 1, operation: 'database.delete' };

  test.each([
    ['hostile', long],
    ['all to be escaped', amps],
    ['empty', ''],
  ])('the heaviest user’s Home is within Slack’s limits, with names that are %s', async (_, name) => {
    const words = {
      targetName: name,
      reason: name,
      purpose: name,
      inputs: JSON.stringify({ database: 'MYSQL_LIVE_SERVER-1' }),
    };
    const records = clones(5_000, { name, state: name, environment: { id: 'HOST_ENVIRONMENT-1', name } });
    const data: HomeData = {
      service: 'https://service.example',
      command: '/db',
      signIn: { username: name, since: Date.UTC(2026, 10, 21) },
      underWay: page(jobs(rowsPerPage.underWay, { ...waiting, ...words, state: 'awaiting' }), 200, 20),
      approvals: page(jobs(rowsPerPage.approvals, { ...waiting, ...words, state: 'awaiting' }), 100, 20, 3),
      ended: page(jobs(rowsPerPage.ended, { ...words, operation: 'database.delete', state: 'failed' }), 1_800, 20),
      clones: await pageOfClones({ records, cut: true }, new Set(['MYSQL_CLONE_SERVER-3']), 0),
      notes: new Map(records.map(({ id }) => [id.text, plain(name, 80)])),
      offers,
      sections: {
        top: [],
        middle: [
          statusRow(
            await summaryOf(
              Array.from({ length: 20 }, (_, at) => ({
                ...{ id: `MYSQL_LIVE_SERVER-${at}`, name, state: 'FAILED', error: name },
              })),
            ),
          ),
        ],
        below: [
          ...scheduleRows(
            Array.from({ length: 6 }, (_, at) => aSchedule({ id: `s${at}`, targetName: name, reason: name })),
          ),
          ...consentBlocks(
            Array.from({ length: 6 }, (_, at) =>
              aConsent({ id: `g${at}`, workflow: name, about: { ...aboutShop, asks: name } }),
            ),
          ),
        ],
      },
      presets: Array.from({ length: presetsInHome }, (_, at) => presetOf(`p${at}`, name)),
      person: 'U1',
    };
    // A page holds different jobs in each of its lists.
    const other = {
      ...data,
      approvals: { ...data.approvals, rows: data.approvals.rows.map(one => ({ ...one, id: `${one.id}-other` })) },
    };
    const view = homeView(other);
    expect(viewFaults(view, 'home')).toEqual([]);
    expect(view.blocks.length).toBeLessThan(100);
    expect(Buffer.byteLength(JSON.stringify(view))).toBeLessThan(250_000);
    const marked = [...JSON.stringify(view).matchAll(/"type":"mrkdwn","text":"((?:[^"\\]|\\.)*)"/g)].map(
      ([, text]) => text,
    );
    expect(marked.length).toBeGreaterThan(20);
    expect(marked.filter(text => /<!(?!date\^)|<@U9>|<http/.test(text ?? ''))).toEqual([]);
  });

  test('the Home of somebody who is not served is within Slack’s limits', () => {
    expect(viewFaults(closedHome(amps), 'home')).toEqual([]);
  });
});

test('Home shows first what waits for the person’s approval, then what is theirs and under way', () => {
  const waiting = {
    state: 'awaiting',
    terms: '{"rule":"r","approvals":1,"approvers":[],"asker":{"users":[],"names":["ana"]}}',
    facts: '[]',
  } as const;
  const text = say({ approvals: page(jobs(1, waiting)), underWay: page(jobs(1, { state: 'running' })) });
  expect(text).toMatch(/^Waits for your approval[\s\S]*Signed in[\s\S]*Under way[\s\S]*Clones[\s\S]*Recent jobs/);
});

describe('the lists', () => {
  test('a list in Home says which rows it shows, and turning it keeps the pages of the other lists', () => {
    const data = {
      ...empty,
      ended: page(jobs(5, { state: 'failed' }), 12, 1),
      underWay: page(jobs(1, { state: 'running' }), 6, 1),
    };
    expect(say(data)).toContain('Recent jobs · 6–10 of 12');
    expect(say(data)).toContain('Under way · 6 of 6');
    const turns = buttonsOf(data).filter(([label]) => label === 'Next' || label === 'Previous');
    expect(turns.map(([label, value]) => [label, Pages.parse(JSON.parse(value))])).toEqual([
      ['Previous', { underWay: 0, approvals: 0, ended: 1, clones: 0 }],
      ['Previous', { underWay: 1, approvals: 0, ended: 0, clones: 0 }],
      ['Next', { underWay: 1, approvals: 0, ended: 2, clones: 0 }],
    ]);
  });

  test('a list in Home that fits on one page has no buttons to turn it', () => {
    const labels = buttonsOf({ ...empty, ended: page(jobs(5, { state: 'failed' })) }).map(([label]) => label);
    expect(labels).not.toContain('Next');
    expect(labels).not.toContain('Previous');
    expect(say({ ended: page(jobs(5, { state: 'failed' })) })).not.toContain('of 5');
  });

  test('the lists in Home begin at their first pages where a button brings back nonsense', () => {
    for (const value of [undefined, 'x', [], null, { clones: -1, ended: 'two' }])
      expect(Pages.parse(value)).toEqual({ underWay: 0, approvals: 0, ended: 0, clones: 0 });
  });
});

describe('a job under way', () => {
  test('a job under way in Home has the buttons of its card, but none with which its requester decides', () => {
    const labels = (change: Partial<JobRow> & { state: JobState }) =>
      buttonsOf({ ...empty, underWay: page(jobs(1, change)) }).map(([label]) => label);
    expect(labels({ state: 'running' })).toEqual(expect.arrayContaining(['Check now', 'Stop checking']));
    expect(labels({ state: 'new', hold: 'busy' })).toContain('Withdraw');
    const waiting = labels({
      state: 'awaiting',
      terms: '{"rule":"r","approvals":1,"approvers":[],"asker":{"users":[],"names":["ana"]}}',
      facts: '[]',
    });
    expect(waiting).toContain('Withdraw');
    expect(waiting).not.toContain('Approve');
    expect(waiting).not.toContain('Deny');
  });
});

describe('clones', () => {
  const records = clones(20);

  test('Home lists the clones that the person’s jobs made first, then all others, each by name as people count', async () => {
    const made = new Set(['MYSQL_CLONE_SERVER-12', 'MYSQL_CLONE_SERVER-9', 'MYSQL_CLONE_SERVER-999']);
    const shown = await pageOfClones({ records, cut: false }, made, 0);
    const text = say({ clones: shown });
    expect(text).toContain(`Clones · 1–${clonesPerPage} of 20`);
    expect(text).toMatch(/Yours\*\nclone-9\n[\s\S]*clone-12\n[\s\S]*Others that you can see\*\n\*clone-1\*/);
    const second = say({ clones: await pageOfClones({ records, cut: false }, made, 1) });
    expect(second).not.toContain('Yours');
    expect(second).toContain('Others that you can see');
  });

  test('Home shows a person’s own clones as cards with buttons, or as a row where a card has too little room', async () => {
    const made = new Set(['MYSQL_CLONE_SERVER-1', 'MYSQL_CLONE_SERVER-2']);
    const shown = await pageOfClones({ records: clones(3), cut: false }, made, 0);
    const notes = new Map([['MYSQL_CLONE_SERVER-2', long]]);
    const { blocks } = homeView({ ...empty, clones: shown, notes });
    const kinds = blocks.flatMap(({ type, block_id: id = '' }) => (id.startsWith('MYSQL_') ? [`${id} ${type}`] : []));
    expect(kinds).toEqual([
      'MYSQL_CLONE_SERVER-1 card',
      'MYSQL_CLONE_SERVER-2 section',
      'MYSQL_CLONE_SERVER-3 section',
    ]);
    expect(buttonsOf({ ...empty, clones: shown }).filter(([, id]) => id === 'MYSQL_CLONE_SERVER-1')).toEqual([
      ['Stop', 'MYSQL_CLONE_SERVER-1'],
      ['Renew…', 'MYSQL_CLONE_SERVER-1'],
      ['Details', 'MYSQL_CLONE_SERVER-1'],
    ]);
  });

  test('Home counts a live database as a clone only where a job of the person made it', async () => {
    const live = [7, 8].map(number => recordOf(`MYSQL_LIVE_SERVER-${number}`, { name: `live-${number}` }));
    const text = say({
      clones: await pageOfClones({ records: live, cut: false }, new Set(['MYSQL_LIVE_SERVER-7']), 0),
    });
    expect(text).toContain('live-7');
    expect(text).not.toContain('live-8');
  });

  test('Home shows the last clones where a page beyond the last one is asked for', async () => {
    const text = say({ clones: await pageOfClones({ records, cut: false }, new Set(), 9) });
    expect(text).toContain('Clones · 17–20 of 20');
  });

  test('Home says in one sentence why it shows no clones, or that their list is incomplete', async () => {
    expect(say({ clones: { type: 'fault', sentence: 'The service is down.' } })).toContain('The service is down.');
    expect(say({ clones: { type: 'looking' } })).toContain('The service has not answered yet.');
    expect(say({ clones: await pageOfClones({ records: [], cut: false }, new Set(), 0) })).toContain(
      'There are no clones',
    );
    expect(say({ clones: await pageOfClones({ records, cut: true }, new Set(), 0) })).toContain(
      'This list is incomplete',
    );
  });
});

test('Home welcomes a person who is not signed in, with their jobs if there are any, and without clones', () => {
  const out = { signIn: undefined };
  expect(say(out)).toContain('Welcome to Dolly');
  expect(say(out)).not.toMatch(/Under way|Clones/);
  expect(say({ ...out, underWay: page(jobs(1, { state: 'new', hold: 'sign-in' })) })).toContain('Under way');
});

describe('the first steps', () => {
  const steps = { username: undefined, hasClone: false, hasSeenApprovals: false, approvalChannel: undefined };
  const signs = (data: Partial<HomeData>) =>
    [...say(data).matchAll(/:(white_\w+): \*(\d)\./g)].map(([, sign, at]) => `${at} ${sign}`);

  test('the first steps in Home are three, each with its state, and come last', () => {
    const out = say({ signIn: undefined, steps });
    expect(out).toMatch(/Welcome to Dolly[\s\S]*Your first steps[\s\S]*wait where it was asked for/);
    expect(signs({ signIn: undefined, steps })).toEqual([
      '1 white_large_square',
      '2 white_large_square',
      '3 white_large_square',
    ]);
    const taken = { ...steps, username: 'ana', hasClone: true, approvalChannel: 'C9' };
    expect(say({ steps: taken })).toMatch(/Signed in[\s\S]*Under way[\s\S]*Your first steps[\s\S]*wait in <#C9>/);
    expect(signs({ steps: taken })).toEqual(['1 white_check_mark', '2 white_check_mark', '3 white_large_square']);
    const view = homeView({ ...empty, steps: taken });
    expect(viewFaults(view, 'home')).toEqual([]);
  });

  test('the first steps in Home offer a clone to whoever is signed in and has none, and can be hidden', () => {
    const clones = (change: object) =>
      buttonsOf({ ...empty, steps: { ...steps, ...change } }).filter(([label]) => label === 'Clone…').length;
    expect([clones({}), clones({ username: 'ana' }), clones({ username: 'ana', hasClone: true })]).toEqual([1, 2, 1]);
    expect(buttonsOf({ ...empty, steps })).toContainEqual(['Hide these steps', 'over']);
  });

  test('Home shows first steps only to people who still have some, and drops them where its lists fill it', async () => {
    expect(say({})).not.toContain('first steps');
    const full = { ended: page(jobs(50, { state: 'failed' })), steps };
    expect(homeView({ ...empty, ...full }).blocks).toHaveLength(100);
    expect(say(full)).not.toContain('first steps');
  });

  test.each([
    [{}, false],
    [{ username: 'ana', hasSeenApprovals: true }, false],
    [{ hasClone: true, hasSeenApprovals: true }, false],
    [{ username: 'ana', hasClone: true }, true],
  ])('the first steps count as all taken for %o: %s', (change, is) => {
    expect(areTaken({ ...steps, ...change })).toBe(is);
  });
});

test('the blocks of a job in Home keep their ids while the rest changes, so that a click still finds them', () => {
  const ids = (data: Partial<HomeData>) =>
    recordsOf(homeView({ ...empty, ...data }).blocks.map(block => ({ ...block }))).map(block =>
      stringOf(block.block_id),
    );
  const [one] = jobs(1, { state: 'running' });
  const before = ids({ underWay: page(one ? [one] : []) }).filter(Boolean);
  const after = ids({ underWay: page(one ? [one] : []), ended: page(jobs(3, { state: 'failed' })) });
  expect(before.length).toBeGreaterThan(2);
  expect(after).toEqual(expect.arrayContaining(before));
});

test('Home says how many of the databases are protected, with a button that shows the status', async () => {
  const signIn = { username: 'ana', since: 0 };
  const middle = [statusRow(await summaryOf(estate))];
  const data = { ...empty, signIn, sections: { ...empty.sections, middle } };
  // What is the person’s own stands before it.
  expect(say(data)).toMatch(/Signed in[\s\S]*Under way[\s\S]*1 of 5 databases protected/);
  expect(buttonsOf(data)).toContainEqual(expect.arrayContaining(['Show the status']));
});
