import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, hour } from '../../src/ground/durations.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import { type Someone, textOf } from '../person.ts';
import { loginPath, signInOfferTo, type World, world } from '../world.ts';
import { approvalKeys, asksToDelete, clicks, clicksWith } from './approvals.ts';
import { answerAfter, answerTo, asks } from './asking.ts';

/* The trail: what is in it, who may read it, and what it is exported as. */

const log: string[] = [];
let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  const stream = new Writable({
    write(chunk, _encoding, done) {
      log.push(String(chunk));
      done();
    },
  });
  earth = await world({
    environment: { ...approvalKeys, AUDIT_DAYS: '30' },
    surroundings: { log: pino({ level: 'info', serializers: { error: pino.stdSerializers.err } }, stream) },
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());
afterEach(() => {
  earth.playground.slack.settings.files = true;
  earth.playground.slack.faults.clear();
});

/** The lines of a page of the trail, as they are read aloud. */
async function trail(line: string): Promise<string> {
  return (await answerTo(ana, `/db audit ${line}`)).text;
}

/** Presses a button below the trail, and gives what comes into the direct messages, and what is said of it. */
async function exported(line: string, button: string) {
  const message = await answerTo(ana, `/db audit ${line}`);
  const before = ana.messages('@dolly').length;
  const press = () => ana.presses(button, { message });
  const answer = textOf(await answerAfter(ana, '#databases', press, 'what is said of the export'));
  await earth.until(() => ana.messages('@dolly').length > before, 'the export');
  return { answer, messages: ana.messages('@dolly').slice(before) };
}

describe('in the trail stands', () => {
  test('the audit trail shows who asked and who decided why, each with their user of the service and the target', async () => {
    const { own, card } = await asksToDelete(earth, ben, '/db user delete frank', 'frank');
    await clicks(ben, card, 'Deny').catch(() => undefined);
    await clicksWith(ana, card, 'Deny', 'He comes <back> & stays.');
    await earth.until(() => earth.text(own).includes('Denied'), 'the denial');
    const shown = await trail('frank');
    expect(shown).toMatch(
      /<@U0ANA00001> as `ana`.*\*denied\*.*user delete.*frank `USER-7`.*He comes &lt;back&gt; &amp; stays\./,
    );
    expect(shown).toMatch(/<@U0BEN00001> as `ben`.*\*asked\*.*user delete.*It is not needed any more/);
    expect(shown).toMatch(/Dolly for <@U0BEN00001> as `ben`.*\*awaiting\*.*1 needed/);
    expect(shown).toMatch(/<@U0BEN00001> as `ben`.*\*refused\*.*You asked for this yourself/);
  });

  test('the audit trail shows who withdrew a request', async () => {
    const { own } = await asksToDelete(earth, ben, '/db user delete eve', 'eve');
    expect(await clicks(ben, own, 'Withdraw')).toContain('Withdrawn');
    expect(await trail('withdrawn eve')).toMatch(/<@U0BEN00001> as `ben`.*\*withdrawn\*.*eve `USER-5`/);
  });

  test('the audit trail shows who looked at a job again, who stopped looking, and who was refused', async () => {
    const card = await asks(earth, ana, '/db backup shop');
    await earth.until(() => earth.text(card).includes('Running'), 'the job to run');
    expect(await clicks(ben, card, 'Check now')).toContain('Only <@U0ANA00001>');
    expect(await clicks(ana, card, 'Check now')).toContain('I’m checking now');
    expect(await clicks(ana, card, 'Stop checking')).toContain('I stopped checking');
    expect(await clicks(ana, card, 'Check now')).toContain('I’m checking again');
    const shown = await trail('backup shop');
    expect(shown.match(/<@U0ANA00001> as `ana`.*\*looking again\*/g)).toHaveLength(2);
    expect(shown).toMatch(/<@U0ANA00001> as `ana`.*\*unconfirmed\*.*You asked me to stop/);
    expect(shown).toMatch(/<@U0BEN00001> as `ben`.*\*refused\*.*look: Only the person/);
  });

  test('the audit trail shows what the policy forbade, also where the form was open before the rule came', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dolly-audit-')), 'policy.yml');
    writeFileSync(file, 'rules: [{ title: nobody deletes projects, operation: project.delete, decision: forbid }]');
    await ana.types('#databases', '/db project delete finance');
    await ana.until(() => ana.sees().views.some(({ view }) => JSON.stringify(view).includes('"submit":{')), 'the page');
    await earth.restart({ POLICY_FILE: file });
    await ana.fills({ confirm: 'finance', reason: 'It is over.' });
    await ana.submits();
    expect((await ana.modal()).text).toContain('nobody deletes projects. Nothing was sent.');
    await ana.cancels(true);
    expect(textOf(await answerTo(ana, '/db why project delete finance'))).toContain('The policy forbids this here');
    await earth.restart({ POLICY_FILE: '' });
    rmSync(dirname(file), { recursive: true });
    expect(await trail('forbidden')).toMatch(/<@U0ANA00001> as `ana`.*\*forbidden\*.*project delete.*nobody deletes/);
  });

  test('the audit trail shows who signed in, who signed out and who was refused, and no password', async () => {
    const chi = await earth.enters('Chi');
    const path = loginPath(await signInOfferTo(chi, '#databases'));
    const sends = (username: string, password: string) =>
      fetch(`${earth.dolly().url}${path}`, { method: 'POST', body: new URLSearchParams({ username, password }) });
    await sends('ana', 'no-password-of-hers');
    await sends('typed-where-the-name-goes', 'chi');
    await sends('chi', 'chi-password');
    await answerTo(chi, '/db logout');
    const shown = await trail('by=U0CHI00001');
    expect(shown).toMatch(/<@U0CHI00001> as `chi`.*\*signed out\*/);
    expect(shown).toMatch(/<@U0CHI00001> as `chi`.*\*signed in\*/);
    expect(shown).toMatch(/<@U0CHI00001> as `ana`.*\*sign-in refused\*/);
    expect(shown).toMatch(/<@U0CHI00001> {2}·.*\*sign-in refused\*/);
    for (const secret of ['no-password', 'typed-where', 'chi-password']) expect(shown).not.toContain(secret);
  });

  test('the audit trail shows whose token the service refused', async () => {
    const dev = await earth.enters('Dev', 'dev');
    earth.service.service.signOut('dev');
    await answerTo(dev, '/db whoami');
    expect(await trail('token')).toMatch(/Dolly for <@U0DEV00001> as `dev`.*\*token refused\*/);
  });

  test('the audit trail shows who read it and who was refused, and who is refused is told so in one sentence', async () => {
    const answer = textOf(await answerTo(ben, '/db audit secrets'));
    expect(answer).toBe(':warning: Only approvers can read the audit trail, and you are not one.');
    await trail('something');
    const shown = await trail('audit');
    expect(shown).toMatch(/<@U0BEN00001> as `ben`.*\*audit refused\*.*Only approvers/);
    expect(shown).toMatch(/<@U0ANA00001> as `ana`.*\*audit read\*.*something/);
  });

  test('an entry of the audit trail stands in the log, too, with the same ids', async () => {
    const { own } = await asksToDelete(earth, ben, '/db user delete eve', 'eve');
    await clicks(ben, own, 'Withdraw');
    const { messages } = await exported('withdrawn eve by=U0BEN00001', 'JSON lines');
    const [message] = messages;
    if (!message) throw new Error('no message');
    const [newest = ''] = (await ana.downloads(message)).split('\n');
    const { id, job } = JSON.parse(newest);
    const lines = log.filter(line => line.includes(`"audit":"${id}"`));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '{}')).toMatchObject({
      audit: id,
      job,
      person: ben.id,
      team: earth.playground.slack.workspace.team.id,
      operation: 'user.delete',
      msg: 'withdrawn',
    });
  });
});

