import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks, clicksWith } from './approvals.ts';
import { readsShutPage } from './asking.ts';
import { approvalOf, forgedClick, onlyAnswer, trail } from './attacking.ts';
import { opensForm, refusalsOf } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* Ways round a policy: by other words, other letters, what is not shown, and by texts that would break a card. */

const policy = `
rules:
  - title: the archive stays
    operation: "*.delete"
    name: "archive*"
    decision: forbid
  - title: toys are free
    operation: ["database.delete", "snapshot.delete"]
    name: ["shop-33*", "MYSQL_CLONE_SERVER-*"]
    decision: allow
  - title: backups of production
    operation: database.backup
    environment: "*-prod"
    decision: approve
  - title: nobody deletes users here
    operation: user.delete
    requester: S0DBAS0001
    decision: forbid
`;
const forbidden = 'The policy forbids this here: the archive stays. Nothing was sent.';
const target = 'MARIADB_LIVE_SERVER-5';

const folder = mkdtempSync(join(tmpdir(), 'dolly-evasion-'));
let earth: World;
let road: Crossing;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  road = crossing();
  earth = await world({
    service: { middleware: road.middleware, tokenLifetime: 30 * 24 * 3_600_000 },
    environment: { ...approvalKeys, POLICY_FILE: file },
  });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true });
});

describe('what the policy forbids', () => {
  const isForbidden = async (line: string) => {
    const [writes, cards] = [earth.writes().length, earth.cards(approvalChannel).length];
    expect(await readsShutPage(ana, line, /This will not be sent/)).toContain(forbidden.replace(/ Nothing was.*/, ''));
    expect(earth.writes()).toHaveLength(writes);
    expect(earth.cards(approvalChannel)).toHaveLength(cards);
  };

  test.each(['ARCHIVE_2023', target, 'mariadb_live_server-5'])(
    'a deletion that the policy forbids is forbidden by whatever name it is asked for (%s)',
    typed => isForbidden(`/db delete ${typed}`),
  );

  test.each(['Archive_2023', 'ａｒｃｈｉｖｅ_2023', 'arc\u200bhive_2023', '\u2060archive_2023', 'ARCHIVE\u00ad_2023'])(
    'a deletion that the policy forbids by a name is forbidden in whatever letters that name is written (%j)',
    async name => {
      earth.service.service.rename(target, name);
      await isForbidden(`/db delete ${target}`);
      earth.service.service.rename(target, 'archive_2023');
    },
  );

  test('a deletion that the policy forbids by a name is also forbidden where the record shows no name', async () => {
    const hide = (records: string) => records.replaceAll(/"name":"archive_2023",?/g, '');
    const meetings = [`/database/${target}`, '/database/list'].map(path =>
      road.meets(path, async (_request, next) => new Response(hide(await (await next()).text()))),
    );
    try {
      await isForbidden(`/db delete ${target}`);
    } finally {
      for (const meeting of meetings) meeting.leave();
    }
  });

  test('a deletion that the policy forbids is also forbidden by a button, and when it is asked again', async () => {
    await ana.types('#dev', '/db show archive_2023');
    const shown = await ana.reads('#dev', 'archive_2023');
    // The page is drawn while nothing tells what it is; what is submitted is judged anew.
    const hidden = [`/database/${target}`, '/database/list'].map(path =>
      road.meets(path, () => Response.json({ message: 'not now' }, { status: 503 })),
    );
    await earth.clock.advance(30 * 60_000);
    await ana.presses('Delete…', { message: shown });
    await ana.until(() => JSON.stringify(ana.sees().views).includes('"submit":{'), 'the last page');
    await ana.fills({ confirm: target, reason: 'By a button.' });
    for (const one of hidden) one.leave();
    const before = refusalsOf(ana, '#dev').length;
    await ana.submits();
    const failed = await earth.until(() => refusalsOf(ana, '#dev')[before], 'the refusal');
    expect(failed.text).toContain(forbidden);
    expect((await trail(earth, 1))[0]).toBe(`forbidden dolly: ${forbidden}`);
    await ana.presses('Change and ask again', { message: failed });
    await ana.until(() => JSON.stringify(ana.sees().views).includes('This will not be sent'), 'the page');
    expect(JSON.stringify(ana.sees().views)).not.toContain('"submit":{');
    await ana.cancels();
    expect(earth.writes()).toEqual([]);
  });

  test('an operation that is forbidden to a group is forbidden where Slack cannot tell who is in the group', async () => {
    earth.playground.slack.settings.userGroups = false;
    await earth.restart();
    await ana.types('#dev', '/db user delete frank');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('nobody deletes users here'), 'the page');
    expect(JSON.stringify(ana.sees().views)).not.toContain('"submit":{');
    await ana.cancels();
    earth.playground.slack.settings.userGroups = true;
    await earth.restart();
    expect(earth.writes()).toEqual([]);
  });
});

