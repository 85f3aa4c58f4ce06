import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { packIdentifiers } from '../../../src/jobs/evidence/baseline.ts';
import { candidates, likenessOf, type WishedRecord } from '../../../src/jobs/evidence/newRecords/likeness.ts';
import { type Appears, type Likeness, newRecord } from '../../../src/operations/proofs.ts';
import { recordOf } from '../rows.ts';

const source = 'MYSQL_LIVE_SERVER-1';
const like: Likeness = {
  source,
  environment: 'HOST_ENVIRONMENT-4',
  port: 3310,
  names: { databaseName: 'QA' },
};

const orders = recordOf(source, { name: 'orders' });

const virtual = (change: Partial<Likeness> = {}) => newRecord(['clone'], { ...like, ...change }, 'medium');
const physical = (change: Partial<Likeness> = {}) => newRecord(['clone', 'live'], { ...like, ...change }, 'long');
const loose = (change: Partial<Likeness> = {}) => newRecord(['clone'], { source, ...change }, 'medium');

function wishFor(proof: Appears, change: Partial<WishedRecord> = {}): WishedRecord {
  return { proof, vendor: 'MYSQL', baseline: { ids: {} }, login: 'maria', sentAt: 0, now: 0, ...change };
}

function fits(
  wish: WishedRecord,
  fields: object,
  id = 'MYSQL_CLONE_SERVER-2',
  others: readonly object[] = [],
): boolean {
  const record = recordOf(id, fields);
  const all = [record, orders, ...others.map((other, at) => recordOf(`MYSQL_LIVE_SERVER-${20 + at}`, other))];
  return candidates(wish, [record], { all }).length === 1;
}

