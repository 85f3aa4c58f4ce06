import type { MiddlewareHandler } from 'hono';
import { describe, expect, onTestFinished, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { type Json, recordOf } from '../../src/sandbox/playground/json.ts';
import { textOf } from '../person.ts';
import { world } from '../world.ts';
import { asks } from './asking.ts';

/* Who can decide on a request now: those are called, and whoever asked hears at once where that is nobody. */

const [dev, eve, gus] = ['U0DEV00001', 'U0EVE00001', 'U0GUS00001'];
const everyone = { APPROVERS: [dev, eve, gus].join(',') };

/** Ana, who asks for a deletion; those of these names are signed in, and Slack says more of some people. */
async function opened(
  signedIn: Readonly<Record<string, string>>,
  said: Readonly<Record<string, Json>> = {},
  environment: Record<string, string> = everyone,
) {
  const middleware: MiddlewareHandler = async (c, next) => {
    await next();
    if (c.req.path !== '/api/users.info' || !c.res.headers.get('content-type')?.startsWith('application/json')) return;
    const told = recordOf(await c.res.json());
    const user = recordOf(told.user);
    c.res = Response.json({ ...told, user: { ...user, ...recordOf(said[String(user.id)] ?? {}) } });
  };
  const earth = await world({
    environment,
    slack: { middleware },
    service: { tokenLifetime: 30 * day },
  });
  onTestFinished(() => earth.close());
  const ana = await earth.enters('Ana', 'ana');
  for (const [name, login] of Object.entries(signedIn)) await earth.enters(name, login);
  const toAna = () =>
    ana
      .messages('@dolly')
      .map(textOf)
      .filter(text => /can decide on/.test(text));
  return {
    earth,
    ana,
    toAna,
    async deletes() {
      const card = await asks(earth, ana, '/db delete archive_2023', { name: 'archive_2023' });
      const called = await earth.until(
        () =>
          earth
            .replies(card)
            .map(earth.text)
            .find(text => text.includes('waits for approval')),
        'the call',
      );
      await earth.clock.advance(5_000);
      return { card, called };
    },
    isTold: () => earth.until(() => toAna()[0], 'the word to Ana'),
  };
}

const away = { profile: { status_emoji: ':palm_tree:', status_text: 'Back on Monday' } };
const gone = { deleted: true };

describe('a deletion that Ana asks for', () => {
  test('a requester on whose deletion nobody can decide is told so at once, with the reason for each approver', async () => {
    const here = await opened({}, { [eve]: gone });
    const { called } = await here.deletes();
    const told = await here.isTold();
    expect(told).toContain('Nobody can decide on');
    expect(told).toContain(`<@${dev}> has to sign in to the service first.`);
    expect(told).toContain(`<@${gus}> is a guest here.`);
    expect(told).toContain(`<@${eve}> is not (or is no longer) a member of this workspace.`);
    expect(called).toContain(`<@${dev}>`);
    expect(called).not.toMatch(new RegExp(`${gus}|${eve}`));
    await here.earth.clock.advance(day / 24);
    expect(here.toAna()).toHaveLength(1);
  });

  test('a requester whose own second account is the only approver left is told so', async () => {
    const here = await opened({ Dev: 'ana' }, { [eve]: gone });
    await here.deletes();
    expect(await here.isTold()).toContain(`<@${dev}> is the same service user as the requester.`);
  });

  test('a requester whose only approver is away is told so at once, in that person’s status words', async () => {
    const here = await opened({ Dev: 'dev' }, { [eve]: gone, [dev]: away });
    const { called } = await here.deletes();
    expect(await here.isTold()).toMatch(new RegExp(`Only <@${dev}> can decide on .* says in Slack: “Back on Monday”`));
    expect(called).toContain(`<@${dev}>`);
  });

  test('a requester whose only approver has done nothing here for two days is told so at once', async () => {
    const here = await opened({ Dev: 'dev' }, { [eve]: gone });
    await here.earth.clock.leap(2 * day + 60_000);
    await here.deletes();
    expect(await here.isTold()).toContain(`<@${dev}> has done nothing here for 2 days.`);
  });

  test('a group of approvers whose members Slack does not tell is called as a group, and the requester told nothing', async () => {
    const here = await opened({}, { [eve]: gone }, { APPROVERS: 'S0NOBODY01' });
    const { called } = await here.deletes();
    expect(called).toContain('<!subteam^S0NOBODY01>');
    expect(here.toAna()).toEqual([]);
  });

  test('only the approvers who can decide on a deletion are called, and its requester is told nothing', async () => {
    const here = await opened({ Dev: 'dev' }, { [eve]: gone });
    const { called } = await here.deletes();
    expect(called).toContain(`<@${dev}>`);
    expect(called).not.toMatch(new RegExp(`${gus}|${eve}`));
    expect(here.toAna()).toEqual([]);
  });
});