test('a snapshot’s deletion is judged by its own database, not by a clone that is named beside it', async () => {
  const clone = earth.service.service.estate.databases.get('MYSQL_CLONE_SERVER-3');
  const snapshot = clone?.snapshot ?? '';
  expect(clone).toMatchObject({ name: 'shop-3322', cloneType: 'PHYSICAL' });
  const before = earth.cards(approvalChannel).length;
  await opensForm(ana, '#databases', `/db snapshot delete ${snapshot} database=shop-3322`);
  if ('database' in (await ana.modal()).fields) await ana.submits();
  const asksName = () => ana.sees().views.some(({ view }) => JSON.stringify(view).includes('"confirm"'));
  await ana.until(asksName, 'the last page');
  await ana.fills({ confirm: snapshot, reason: 'It is only a toy.' });
  await ana.submits();
  const card = await earth.until(() => earth.cards(approvalChannel)[before], 'the card');
  await earth.until(() => earth.text(card).includes('Waits for approval'), 'the buttons');
  expect(earth.text(card)).toContain('shop (MYSQL_LIVE_SERVER-2)');
  expect(earth.writes()).toEqual([]);
  await clicks(ana, card, 'Withdraw');
});

test('a backup command opens a form and waits for approval where a rule asks for it', async () => {
  await opensForm(ana, '#databases', '/db backup billing');
  await ana.fills({ reason: 'now' });
  const before = earth.cards(approvalChannel).length;
  await ana.submits();
  const card = await earth.until(() => earth.cards(approvalChannel)[before], 'the card');
  await earth.until(() => earth.text(card).includes('Waits for approval'), 'the buttons');
  expect(earth.writes()).toEqual([]);
  await clicks(ana, card, 'Withdraw');
});

describe('a hostile text', () => {
  const hostile = `<!channel> <!here> <@U0BEN00001> <!subteam^S0DBAS0001> <http://x|y> & *_~\`\n> no\u202e${'&<>'.repeat(200)}`;
  const harmless = (blocks: unknown) => {
    // Slack shows plain_text as it is, and readers speak labels so; a mention can only stand in mrkdwn.
    const text = JSON.stringify(blocks)
      .replaceAll(/\{"type":"plain_text","text":"(?:[^"\\]|\\.)*"/g, '')
      .replaceAll(/"accessibility_label":"(?:[^"\\]|\\.)*"/g, '')
      .replaceAll(/<!date\^[^>]*>/g, '')
      // The link to the message itself.
      .replaceAll(/<http:\/\/127\.0\.0\.1:\d+\/archives\/\w+\/p\d+\|Message>/g, '');
    for (const mention of ['<!channel', '<!here', '<@U0BEN', '<http', '\u202e']) expect(text).not.toContain(mention);
    return text;
  };

  test('a hostile text as a name, a fact, a reason or a denial mentions nobody, and leaves cards and lists whole', async () => {
    const clone = 'MARIADB_CLONE_SERVER-1';
    const facts = Object.fromEntries(
      ['owner', 'description', 'comment', 'tags', 'tier', 'purpose'].map(key => [`${key}`, hostile.slice(0, 199)]),
    );
    earth.service.service.rename(clone, hostile);
    earth.service.service.change(clone, { facts });
    earth.service.service.rename('MARIADB_LIVE_SERVER-1', hostile);
    earth.service.service.rename('HOST_ENVIRONMENT-4', hostile);
    earth.service.service.rename('PROJECT-2', hostile);
    const before = earth.cards(approvalChannel).length;
    await opensForm(ana, '#databases', `/db delete ${clone}`);
    await ana.fills({ confirm: clone, reason: hostile.slice(0, 500) });
    expect(await ana.submits()).toMatchObject({ errors: {}, error: '' });
    const card = await earth.until(() => earth.cards(approvalChannel)[before], 'the card');
    await earth.until(() => earth.text(card).includes('Waits for approval'), 'the buttons');
    const blocks = () => earth.playground.slack.messages(card.channel).find(({ ts }) => ts === card.ts)?.blocks;
    expect(harmless(blocks())).toContain('approval.approve');
    await dev.types('#dev', '/db approvals');
    const list = await dev.reads('#dev', 'waits for your approval');
    // A row has no room for all that the card shows, and leads to the pages.
    expect(harmless(list.blocks)).toContain('approval.read');
    for (const label of ['depends on it', 'Runs as `ana`']) expect(textOf(list.blocks)).toContain(label);
    await dev.presses('Read all and decide…', { message: list });
    await dev.until(() => dev.hasModal(), 'the page');
    const shown = dev.sees().views.at(-1)?.view;
    harmless(shown);
    for (const label of ['Identifier', 'Environment', 'Comment']) expect(JSON.stringify(shown)).toContain(label);
    await dev.cancels();
    await clicksWith(dev, card, 'Deny', hostile.slice(0, 500));
    await earth.until(() => earth.text(card).includes('· Denied'), 'the end');
    harmless(blocks());
    harmless(earth.replies(card));
    expect(earth.writes()).toEqual([]);
  });

  test('a click whose action is a hostile text is answered, and its entry in the audit trail is cut', async () => {
    const { card } = await asksToDelete(earth, ana, '/db project delete logistics', 'logistics');
    const value = approvalOf(earth, card);
    await clicks(dev, card, 'Withdraw');
    const forge = forgedClick({ action: `approval.${hostile}`, value });
    const answer = await onlyAnswer(earth, dev, approvalChannel, () => earth.replays('block_actions approval', forge));
    expect(answer).toContain('This button is from another version');
    expect((await trail(earth, 1))[0]?.length).toBeLessThan(120);
    await clicks(ana, card, 'Withdraw');
  });
});
