import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { ends, opensForm, quickClone, quickLine, refusedClone } from './clones.ts';

let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());

const sentFor = (text: string) => earth.writes().filter(({ body }) => JSON.stringify(body).includes(text));

describe('a button that is pressed twice', () => {
  const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync')).length;

  test('a button that is pressed several times makes one job, until that has ended', async () => {
    const message = await answerTo(ana, '/db show orders');
    const [before, sent] = [earth.cards('#databases').length, backups()];
    await Promise.all([ana.presses('Back up', { message }), ana.presses('Back up', { message })]);
    const card = await earth.until(() => earth.cards('#databases')[before], 'the message');
    await ana.presses('Back up', { message });
    await ends(earth, card, 'Confirmed');
    expect([earth.cards('#databases').length, backups()]).toEqual([before + 1, sent + 1]);
    await ana.presses('Back up', { message });
    await ends(earth, await earth.until(() => earth.cards('#databases')[before + 1], 'the next one'), 'Confirmed');
    expect(backups()).toBe(sent + 2);
  });
});

describe('a form that is submitted twice', () => {
  test('a form that is submitted three times at the same moment makes one job and one request', async () => {
    await opensForm(ana, '#databases', quickLine(3401));
    const before = earth.cards('#databases').length;
    await Promise.all([ana.submits(), ana.submits(), ana.submits()]);
    const card = await earth.until(() => earth.cards('#databases')[before], 'the message');
    await ends(earth, card, 'Confirmed');
    expect(earth.cards('#databases')).toHaveLength(before + 1);
    expect(sentFor('/mnt/c3401')).toHaveLength(1);
  });

  test('a form that Slack delivers again, also after a restart, makes one job', async () => {
    const card = await quickClone(earth, ana, 3402);
    const cards = earth.cards('#databases').length;
    expect((await earth.replays('view_submission clone.create')).status).toBe(200);
    await ends(earth, card, 'Confirmed');
    expect((await earth.replays('view_submission clone.create')).status).toBe(200);
    await earth.restart();
    expect((await earth.replays('view_submission clone.create')).status).toBe(200);
    await earth.clock.advance(60_000);
    expect(earth.cards('#databases')).toHaveLength(cards);
    expect(earth.replies(card)).toHaveLength(1);
    expect(sentFor('/mnt/c3402')).toHaveLength(1);
  });

  test('a form that is submitted again with other values is refused, and its first values count', async () => {
    const card = await quickClone(earth, ana, 3405);
    const cards = earth.cards('#databases').length;
    const again = async (from: string, to: string) =>
      (await earth.replays('view_submission clone.create', payload => payload.replaceAll(from, to))).text();
    for (const [from, to] of [
      ['/mnt/c3405', '/mnt/c3495'],
      ['MYSQL_LIVE_SERVER-2', 'MYSQL_LIVE_SERVER-1'],
    ] as const)
      expect(await again(from, to)).toContain('You already sent this form');
    expect(await again('/mnt/c3405', '/mnt/c3405')).not.toContain('errors');
    await ends(earth, card, 'Confirmed');
    expect(earth.cards('#databases')).toHaveLength(cards);
    expect(sentFor('/mnt/c3495')).toHaveLength(0);
  });

  test('a form that is opened twice and submitted each time makes two jobs', async () => {
    const first = await quickClone(earth, ana, 3403);
    const second = await quickClone(earth, ana, 3404);
    await ends(earth, first, 'Confirmed');
    await ends(earth, second, 'Confirmed');
    expect([sentFor('/mnt/c3403').length, sentFor('/mnt/c3404').length]).toEqual([1, 1]);
  });

  test('a form with a wrong signature is refused', async () => {
    const answer = await fetch(`${earth.dolly().url}/slack/events`, {
      method: 'POST',
      body: 'payload={}',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': String(Math.floor(Date.now() / 1000)),
        'x-slack-signature': 'v0=0000000000000000000000000000000000000000000000000000000000000000',
      },
    });
    expect(answer.status).toBe(401);
  });
});

describe('a button', () => {
  test('a second click on “Stop checking” says that the job has already ended', async () => {
    const card = await quickClone(earth, ana, 3411, '/mnt/stuck-double');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    await ana.presses('Stop checking', { message: card });
    await earth.replays('block_actions job.stop');
    await ana.reads('#databases', 'already ended');
    await ends(earth, card, 'Unconfirmed');
    expect(earth.replies(card)).toHaveLength(1);
  });

  test('“Check now” that is pressed three times looks at the records, and sends nothing', async () => {
    const card = await quickClone(earth, ana, 3412, '/mnt/stuck-look');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    const looks = () => earth.service.service.count('GET /database/{id}');
    const before = looks();
    await Promise.all([1, 2, 3].map(() => ana.presses('Check now', { message: card })));
    // The clock stands still meanwhile: nothing looks by itself.
    await expect.poll(looks).toBeGreaterThan(before);
    await ana.presses('Stop checking', { message: card });
    await ends(earth, card, 'Unconfirmed');
    expect(sentFor('/mnt/stuck-look')).toHaveLength(1);
  });

  test('a button of somebody else’s job does nothing, and says whose job it is', async () => {
    const card = await quickClone(earth, ana, 3413, '/mnt/stuck-ben');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    await ben.presses('Stop checking', { message: card });
    const answer = await ben.reads('#databases', 'Only');
    expect(answer.onlyFor).toBe(ben.id);
    expect(answer.text).toContain(`<@${ana.id}>`);
    expect(earth.text(card)).toContain('Running');
    await ana.presses('Stop checking', { message: card });
    await ends(earth, card, 'Unconfirmed');
  });

  test('a click on an outdated message says that the job is already done', async () => {
    const card = await quickClone(earth, ana, 3414);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await ana.presses('Check now', { message: card });
    await ends(earth, card, 'Confirmed');
    await earth.replays('block_actions job.look', payload => payload.replace('job.look', 'job.stop'));
    await ana.reads('#databases', 'already done');
    expect(earth.text(card)).toContain('Confirmed');
  });

  test('a button of a job that Dolly no longer has says so', async () => {
    const told = await refusedClone(earth, ana, quickLine(3415, '/mnt/refuse-me'));
    await ana.presses('Change and ask again', { message: told });
    await ana.until(() => ana.hasModal(), 'the form');
    await ana.cancels(true);
    await earth.replays('block_actions job.again', payload =>
      payload.replaceAll(/"value":"[0-9a-f-]{36}"/g, '"value":"gone"'),
    );
    await ana.reads('#databases', 'can’t find this job');
  });
});
