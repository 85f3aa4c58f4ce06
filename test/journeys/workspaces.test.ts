import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import { presetsIn } from '../../src/store/tables/presets.ts';
import type { Someone } from '../person.ts';
import { textOf } from '../sandbox/playground/blockText.ts';
import type { World } from '../world.ts';
import { answerTo, confirms } from './asking.ts';
import { forgedClick } from './attacking.ts';
import { client, home, install, partner, uninstalledWorld } from './installations.ts';

/* One Dolly in several workspaces that have nothing to do with one another. */

let earth: World;
const installed = () => earth.playground.slack.installs().map(({ team }) => team);

describe('in two workspaces', () => {
  let ana: Someone;
  let pia: Someone;
  beforeAll(async () => {
    earth = await uninstalledWorld([home.team, partner.team], { handsOnStore: true });
    for (const who of [home, partner]) {
      const answer = await install(earth, who);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Dolly is installed')]);
    }
    ana = await earth.enters('ana');
    // Whoever installs it hears what is still missing.
    await ana.reads('@dolly', 'Dolly is installed here.');
    pia = await earth.enters('pia');
    await pia.reads('@dolly', 'Dolly is installed here.');
    await earth.signsIn(ana, '#databases', 'ana');
    await earth.signsIn(pia, '#partner-dev', 'ben');
  });
  afterAll(() => earth.close());

  test('whoever installs Dolly is told once, in their own workspace, what is still missing there', async () => {
    for (const someone of [ana, pia]) {
      const told = someone.messages('@dolly').filter(({ text }) => text.includes('is installed here'));
      expect(told).toHaveLength(1);
      expect(textOf(told)).toMatch(/Still to do[\s\S]*Approvers: nobody is listed[\s\S]*Sign in/);
    }
  });

  test('a mention is heard, answered and noted in the workspace of its person alone', async () => {
    const said = (channel: string) => earth.playground.slack.messages(channel).length;
    const before = [said('#databases'), said('#partner-dev')];
    await pia.types('#partner-dev', '@dolly whoami');
    const answer = await pia.reads('#partner-dev', 'The service accepts it');
    expect([answer.onlyFor, textOf(answer)]).toEqual([pia.id, expect.stringContaining('*ben*')]);
    const heard = await earth.store().selectFrom('heard').select(['team', 'kind']).execute();
    expect(heard).toEqual([{ team: partner.team, kind: 'mention' }]);
    expect([said('#databases'), said('#partner-dev')]).toEqual([before[0], (before[1] ?? 0) + 2]);
  });

  test('a forged click on something of another workspace does nothing, and tells nothing of it', async () => {
    await ana.types('#databases', '/db backup orders');
    await earth.until(() => earth.cards('#databases')[0], 'the message');
    await answerTo(ana, '/db schedule backup orders every=mon at=2am zone=UTC');
    const store = earth.store();
    const { id: job } = await store.selectFrom('jobs').select('id').executeTakeFirstOrThrow();
    const { id: schedule } = await store
      .selectFrom('things')
      .select('id')
      .where('kind', '=', 'schedule')
      .executeTakeFirstOrThrow();
    const content = {
      scope: 'workspace',
      holder: '',
      name: 'secret plan',
      inputs: { 'database.id': 'orders' },
      labels: {},
    } as const;
    const by = { actor: home.person, login: null, channel: null };
    const deed = { by, now: 1, event: 'preset saved', detail: 'secret plan' };
    await presetsIn(store).add(
      { ...content, id: 'preset', team: home.team, person: home.person, operation: 'database.backup', createdAt: 1 },
      deed,
    );
    await ana.reads('#databases', 'orders');

    const clicks = async () => {
      const files = pia.messages('@dolly').length;
      await pia.presses('CSV', { message: await answerTo(pia, '/db audit', '#partner-dev') });
      await earth.until(() => pia.messages('@dolly').length > files, 'the export');
    };
    const seen = JSON.stringify({ s: schedule, n: 1 });
    const decided = JSON.stringify({ j: job, d: null });
    const forged = [
      ...['job.look', 'job.stop', 'job.withdraw', 'job.again', 'preset.save', 'schedule.job', 'lease.keep'].map(
        name => [name, job] as const,
      ),
      ...['approval.approve', 'approval.deny', 'approval.withdraw'].map(name => [name, decided] as const),
      ...['schedule.run', 'schedule.pause', 'schedule.delete', 'schedule.take', 'schedule.change'].map(
        name => [name, seen] as const,
      ),
      ['preset.use', 'preset'],
      ['preset.menu', JSON.stringify({ a: 'delete', p: 'preset' })],
    ] as const;
    for (const [at, [action, value]] of forged.entries()) {
      // A click of Pia's, whose contents are changed: Slack takes few answers to each.
      if (at % 4 === 0) await clicks();
      const before = pia.messages('#partner-dev').length;
      await earth.replays('block_actions', forgedClick({ action, value }));
      await earth.until(() => pia.messages('#partner-dev').length > before, `an answer to ${action}`);
      const told = JSON.stringify(pia.messages('#partner-dev').slice(before));
      expect([action, told]).toEqual([
        action,
        expect.stringMatching(/do not know|can’t find|no such|no longer exists|is gone/i),
      ]);
      expect(told).not.toMatch(/orders|secret plan|U0ANA/);
    }
    expect(pia.hasModal()).toBe(false);
    const after = await store
      .selectFrom('things')
      .select(['state', 'revision'])
      .where('id', '=', schedule)
      .executeTakeFirstOrThrow();
    expect(after).toMatchObject({ state: 'on', revision: 1 });
  });

  test('lists, the audit trail and its export show nothing of another workspace', async () => {
    for (const line of ['/db jobs', '/db schedules', '/db presets', '/db audit']) {
      const told = JSON.stringify((await answerTo(pia, line, '#partner-dev')).blocks);
      expect([line, told]).toEqual([line, expect.not.stringMatching(/orders|secret plan|U0ANA/)]);
    }
    await pia.presses('CSV', { message: await answerTo(pia, '/db audit', '#partner-dev') });
    const file = await pia.reads('@dolly', 'The audit trail');
    expect(await pia.downloads(file)).not.toMatch(/orders|secret plan|U0ANA/);
  });

  test('a request that waits in a workspace that uninstalls Dolly is withdrawn, and told after a new installation', async () => {
    const store = earth.store();
    const jobs = () => store.selectFrom('jobs').select(['state', 'reason']).where('team', '=', partner.team).execute();
    const writes = earth.writes().length;
    await pia.types('#partner-dev', '/db delete archive_2023');
    await confirms(pia, 'archive_2023');
    const card = await pia.reads('#partner-dev', 'Waits for approval');
    earth.playground.slack.uninstalls(partner.team);
    await earth.until(async () => (await jobs()).every(({ state }) => state === 'withdrawn'), 'the end');
    expect(await jobs()).toMatchObject([{ reason: expect.stringContaining('uninstalled') }]);
    const { entries } = await auditIn(store).read(partner.team, { words: [] }, 9);
    expect(entries.map(({ event, actor }) => `${event} ${actor}`)).toEqual(
      expect.arrayContaining(['uninstalled dolly', 'withdrawn dolly']),
    );
    expect(textOf(await answerTo(ana, '/db jobs'))).toContain('orders');
    expect(earth.writes()).toHaveLength(writes);
    const shown = () => earth.playground.slack.messages(card.channel).find(({ ts }) => ts === card.ts);
    expect(textOf(shown())).toContain('Waits for approval');
    // Late news of the removal end no newer installation.
    expect((await install(earth, partner)).status).toBe(200);
    await earth.until(() => textOf(shown()).includes('Withdrawn'), 'the news');
    // The card of the request, and nothing else, had something to say meanwhile.
    const back = await pia.reads('@dolly', 'I was not installed here');
    expect(textOf(back)).toContain('One message was waiting; I’ll send it now.');
    const tokens = () => store.selectFrom('installations').select('team').where('token', 'is not', null).execute();
    expect(await tokens()).toHaveLength(2);
  });
});

