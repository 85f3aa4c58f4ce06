import { describe, expect, test } from 'vitest';
import { type Deed, deedsInTrail, noteOfMade, pastOf, peopleOf } from '../../../src/jobs/memory/past.ts';
import type { Entry } from '../../../src/store/tables/audit/auditSearch.ts';

const record = 'MYSQL_CLONE_SERVER-4';

function deed(at: number, change: Partial<Deed>): Deed {
  return {
    ...{ job: `job-${at}`, operation: 'database.backup', title: 'Backup', made: false, person: 'U1', askedAt: at, at },
    ...{ decisions: [], state: 'succeeded', reason: null, purpose: null, wasShown: true, places: [], marks: {} },
    ...change,
  };
}

const past = (deeds: readonly Deed[], wanted?: string) =>
  pastOf({ record, wanted, deeds, leases: [], keeper: undefined });

const crm = { name: 'crm-qa', madeAt: 1_000 };
const erp = { name: 'erp-qa', madeAt: 5_000 };
const twice = [
  deed(1, { made: true, operation: 'clone.create', person: 'U_CRM', marks: crm }),
  deed(2, { operation: 'database.delete', marks: crm }),
  deed(6, { made: true, operation: 'clone.create', person: 'U_ERP', marks: erp }),
  deed(7, { marks: { name: 'erp-qa' } }),
];

describe('a number that was used again', () => {
  test('a number that was used again tells the past of the later record, which is there', () => {
    const found = past(twice);
    expect(found).toMatchObject({ name: 'erp-qa', maker: 'U_ERP', holder: 'U_ERP', deletion: undefined });
    expect(found?.deeds.map(({ at }) => at)).toEqual([7, 6]);
  });

  test('the past of an earlier record whose number was used again is found by its name, in any case of letters', () => {
    const found = past(twice, 'CRM-QA');
    expect(found).toMatchObject({ name: 'crm-qa', maker: 'U_CRM', deletion: { at: 2 } });
    expect(found?.deeds.map(({ at }) => at)).toEqual([2, 1]);
  });

  test('a deed without name and creation time counts for no record where its number was used twice', () => {
    const bare = deed(8, {});
    expect(past([...twice, bare])?.deeds).not.toContain(bare);
    expect(past([...twice.slice(0, 2), bare])?.deeds).toContain(bare);
  });

  test('a lease tells the holder of the record for which it was made, and not of a later one with the number', () => {
    const keeper = { person: 'U_LEASE', ...crm };
    expect(pastOf({ record, deeds: twice, leases: [], keeper })?.holder).toBe('U_ERP');
    expect(pastOf({ record, deeds: twice, leases: [], keeper: { ...keeper, ...erp } })?.holder).toBe('U_LEASE');
  });
});

test('a record that was made again after its deletion is not told as deleted', () => {
  expect(
    past([deed(1, { operation: 'database.delete', marks: crm }), deed(3, { made: true, marks: crm })]),
  ).toMatchObject({
    deletion: undefined,
  });
  expect(past([deed(1, { operation: 'database.delete', state: 'failed', marks: crm })])?.deletion).toBeUndefined();
});

test('the past of a record names those who decided, and those who asked and were shown the record', () => {
  const deeds = [
    deed(1, { person: 'U_VAIN', wasShown: false, state: 'failed', marks: crm }),
    deed(2, { person: 'U_ASKED', decisions: [{ person: 'U_SAID_NO', type: 'denied' }], marks: crm }),
  ];
  expect([...peopleOf(past(deeds) ?? expect.fail())].sort()).toEqual(['U_ASKED', 'U_SAID_NO']);
});

describe('the trail alone', () => {
  const entry = (id: number, event: string, change: Partial<Entry> = {}): Entry => ({
    ...{ id: `0000-${id}`, at: id, team: 'T1', event, actor: 'dolly', person: 'U1', login: 'ana', channel: 'C1' },
    ...{ operation: 'database.delete', target: record, targetName: 'crm-qa', job: 'J1', detail: null },
    ...change,
  });

  test('the audit trail alone tells who asked for a deed, who decided and how it came out', () => {
    const entries = [
      entry(4, 'succeeded', { detail: 'crm-qa is gone.' }),
      entry(3, 'approved', { actor: 'U2' }),
      entry(2, 'awaiting'),
      entry(1, 'asked', { actor: 'U1', detail: 'not needed' }),
    ];
    expect(deedsInTrail(record, entries)).toMatchObject([
      {
        ...{ job: 'J1', person: 'U1', state: 'succeeded', at: 4, reason: 'crm-qa is gone.', purpose: 'not needed' },
        ...{ decisions: [{ person: 'U2', type: 'approved' }], wasShown: true, made: false, places: ['C1'] },
      },
    ]);
  });

  test('the audit trail alone tells that a job made a record, by the note of its end', () => {
    const detail = `crm-qa is there. ${noteOfMade(record)}`;
    const [made] = deedsInTrail(record, [
      entry(1, 'succeeded', { operation: 'clone.create', target: 'MYSQL_LIVE_SERVER-2', targetName: 'crm', detail }),
    ]);
    expect(made).toMatchObject({ made: true, person: 'U1', marks: {} });
  });
});