describe('the trail is read', () => {
  test('the audit trail turns page by page, back and forth, and shows nothing twice', async () => {
    for (let at = 0; at < 20; at++) await trail(`"page ${at}"`);
    const page = await answerTo(ana, '/db audit "audit read" by=me');
    const linesOf = () => {
      const now = ana.messages('#databases').find(({ ts }) => ts === page.ts);
      return textOf(now)
        .split('\n')
        .filter(line => line.startsWith('audit read\t'));
    };
    const first = linesOf();
    expect(first).toHaveLength(15);
    const turned = async (button: string, before: readonly string[]) => {
      await ana.presses(button, { message: page });
      await ana.until(() => linesOf()[0] !== before[0], 'the page to turn');
      return linesOf();
    };
    const second = await turned('Older', first);
    expect(second.filter(line => first.includes(line))).toEqual([]);
    expect(second[0]).toContain('page 4');
    const again = await turned('Newer', second);
    expect(again.filter(line => second.includes(line))).toEqual([]);
  });

  test('the audit trail is searched by words and times, and a time that cannot be read is refused in one sentence', async () => {
    expect(await trail('since=yesterday')).toMatch(/^:warning: I cannot read since=yesterday as a time\. Write 7d/);
    expect(await trail('signed since=1h by=ana')).toMatch(/\*signed in\*/);
    expect(await trail('signed until=2026-11-20')).toContain('nothing.');
  });

  test('hostile words in a search of the audit trail mention nobody', async () => {
    const shown = await trail('"<!channel>" "`*x*`" by=<@U0ANA00001>');
    expect(shown).not.toContain('<!channel>');
    expect(shown).toContain('by <@U0ANA00001>');
  });
});