describe('an installation', () => {
  beforeAll(async () => {
    earth = await uninstalledWorld([home.team]);
  });
  afterAll(() => earth.close());

  /** Begins in a browser: the state, and the cookie with which the browser shows that it began. */
  const browser = async () => {
    const answer = await fetch(`${earth.dolly().url}/slack/install`, { redirect: 'manual' });
    const [cookie = ''] = answer.headers.getSetCookie();
    const asked = new URL(answer.headers.get('location') ?? '');
    return { cookie: cookie.split(';')[0] ?? '', asked, state: asked.searchParams.get('state') ?? '' };
  };
  const allows = async (asked: URL, { team, person } = home) => {
    const body = new URLSearchParams([...asked.searchParams, ['who', `${team} ${person}`], ['answer', 'allow']]);
    const answer = await fetch(asked.origin + asked.pathname, { method: 'POST', body, redirect: 'manual' });
    return new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  };
  const returns = async (code: string, state: string, cookie: string) => {
    const query = new URLSearchParams({ code, state });
    const answer = await fetch(`${earth.dolly().url}/slack/oauth_redirect?${query}`, { headers: { cookie } });
    return [answer.status, await answer.text()] as const;
  };

  test('an installation by a workspace that is not on the list is refused, and its token is not kept', async () => {
    const answer = await install(earth, partner);
    expect([answer.status, await answer.text()]).toEqual([403, expect.stringContaining('ALLOW_INSTALL')]);
    expect(installed()).toEqual([]);
  });

  test('an installation that is cancelled keeps nothing', async () => {
    const answer = await install(earth, { ...home, answer: 'cancel' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('You did not allow it')]);
    expect(installed()).toEqual([]);
  });

  test('an installation needs a state of its own browser that is not forged, too old or already used', async () => {
    const [mine, other] = [await browser(), await browser()];
    const over = [410, expect.stringContaining('in the browser that began')];
    expect(await returns(await allows(mine.asked), mine.state, '')).toEqual(over);
    expect(await returns(await allows(mine.asked), mine.state, other.cookie)).toEqual(over);
    const forged = 'x.y.z';
    expect(await returns(await allows(mine.asked), forged, `slack-app-oauth-state=${forged}`)).toEqual(over);
    const changed = `${mine.state.slice(0, -4)}AAAA`;
    expect(await returns(await allows(mine.asked), changed, `slack-app-oauth-state=${changed}`)).toEqual(over);
    expect(await returns('made-up', mine.state, mine.cookie)).toEqual([400, expect.stringContaining('invalid_code')]);
    expect(await returns(await allows(mine.asked), mine.state, mine.cookie)).toEqual([200, expect.anything()]);
    expect(await returns(await allows(mine.asked), mine.state, mine.cookie)).toEqual(over);
    const late = await browser();
    await earth.clock.advance(10 * 60_000);
    expect(await returns(await allows(late.asked), late.state, late.cookie)).toEqual(over);
  });

  test('an installation shows no secret in its pages and addresses', async () => {
    const { asked } = await browser();
    expect(asked.href).not.toContain(client.secret);
    const page = await (await install(earth, home)).text();
    expect(page).not.toMatch(/xox|the-secret/);
  });
});
