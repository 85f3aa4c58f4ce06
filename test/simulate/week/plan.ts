import { day, hour, minute } from '../../../src/ground/durations.ts';
import type { Vendor } from '../../../src/sandbox/service/identifiers.ts';

/* What a team has, and what it does in the week that is measured: data alone. All times are UTC. */

/** The Monday on which the week begins, and the Sunday evening on which all is set up. */
export const monday = Date.UTC(2026, 10, 23);
export const eve = monday - 4 * hour;

/** The hosts, what runs there, and how many databases: live ones, but for the last two, which have clones. */
export const hosts: readonly Readonly<{ name: string; vendor: Vendor; many: number; hasClones?: true }>[] = [
  { name: 'erp-prod-eu', vendor: 'ORACLE', many: 52 },
  { name: 'erp-prod-us', vendor: 'ORACLE', many: 48 },
  { name: 'shop-prod-eu', vendor: 'MYSQL', many: 60 },
  { name: 'shop-prod-us', vendor: 'MYSQL', many: 44 },
  { name: 'shop-prod-jp', vendor: 'MYSQL', many: 56 },
  { name: 'data-prod-eu', vendor: 'MARIADB', many: 64 },
  { name: 'data-prod-us', vendor: 'MARIADB', many: 62 },
  { name: 'edge-prod', vendor: 'MARIADB', many: 6 },
  { name: 'dev', vendor: 'MYSQL', many: 12, hasClones: true },
  { name: 'qa', vendor: 'MYSQL', many: 8, hasClones: true },
];

/** The host that is in maintenance, when, and for how long; and the one that goes down. */
export const maintained = { host: 'shop-prod-us', at: monday + 4 * day + 8.5 * hour, lasts: 6 * hour } as const;
export const down = { host: 'data-prod-us', at: monday + 3 * day + 15 * hour, lasts: 2 * hour } as const;

/**
 * The database whose backup fails each night, as its name asks of the sandbox's service, and when on each day somebody backs
 * it up without Dolly. That is later than the policy lets it be.
 */
export const failsEachNight = { name: 'failover_ledger', host: 'erp-prod-eu', mendedAt: 10.5 * hour } as const;

/** Ana leads the DBAs. Dev is the other one who may approve, and is on holiday. Ben develops, Chi tests. */
export type Member = 'Ana' | 'Ben' | 'Chi' | 'Dev';

/**
 * A row of like schedules. `what` is the command without its target; each of `many` has a database of its own on the
 * host. `hour` is when it ran last before the week, which makes its backups young enough at the beginning.
 */
type ScheduleRow = Readonly<{
  many: number;
  by: Member;
  what: string;
  target: 'live' | 'clone' | 'environment' | 'failing';
  host: string;
  when: string;
  hour: number;
}>;

const berlin = 'zone=Europe/Berlin';
const quietly = 'tells=failures';
const [usual, workdays] = [
  { by: 'Ana', what: 'backup', target: 'live' },
  { by: 'Chi', target: 'clone', host: 'dev', many: 1, hour: 0 },
] as const;

/** The forty schedules of the team, in three zones. */
export const scheduleRows: readonly ScheduleRow[] = [
  { ...usual, many: 8, host: 'erp-prod-eu', when: `every=day at=02:00 ${berlin} ${quietly}`, hour: 1 },
  { ...usual, many: 5, host: 'shop-prod-eu', when: `every=day at=02:30 ${berlin} ${quietly}`, hour: 1.5 },
  { ...usual, many: 6, host: 'data-prod-eu', when: `every=day at=01:30 zone=America/New_York ${quietly}`, hour: 6.5 },
  { ...usual, many: 4, host: 'data-prod-us', when: `every=day at=02:30 zone=America/New_York ${quietly}`, hour: 7.5 },
  {
    ...usual,
    by: 'Ben',
    many: 5,
    host: 'shop-prod-jp',
    when: `every=day at=03:00 zone=Asia/Tokyo ${quietly}`,
    hour: 18,
  },
  { ...usual, by: 'Chi', many: 2, host: 'shop-prod-jp', when: `every=day at=23:00 ${berlin} ${quietly}`, hour: 22 },
  { ...usual, many: 1, target: 'failing', host: failsEachNight.host, when: `every=day at=03:00 ${berlin}`, hour: 10.5 },
  { ...usual, many: 1, target: 'environment', host: 'edge-prod', when: `every=day at=04:00 ${berlin}`, hour: 3 },
  { ...usual, what: 'backup-logs', many: 2, host: 'shop-prod-us', when: `every=1h ${quietly}`, hour: 1 },
  { ...usual, what: 'backup-logs', many: 2, host: 'erp-prod-us', when: `every=6h ${quietly}`, hour: 1 },
  { ...usual, what: 'refresh', many: 2, host: 'erp-prod-us', when: `every=day at=05:00 ${berlin} ${quietly}`, hour: 1 },
  { ...workdays, what: 'start', when: `cron="0 7 * * 1-5" ${berlin} ${quietly}` },
  { ...workdays, what: 'stop', when: `cron="0 19 * * 1-5" ${berlin} ${quietly}` },
];

/** What the policy of the team says. */
export const policy = `
protect:
  - title: the ledger of failovers
    name: failover_ledger
    backup: 20h
  - title: production each night
    environment: "*prod*"
    backup: 26h
rules:
  - operation: clone.stop
    schedule: allow
leases:
  - title: clones on qa live for two days
    environment: qa
    default: 2d
    longest: 2w
    warn: [24h, 2h]
    end: delete
    grace: 4h
  - title: clones on dev
    environment: dev
    warn: [24h]
    end: stop
    grace: 4h
`;

/** What people ask for by hand, on which day of the week from Monday on, and at which hour. Most work runs by schedule. */
export const asked: readonly Readonly<{ day: number; hour: number; by: Member; what: Way; words?: string }>[] = [
  { day: 0, hour: 9, by: 'Ben', what: 'clone' },
  { day: 0, hour: 14.2, by: 'Ben', what: 'delete' },
  { day: 0, hour: 14.6, by: 'Ana', what: 'approve' },
  { day: 1, hour: 9, by: 'Ben', what: 'clone', words: 'keepFor=30h' },
  { day: 1, hour: 10.5, by: 'Chi', what: 'backup' },
  { day: 1, hour: 11, by: 'Chi', what: 'lease', words: '2d' },
  { day: 2, hour: 9.7, by: 'Ana', what: 'backup' },
  { day: 2, hour: 13, by: 'Ben', what: 'clone', words: 'keepFor=2d' },
  { day: 3, hour: 13, by: 'Chi', what: 'refresh' },
];
export type Way = 'clone' | 'backup' | 'delete' | 'approve' | 'refresh' | 'lease';

/** The hours of a working day at which Ana looks every twenty minutes at what calls her; at the last she closes all of it. */
export const watch = { from: 7.4, to: 16.4, every: 1 / 3 } as const;

/** The time between two looks for alerts. */
export const lookTime = 5 * minute;
