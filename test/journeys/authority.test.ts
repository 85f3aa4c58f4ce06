import type { MiddlewareHandler } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';

/* What others made is changed by its maker and by those who approve (jobs/approval/people/hasSay.ts), through whatever door. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dba: Someone;
/** Whether Slack tells who people are. */
let tells = true;

const silence: MiddlewareHandler = async (c, next) =>
  !tells && c.req.path === '/api/users.info' ? c.json({ ok: false, error: 'internal_error' }, 500) : next();

beforeAll(async () => {
  earth = await world({
    environment: { APPROVERS: 'U0DEV00001' },
    service: { tokenLifetime: 900 * day },
    slack: { middleware: silence },
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dba = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const says = async (someone: Someone, line: string, channel = '#databases') =>
  textOf(await answerTo(someone, line, channel));

describe('the alerts of a channel', () => {
  const notYours = 'Only the person who turned them on and approvers';

  test('alerts of a channel are changed and turned off by whoever turned them on and by approvers alone', async () => {
    expect(await says(ana, '/db alerts on failed')).toContain('Alerts are on in this channel');
    expect(await says(ben, '/db alerts off')).toContain(notYours);
    expect(await says(ben, '/db alerts on failed vanished')).toContain(notYours);
    expect(await says(ben, '/db alerts')).toContain('Alerts are on in this channel: failed databases and clones');
    expect(await says(dba, '/db alerts on failed late')).toContain('Alerts are on in this channel');
    expect(await says(ana, '/db alerts off')).toContain(notYours);
    expect(await says(dba, '/db alerts off')).toContain('Alerts are off in this channel');
    expect(await says(ben, '/db alerts on failed')).toContain('Alerts are on in this channel');
  });
});

test('while Slack does not tell who people are, a stranger gets help but no logout, and a known person works on', async () => {
  tells = false;
  try {
    const eve = await earth.enters('Eve');
    expect(await says(eve, '/db help')).toContain('What you can ask');
    expect(await says(eve, '/db logout')).toContain('Slack cannot tell me at the moment whether you are a member');
    // Ana was known within the last day.
    await earth.clock.advance(20 * minute);
    const before = earth.cards('#databases').length;
    await ana.types('#databases', '/db backup orders');
    await earth.until(() => earth.cards('#databases')[before], 'the message of the backup');
  } finally {
    tells = true;
  }
});

describe('where nobody is named as an approver', () => {
  test('the audit trail shows people only what they did themselves where no approver is named', async () => {
    const open = await world();
    try {
      const [one, other] = [await open.enters('Ana', 'ana'), await open.enters('Ben', 'ben')];
      await answerTo(one, '/db list');
      const own = await says(one, '/db audit');
      expect(own).toContain('you see only what you did yourself');
      expect(own).toContain(`<@${one.id}>`);
      expect(own).not.toContain(`<@${other.id}>`);
      expect(await says(other, `/db audit by=<@${one.id}>`)).toContain('you can read only what you did yourself');
    } finally {
      await open.close();
    }
  });
});