describe('the trail is exported', () => {
  test('an export of the audit trail comes as CSV by direct message, and stands in the trail itself', async () => {
    for (let at = 0; at < 3; at++) await trail(`=HYPERLINK${at}`);
    const { answer, messages } = await exported('HYPERLINK', 'CSV');
    expect(answer).toBe('The export is in your direct messages: 4 entries as CSV.');
    const [message] = messages;
    if (!message) throw new Error('no message');
    expect(textOf(message)).toContain('as CSV');
    const lines = (await ana.downloads(message)).split('\r\n');
    expect(lines[0]).toBe('time,actor,login,event,operation,target,targetName,detail,person,job,channel,team,id');
    expect(lines.slice(1, -1)).toHaveLength(4);
    expect(lines[2]).toContain(",'=HYPERLINK2,");
    expect(await trail('exported')).toMatch(/\*audit exported\*.*4 entries as CSV: HYPERLINK/);
    expect((await exported('signed by=dev', 'CSV')).answer).toContain(': 1 entry as CSV.');
  });

  test('the audit trail is exported as text where Slack takes no files', async () => {
    earth.playground.slack.settings.files = false;
    const { answer, messages } = await exported('', 'JSON lines');
    expect(answer).toContain('I sent you the newest entries as text in a direct message.');
    const [lead, lines] = messages;
    expect(textOf(lead)).toContain('Slack does not accept files from me (`missing_scope`)');
    expect(textOf(lead)).toMatch(/all \d+ entries|the newest \d+ of \d+ entries\. \d+ are left out/);
    expect(messages.length).toBeLessThanOrEqual(11);
    expect(lines?.text).toMatch(/^```\n\{"time":/);
  });

  test('an export of the audit trail that Slack did not answer says that the file may be missing', async () => {
    earth.playground.slack.faults.add({ method: 'files.getUploadURLExternal', kind: 'error' });
    await ana.presses('CSV', { message: await answerTo(ana, '/db audit') });
    await ana.reads('#databases', 'the file may be missing. Please ask again.');
  });

  test('a person who may no longer read the audit trail cannot export it by a button that they still see', async () => {
    const page = await answerTo(ana, '/db audit');
    await earth.restart({ APPROVERS: 'U0DEV00001' });
    await ana.presses('CSV', { message: page });
    await ana.reads('#databases', 'Only approvers can read');
    await earth.restart({ APPROVERS: approvalKeys.APPROVERS });
  });
});

describe('with no approvers listed', () => {
  test('everybody who is signed in may read the audit trail where no approvers are listed, and nobody else', async () => {
    await earth.restart({ APPROVERS: '' });
    expect(textOf(await answerTo(ben, '/db audit'))).toContain('*The audit trail*');
    const eve = await earth.enters('Eve');
    expect(textOf(await answerTo(eve, '/db audit'))).toContain('Sign in to the service');
    await ana.types('#databases', '/db doctor');
    expect(textOf(await ana.reads('#databases', '*The set-up*'))).toContain(':warning: Approvers: nobody is listed');
    await earth.restart({ APPROVERS: approvalKeys.APPROVERS });
  });
});

test('“/db doctor” tells the approvers and the policy as they are, and posts nothing to find out', async () => {
  const before = earth.cards('#dba-approvals').length;
  await ana.types('#dev', '/db doctor');
  const report = textOf(await ana.reads('#dev', '*The set-up*'));
  expect(report).toContain('Approvers: <!subteam^S0DBAS0001>');
  expect(report).toContain('Approval channel: <#C0APPROVAL>, and I am in it');
  expect(report).toContain('nobody may run anything without approval');
  expect(report).toContain('kept for 30 days');
  expect(earth.cards('#dba-approvals')).toHaveLength(before);
});

test('entries of the audit trail that are too old are removed after a start, which the trail says itself', async () => {
  await earth.stop();
  await earth.clock.advance(20 * day);
  await earth.start();
  expect(await trail('"signed in"')).toMatch(/\*signed in\*/);
  await earth.stop();
  await earth.clock.advance(11 * day);
  const left = async () => {
    const store = await openStore(earth.environment.DATA_DIR ?? '');
    const { entries } = await auditIn(store).read(earth.playground.slack.workspace.team.id, { words: [] }, 1_000);
    await store.destroy();
    return entries;
  };
  const before = (await left()).length;
  await earth.start();
  await earth.clock.advance(hour);
  await earth.until(async () => (await trail('swept')).includes('*swept*'), 'the sweep');
  await earth.stop();
  const entries = await left();
  expect(entries.length).toBeLessThan(before);
  expect(entries.every(({ at }) => at >= earth.clock.now() - 30 * day - hour)).toBe(true);
  await earth.start();
});
