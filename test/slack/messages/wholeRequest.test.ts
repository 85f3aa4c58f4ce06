import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { factOf, valueFactOf } from '../../../src/jobs/approval/facts/fact.ts';
import { digestOf, itemsOf } from '../../../src/jobs/approval/facts/items.ts';
import { digestOfShown } from '../../../src/jobs/approval/facts/shownWhole.ts';
import { markStep } from '../../../src/jobs/plans/planFacts.ts';
import { messageFaults, viewFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { requestPage } from '../../../src/slack/approvals/requestPages.ts';
import { approvalList, approvalRow } from '../../../src/slack/messages/approval/approvalList.ts';
import { jobCard } from '../../../src/slack/messages/jobMessage.ts';
import { planCard } from '../../../src/slack/messages/planMessage.ts';
import type { Fact } from '../../../src/store/jobs/rows/data.ts';
import { isPlan, type JobIn } from '../../../src/store/jobs/rows/job.ts';
import { jobIn } from '../../jobs/jobIn.ts';

/* Whatever an approval binds stands whole where it is given, or there is no button that gives it. */

const names = { db: '/db', clone: '/clone', restore: '/restore' };
const click = { team: 'T1', person: 'U2', channel: 'C1', digest: 'digest' };

const steps = (many: number, nameOf: (at: number) => string) =>
  Array.from({ length: many }, (_, at) => ({
    ...{ operation: 'database.backup', values: { database: `MYSQL_LIVE_SERVER-${at + 1}` }, labels: {} },
    ...{ target: `MYSQL_LIVE_SERVER-${at + 1}`, targetName: nameOf(at) },
  }));

const factsOfAll = (many: number, nameOf: (at: number) => string): readonly Fact[] =>
  Array.from({ length: many }, (_, at) =>
    markStep(
      [
        factOf('identifier', `MYSQL_LIVE_SERVER-${at + 1}`),
        factOf('name', nameOf(at)),
        factOf('environment', 'prod (HOST_ENVIRONMENT-1)', 'HOST_ENVIRONMENT-1'),
        factOf('state', 'RUNNING', 'in service'),
        factOf('port', String(3306 + at)),
        factOf('created', '2026-06-24 09:00 UTC', '1'),
        factOf('dependents', 'none that the records show', ''),
        valueFactOf('description', `what ${at} is for`),
      ],
      at,
    ),
  ).flat();

function plan(many: number, nameOf: (at: number) => string, now = nameOf): JobIn<'awaiting'> {
  return jobIn('awaiting', {
    ...{ operation: 'database.backup.batch', target: 'MYSQL_LIVE_SERVER-1', targetName: nameOf(0), step: 0 },
    ...{ steps: JSON.stringify(steps(many, nameOf)), facts: JSON.stringify(factsOfAll(many, now)) },
  });
}

const cardOf = (job: JobIn<'awaiting'>) =>
  isPlan(job) ? planCard({ plan: job, jobs: [] }, { part: 'card', asker: '*Ana*', names }) : jobCard(job);

/** All pages behind the button of a card, as texts. */
function pagesOf(job: JobIn<'awaiting'>): readonly string[] {
  const first = requestPage(job, click, 0);
  const many = Number(/of (\d+)/.exec(first.title.text)?.[1] ?? 1);
  const pages = Array.from({ length: many }, (_, at) => requestPage(job, click, at));
  expect(pages.flatMap(page => viewFaults(page, 'modal'))).toEqual([]);
  expect(pages.map(({ submit }) => submit?.text)).toEqual([...Array(many - 1).fill(undefined), 'Approve']);
  return pages.map(page => JSON.stringify(page));
}

/** What of the bound values, steps and facts does not stand in a text. */
function missingIn(job: JobIn<'awaiting'>, text: string): readonly string[] {
  const bound = itemsOf(job, job.approval.facts).flatMap(({ key, shown }) =>
    /beware$/.test(key) ? [] : shown.flatMap(one => one.slice(0, 2).filter(text => text !== undefined)),
  );
  const said = text.replaceAll('&amp;', '&');
  return bound.filter(
    one =>
      one !== 'Dependents' &&
      one.length <= 500 &&
      !/^\d{4}-/.test(one) &&
      !said.includes(one.replace(/^\d+\. (?!Backup)/, '')),
  );
}

const long = (at: number) => `customer-orders-of-the-european-region-with-a-very-long-name-${at}-eu-west-${at}`;
const cases: readonly (readonly [string, JobIn<'awaiting'>])[] = [
  ['one deletion', jobIn('awaiting', { facts: JSON.stringify([factOf('name', 'orders'), factOf('port', '3306')]) })],
  ['two steps', plan(2, at => `shop-${at}`)],
  ['nine steps', plan(9, at => `shop-${at}`)],
  ['twenty-five steps', plan(25, long)],
  ['sixty steps', plan(60, at => `db${at}`)],
  ['250 steps of long names', plan(250, long)],
  [
    'a target on which one depends that is called like nothing',
    jobIn('awaiting', {
      facts: JSON.stringify([
        factOf('name', 'orders'),
        {
          ...factOf('dependents', undefined, 'MYSQL_CLONE_SERVER-7'),
          value: 'none that the records show (MYSQL_CLONE_SERVER-7)',
        },
      ]),
    }),
  ],
  [
    'a name that holds a time',
    jobIn('awaiting', { facts: JSON.stringify([factOf('name', 'copy of 2026-11-21 09:00:10 UTC')]) }),
  ],
  [
    'what an earlier step brings',
    jobIn('awaiting', {
      ...{ operation: 'clone.renew', target: 'MYSQL_CLONE_SERVER-1', targetName: 'shop-1', step: 0, facts: '[]' },
      steps: JSON.stringify([
        ...steps(1, () => 'shop'),
        {
          ...{ operation: 'clone.create', labels: {}, target: 'MYSQL_LIVE_SERVER-1', targetName: 'shop' },
          values: { sourceDatabase: 'MYSQL_LIVE_SERVER-1', snapshot: { step: 0, brings: 'snapshot' } },
        },
      ]),
    }),
  ],
  [
    'a target on which hundreds depend',
    jobIn('awaiting', {
      facts: JSON.stringify([
        factOf('name', 'orders'),
        {
          ...factOf('dependents', undefined, 'x'),
          value: Array.from({ length: 300 }, (_, at) => `dev-${at} (MYSQL_CLONE_SERVER-${at})`).join(', '),
        },
      ]),
    }),
  ],
];

test.each(cases)(
  'a request with %s is approved where all of it stands, on its card or on at most four pages',
  (_, job) => {
    const card = cardOf(job);
    for (const blocks of [card.blocks, card.plain ?? []]) {
      expect(messageFaults(blocks)).toEqual([]);
      const text = JSON.stringify(blocks);
      if (blocks.length > 0) expect(text).toContain('Deny…');
      if (blocks.length > 0 && !text.includes('Read all and decide…')) {
        expect(text).toContain('Approve…');
        expect(missingIn(job, text)).toEqual([]);
      } else expect(text).not.toContain('Approve…');
      expect(text).not.toContain('The rest does not fit');
    }
    const pages = pagesOf(job);
    expect(pages.length).toBeLessThanOrEqual(4);
    expect(missingIn(job, pages.join())).toEqual([]);
  },
);

test('a row of the approval list has Approve only if it shows the whole request, and otherwise leads to pages', () => {
  for (const [, job] of cases) {
    const text = JSON.stringify(approvalRow(job));
    expect(text).toContain('Deny…');
    expect(text.includes('Approve…')).toBe(!text.includes('Read all and decide…'));
    if (text.includes('Approve…')) expect(missingIn(job, text)).toEqual([]);
  }
});

test('the approval list shows as many requests as fit whole, and says how many wait', () => {
  const jobs = Array.from({ length: 5 }, (_, at) =>
    jobIn('awaiting', {
      ...{ id: `job-${at}`, purpose: 'p'.repeat(490) },
      facts: JSON.stringify([
        factOf('name', 'orders'),
        {
          ...factOf('dependents', undefined, 'a b'),
          value: Array.from({ length: 150 }, (_, dev) => `dev-${dev} (MYSQL_CLONE_SERVER-${dev})`).join(', '),
        },
      ]),
    }),
  );
  const { blocks } = approvalList(jobs, 7);
  const text = JSON.stringify(blocks);
  const many = text.match(/"text":"Deny…"/g)?.length ?? 0;
  expect(messageFaults(blocks)).toEqual([]);
  expect(many).toBeGreaterThan(1);
  expect(text).toContain(`7 wait for approval; the oldest ${many}:`);
  expect(text).not.toContain('does not fit');
});

test('no part of a password of several words is shown, whatever became of its request', () => {
  const databaseParams = [{ name: 'root_password', type: 'STRING', value: 'correct horse battery' } as const];
  const values = { sourceDatabase: 'MYSQL_LIVE_SERVER-1', mountBase: `/mnt/${'m'.repeat(690)}`, databaseParams };
  for (const state of ['awaiting', 'denied', 'withdrawn', 'running', 'succeeded', 'failed'] as const) {
    const job = { ...jobIn(state, { operation: 'clone.create', target: 'MYSQL_LIVE_SERVER-1' }), values };
    for (const shown of [jobCard(job), ...(job.state === 'awaiting' ? [approvalList([job], 1)] : [])])
      expect(JSON.stringify(shown)).not.toMatch(/horse|battery/);
  }
});

test('each step on a plan’s card has its whole identifier, and a long name cut in the middle', () => {
  const text = JSON.stringify(cardOf(plan(250, long)).blocks);
  const lines = [...text.matchAll(/(\d+)\. (Backup of [^`]*?) `(MYSQL_LIVE_SERVER-\d+)`/g)];
  expect(lines.length).toBeGreaterThan(10);
  for (const [, at = '', name = '', id] of lines) {
    expect(id).toBe(`MYSQL_LIVE_SERVER-${at}`);
    expect(name).toMatch(new RegExp(`^Backup of customer.*…-?.*eu-west-${Number(at) - 1}$`));
  }
  expect(text).toMatch(/… and \d+ steps more|… and \d+ more|and \d+ steps? more/);
  expect(text).toContain('250 steps');
});

test('a request to approve shows the name that its record has now, and not the one of the form', () => {
  const renamed = plan(
    3,
    at => `old-${at}`,
    at => `new-${at}`,
  );
  for (const text of [JSON.stringify(cardOf(renamed).blocks), ...pagesOf(renamed)])
    expect(text).toContain('Backup of new-2');
  for (const text of [
    JSON.stringify(cardOf(renamed).blocks),
    ...pagesOf(renamed),
    JSON.stringify(approvalRow(renamed)),
  ])
    expect(text).not.toContain('old-2');
});

describe('the digest', () => {
  const facts = [factOf('name', 'orders'), factOf('state', 'RUNNING', 'in service')];
  const digestBefore = (covers: unknown) =>
    createHash('sha256').update(JSON.stringify(covers)).digest('hex').slice(0, 32);
  const seen = [
    ['name', 'orders'],
    ['state', 'in service'],
  ];

  test('the digest of a request without secrets is that of release 0.2.0, byte for byte', () => {
    const values = {
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      port: 3310,
      databaseParams: [{ name: 'a', type: 'STRING', value: 'b' } as const],
    };
    const one = { operation: 'clone.create', values, labels: { x: 'y' } };
    expect(digestOfShown(one, facts)).toEqual({ digest: digestBefore(['clone.create', values, seen]) });
    const many = { operation: 'database.backup.batch', values: {}, labels: {}, steps: steps(2, at => `s${at}`) };
    expect(digestOfShown(many, facts)).toEqual({ digest: digestBefore([many.operation, {}, many.steps, seen]) });
    const none = { ...many, steps: [] };
    expect(digestOfShown(none, facts)).toEqual({ digest: digestBefore([many.operation, {}, [], seen]) });
  });

  test('the digest depends neither on labels nor on the words in which a fact is told', () => {
    const request = { operation: 'x', values: {}, labels: {} };
    const reworded = facts.map(one => ({ ...one, label: `${one.label}!`, value: `${one.value}!` }));
    expect(digestOfShown({ ...request, labels: { a: 'b' } }, reworded)).toEqual(digestOfShown(request, facts));
  });

  test('the digest of a request with a secret tells nothing to whoever tries passwords', () => {
    const guesses = ['Winter', 'Spring', 'Summer', 'Autumn'].flatMap(word =>
      Array.from({ length: 30 }, (_, year) => `${word}20${10 + year}!`),
    );
    const request = (value: string) => ({
      ...{ operation: 'clone.create', labels: {} },
      values: {
        sourceDatabase: 'MYSQL_LIVE_SERVER-1',
        databaseParams: [{ name: 'password', type: 'STRING', value } as const],
      },
    });
    const kept = digestOfShown(request('Winter2026!'), facts);
    if (!('digest' in kept) || kept.salt === undefined) throw new Error('it has no salt');
    const [note = ''] = itemsOf(request('Winter2026!'), facts, kept.salt).flatMap(({ shown }) =>
      shown.flatMap(([, , secret]) => secret ?? []),
    );
    expect(note).toMatch(/^[0-9a-f]{8}$/);
    const tried = guesses.flatMap(guess => {
      const own = itemsOf(request(guess), facts);
      return [
        digestOf(request(guess), own),
        digestBefore([guess]),
        digestBefore([request(guess).operation, request(guess).values, seen]),
      ];
    });
    for (const one of tried) {
      expect(kept.digest).not.toBe(one);
      expect(one.startsWith(note)).toBe(false);
    }
    expect(digestOfShown(request('Winter2026!'), facts)).not.toEqual(kept);
    const again = itemsOf(request('Summer2026!'), facts, kept.salt).flatMap(({ shown }) =>
      shown.flatMap(([, , secret]) => secret ?? []),
    );
    expect(again[0]).not.toBe(note);
  });

  test('the card of a request from before there were salts shows nothing of its secret', () => {
    const params = [{ name: 'password', type: 'STRING', value: 'hunter2' } as const];
    const waiting = {
      ...jobIn('awaiting', { operation: 'clone.create', target: 'MYSQL_LIVE_SERVER-1' }),
      values: { sourceDatabase: 'MYSQL_LIVE_SERVER-1', databaseParams: params },
    };
    const text = JSON.stringify(jobCard(waiting).blocks);
    expect(text).toContain('`password:STRING=` _is a secret_');
    expect(text).not.toMatch(/hunter2|7 characters/);
  });
});