describe('a record may be the one that is waited for', () => {
  test.each([
    ['it shows nothing but its identifier', {}],
    [
      'all that it shows agrees',
      { databaseName: 'qa', port: 3310, source: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-4' },
    ],
    ['the name that was typed stands under a key of its own', { name: 'Clone of orders', instance: 'QA' }],
    ['its source stands in an object', { source: { id: source, name: 'orders' } }],
  ])('a new record may be the one that a job waits for where %s', (_, fields) => {
    expect(fits(wishFor(virtual()), fields)).toBe(true);
  });

  test.each([
    ['source', { source: 'MYSQL_LIVE_SERVER-2' }],
    ['source, a clone where a live database was asked for', { source: 'MYSQL_CLONE_SERVER-1' }],
    ['environment', { environment: 'HOST_ENVIRONMENT-5' }],
    ['port', { port: 3311 }],
    ['name in the field of the name', { databaseName: 'other', comment: 'QA' }],
    ['name', { name: 'other' }],
  ])('a new record is not the one that a job waits for where another %s contradicts', (_, fields) => {
    expect(fits(wishFor(virtual()), fields)).toBe(false);
  });

  test('a record that was there before is not the one that a job waits for', () => {
    const baseline = { ids: packIdentifiers([recordOf('MYSQL_CLONE_SERVER-2')]) };
    const wish = wishFor(virtual(), { baseline });
    expect(fits(wish, {})).toBe(false);
    expect(fits(wish, {}, 'MYSQL_CLONE_SERVER-3')).toBe(true);
  });

  test.each(['ORACLE_CLONE_DATABASE-2', 'MYSQL_LIVE_SERVER-2', 'MYSQL_SNAPSHOT-2', 'WHATEVER-2'])(
    'a record with the identifier %s is not the MySQL clone that a job waits for',
    id => {
      expect(fits(wishFor(virtual()), {}, id)).toBe(false);
    },
  );

  test('of several possible records the likeliest comes first, then the kind that was asked for, then the older', () => {
    const all = [
      recordOf('MYSQL_LIVE_SERVER-9', { port: 3310, environment: 'HOST_ENVIRONMENT-4' }),
      recordOf('MYSQL_CLONE_SERVER-12'),
      recordOf('MYSQL_CLONE_SERVER-9'),
      recordOf('MYSQL_CLONE_SERVER-30', { port: 3310, environment: 'HOST_ENVIRONMENT-4', databaseName: 'qa' }),
      recordOf('MYSQL_CLONE_SERVER-31', { port: 3310, environment: 'HOST_ENVIRONMENT-4' }),
    ];
    expect(candidates(wishFor(physical()), all).map(({ record }) => record.id.text)).toEqual([
      'MYSQL_CLONE_SERVER-30',
      'MYSQL_CLONE_SERVER-31',
      'MYSQL_LIVE_SERVER-9',
      'MYSQL_CLONE_SERVER-9',
      'MYSQL_CLONE_SERVER-12',
    ]);
  });
});

describe('a live database', () => {
  const id = 'MYSQL_LIVE_SERVER-2';
  test.each([
    ['nothing', {}],
    ['only its environment, as what a discovery found does', { environment: 'HOST_ENVIRONMENT-4' }],
    ['only its name by the service, as what a discovery found does', { name: 'DISC001' }],
    ['a port and no environment: every server has one', { port: 3310 }],
    ['the port on another environment', { port: 3310, environment: 'HOST_ENVIRONMENT-5' }],
    ['another source', { source: 'MYSQL_LIVE_SERVER-3' }],
  ])('a new live database is not taken for a physical clone where it shows %s', (_, fields) => {
    expect(fits(wishFor(physical()), fields, id)).toBe(false);
  });

  test.each([
    ['its source', { source }],
    ['the name that was typed', { databaseName: 'qa' }],
    ['the port on the environment', { port: 3310, environment: 'HOST_ENVIRONMENT-4' }],
  ])('a new live database is taken for a physical clone where it shows %s', (_, fields) => {
    expect(fits(wishFor(physical()), fields, id)).toBe(true);
  });

  test('a new live database below the directory that was typed is taken for a physical clone', () => {
    const wish = wishFor(physical({ mountBase: '/clones/qa' }));
    expect(fits(wish, { mountPath: '/clones/qa/data' }, id)).toBe(true);
    expect(fits(wish, { mountPath: '/clones/other' }, id)).toBe(false);
  });
});

describe('what was asked and is shown must agree', () => {
  const cases: readonly (readonly [string, Partial<Likeness>, object, object])[] = [
    ['snapshot', { snapshot: 'MYSQL_SNAPSHOT-1' }, { snapshot: 'MYSQL_SNAPSHOT-1' }, { snapshot: 'MYSQL_SNAPSHOT-2' }],
    ['project', { project: 'PROJECT-1' }, { project: { id: 'PROJECT-1' } }, { projectId: 'PROJECT-2' }],
    [
      'user of the host',
      { environmentUser: 'ENVIRONMENT_USER-1' },
      { environmentUser: 'ENVIRONMENT_USER-1' },
      { environmentUser: { id: 'ENVIRONMENT_USER-2' } },
    ],
    ['installation', { install: 'MYSQL_INSTALL-1' }, { install: 'MYSQL_INSTALL-1' }, { installId: 'MYSQL_INSTALL-2' }],
    ['mount base', { mountBase: '/clones/qa/' }, { mountBase: '/clones/qa' }, { mountBase: '/clones/qa2' }],
    ['mount base on Windows', { mountBase: 'D:\\qa\\' }, { mountBase: 'd:/QA' }, { mountBase: 'D:\\qa2' }],
    ['folder below a drive', { mountBase: 'e:/qa' }, { mountPath: 'E:\\qa\\7' }, { mountPath: 'D:\\qa\\7' }],
    ['disk group', { mountBase: '+data' }, { mountBase: '+DATA/QA7' }, { mountBase: '+DATA2/QA7' }],
    ['folder below the mount base', { mountBase: '/clones' }, { mountPoint: '/clones/7' }, { mountPoint: '/clone/7' }],
    ['kind of clone', { isPhysical: true }, { cloneType: 'PHYSICALCLONE' }, { cloneType: 'VIRTUALCLONE' }],
    ['kind of clone, the other way round', { isPhysical: false }, { isVirtual: true }, { isVirtual: false }],
    [
      'name, each under its own key',
      { names: { instanceName: 'qa', databaseName: 'orders' } },
      { instance_name: 'QA', databaseName: 'orders' },
      { instance_name: 'orders', databaseName: 'qa' },
    ],
    ['port', { port: 4_000 }, { listenerPort: 4_000 }, { listenerPort: 4_001 }],
  ];
  test.each(cases)(
    'the %s of a record is compared with the request, and agrees with it or contradicts it',
    (_, change, agrees, contradicts) => {
      const [record, other] = [recordOf('MYSQL_CLONE_SERVER-2', agrees), recordOf('MYSQL_CLONE_SERVER-3', contradicts)];
      const wish = wishFor(loose(change));
      expect(likenessOf(wish, record)?.agreeing).toBe(1);
      expect(likenessOf(wish, other)).toBeUndefined();
    },
  );

  test('a clone’s own snapshots do not contradict the snapshot from which it was requested', () => {
    const wish = wishFor(loose({ snapshot: 'MYSQL_SNAPSHOT-1' }));
    expect(fits(wish, { snapshots: [{ id: 'MYSQL_SNAPSHOT-2' }] })).toBe(true);
    expect(fits(wish, { latestSnapshot: 'MYSQL_SNAPSHOT-2' })).toBe(true);
  });

  test('a clone of a clone may name the live database behind it as its source', () => {
    const wish = wishFor(newRecord(['clone'], { source: 'MYSQL_CLONE_SERVER-7' }, 'medium'));
    expect(fits(wish, { source: 'MYSQL_LIVE_SERVER-1' })).toBe(true);
    expect(fits(wish, { source: 'MYSQL_CLONE_SERVER-8' })).toBe(false);
  });

  test('a mount is expected on the environment of its source, unless somebody chose another one', () => {
    const baseline = { ids: {}, environment: 'HOST_ENVIRONMENT-1' };
    const beside = wishFor(loose({ isBesideSource: true }), { baseline });
    expect(fits(beside, { environment: 'HOST_ENVIRONMENT-1' })).toBe(true);
    expect(fits(beside, { environment: 'HOST_ENVIRONMENT-2' })).toBe(false);
    expect(fits(wishFor(loose(), { baseline }), { environment: 'HOST_ENVIRONMENT-2' })).toBe(true);
    const chosen = wishFor(loose({ isBesideSource: true, environment: 'HOST_ENVIRONMENT-2' }), { baseline });
    expect(fits(chosen, { environment: 'HOST_ENVIRONMENT-2' })).toBe(true);
  });

  test('one contradicting fact rules a record out, whatever else agrees and in whatever order', () => {
    const agreeing = Object.entries({
      source,
      environment: 'HOST_ENVIRONMENT-4',
      port: 3310,
      databaseName: 'qa',
      cloneType: 'VIRTUAL',
      snapshot: 'MYSQL_SNAPSHOT-1',
      mountBase: '/clones/qa',
    });
    const other: Record<string, unknown> = {
      source: 'MYSQL_LIVE_SERVER-2',
      environment: 'HOST_ENVIRONMENT-5',
      port: 3311,
      databaseName: 'other',
      cloneType: 'PHYSICAL',
      snapshot: 'MYSQL_SNAPSHOT-2',
      mountBase: '/clones/other',
    };
    const wish = wishFor(virtual({ snapshot: 'MYSQL_SNAPSHOT-1', mountBase: '/clones/qa', isPhysical: false }));
    const shown = fc.shuffledSubarray(agreeing, { minLength: 1 });
    fc.assert(
      fc.property(shown, fc.nat(), (facts, at) => {
        const found = likenessOf(wish, recordOf('MYSQL_CLONE_SERVER-2', Object.fromEntries(facts)));
        expect(found?.agreeing).toBe(facts.length);
        const [key = ''] = facts[at % facts.length] ?? [];
        const turned = { ...Object.fromEntries(facts), [key]: other[key] };
        expect(likenessOf(wish, recordOf('MYSQL_CLONE_SERVER-2', turned))).toBeUndefined();
      }),
    );
  });

  test('only the port and the name that a person typed for a clone tell its record from others', () => {
    const typed = { port: 3310, databaseName: 'QA' };
    expect(likenessOf(wishFor(virtual()), recordOf('MYSQL_CLONE_SERVER-2', typed))?.telling).toBe(2);
    const common = { source, environment: 'HOST_ENVIRONMENT-4' };
    expect(likenessOf(wishFor(virtual()), recordOf('MYSQL_CLONE_SERVER-2', common))?.telling).toBe(0);
  });
});

describe('who asked', () => {
  test.each([
    ['the login', { createdBy: 'maria' }, true],
    ['the login in another case', { createdBy: 'MARIA' }, true],
    ['the address that holds the login', { requestedBy: 'maria@example.com' }, true],
    ['a colleague', { createdBy: 'felix' }, false],
    ['a colleague who owns it', { owner: 'felix' }, false],
    ['an account of the host', { owner: 'mysql' }, true],
    ['the identifier of a user', { createdBy: 'USER-7' }, true],
    ['a display name, which tells no login', { createdBy: 'Felix König' }, true],
  ])('the person whom a record shows is compared with the requester’s login: %s', (_, fields, expected) => {
    expect(fits(wishFor(loose()), fields)).toBe(expected);
  });

  test('a record that names any person may fit a job whose login Dolly does not know', () => {
    expect(fits(wishFor(loose(), { login: null }), { createdBy: 'felix' })).toBe(true);
  });
});

describe('a name that the service made up', () => {
  const wish = wishFor(loose());
  const billing = [{ name: 'billing' }];
  test('a generated name counts as a sign of the database with whose name it begins', () => {
    const named = recordOf('MYSQL_CLONE_SERVER-2', { name: 'orders-3310' });
    expect(likenessOf(wish, named, { all: [named, orders] })?.agreeing).toBe(1);
    expect(fits(wish, { name: 'billing_clone_1' }, 'MYSQL_CLONE_SERVER-2', billing)).toBe(false);
  });
  test.each([
    ['of nobody’s', { name: 'vdb-17' }],
    ['that only begins with the same letters', { name: 'billings' }],
    ['beside its source, which says more', { name: 'billing-1', source }],
  ])('a generated name contradicts no source where it is one %s', (_, fields) => {
    expect(fits(wish, fields, 'MYSQL_CLONE_SERVER-2', billing)).toBe(true);
  });
});
