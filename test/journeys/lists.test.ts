import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { recordsOf } from '../../src/sandbox/playground/json.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerAfter, answerTo } from './asking.ts';
import { ends, quickClone } from './clones.ts';

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const asks = (line: string, someone = ana) => answerTo(someone, line);
const told = async (line: string, someone = ana) => textOf(await asks(line, someone));

/** What a message says now. */
const nowIn = (message: Message) => textOf(ana.messages('#databases').find(({ ts }) => ts === message.ts));

/** What is answered to a choice or a click in a message. */
const answered = (act: () => Promise<unknown>, what: string, someone = ana) =>
  answerAfter(someone, '#databases', act, what).then(textOf);

describe('where Slack takes tables', () => {
  test('“/db list” is a table, out of which a record is chosen and shown with what can be done to it', async () => {
    const message = await asks('/db list');
    expect(recordsOf(message.blocks).map(({ type }) => type)).toEqual(['section', 'data_table', 'actions']);
    const shown = await answered(() => ana.chooses('Show one', 'helpdesk', { message }), 'the chosen record');
    for (const words of ['*helpdesk*', 'MARIADB_LIVE_SERVER', 'Clone…']) expect(shown).toContain(words);
  });

  test('“/db show” offers a choice of records where no name or several names are typed', async () => {
    const menu = await asks('/db show');
    const shown = await answered(() => ana.chooses('command.run', 'helpdesk', { message: menu }), 'the chosen record');
    expect(shown).toContain('MARIADB_LIVE_SERVER');
    const both = await asks('/db show orders helpdesk');
    expect(textOf(both)).toContain('Which one?');
    expect(await answered(() => ana.presses('helpdesk', { message: both }), 'the pressed record')).toContain('Clone…');
  });

  test('“/db jobs” shows a person’s jobs in a table, with a link to the message', async () => {
    const card = await quickClone(earth, ana, 3401);
    await ends(earth, card, 'Confirmed');
    const message = await asks('/db jobs');
    expect(textOf(message)).toMatch(/1 confirmed[\s\S]*Virtual clone of shop\tConfirmed/);
    expect(JSON.stringify(message.blocks)).toContain(`/archives/${card.channel}/p${card.ts.replace('.', '')}`);
  });

  test('“/db leases” shows how long clones are kept, and opens the form for one of them', async () => {
    const message = await asks('/db leases');
    expect(textOf(message)).toMatch(/How long clones are kept\*.*clones/);
    await ana.chooses('Keep one clone for…', 'shop-3401', { message });
    expect((await ana.modal()).text).toMatch(/MYSQL_CLONE_SERVER-\d+\* has no lease yet/);
    await ana.cancels();
  });

  test('the audit trail is a table, with its people', async () => {
    const message = await asks('/db audit by=me');
    expect(textOf(message)).toContain(`<@${ana.id}>`);
    expect(recordsOf(message.blocks).some(({ type }) => type === 'data_table')).toBe(true);
  });
});

describe('/db stats', () => {
  test('“/db stats” tells how long confirmed jobs took, by operation and environment, narrowed by words', async () => {
    const text = await told('/db stats');
    expect(text).toMatch(/1 confirmed job\n\*Virtual clone\*: half of them within \d/);
    expect(text).toMatch(/Virtual clone\tdev\t.*\t1$/m);
    expect(await told('/db stats CLONE dev')).toContain('Virtual clone\tdev');
    expect(await told('/db stats prod')).toContain(
      'Of the jobs that match `prod` you may see, none was confirmed in the last 12 weeks',
    );
    expect(await told('/db stats weeks=3')).toContain('`stats` has no field `weeks`');
  });

  test('“/db stats” counts another’s job only for people who see its environment, and asks the signed-out to sign in', async () => {
    const ben = await earth.enters('Ben');
    expect(await told('/db stats', ben)).toContain('Sign in');
    await earth.signsIn(ben, '#dev', 'ben');
    const inDev = textOf(await answerTo(ben, '/db stats', '#dev'));
    const seesDev = textOf(await answerTo(ben, '/db env list', '#dev')).includes('*dev*');
    expect(inDev.includes('Virtual clone\tdev')).toBe(seesDev);
  });
});

describe('/db', () => {
  test('“/db” leads with what the person does most, each with a button, and shows the rest by subject', async () => {
    const message = await asks('/db');
    const text = textOf(message);
    expect(text.indexOf('/clone')).toBeLessThan(text.indexOf('/db list'));
    const subject = await answered(() => ana.presses('Approvals and audit', { message }), 'the subject');
    expect(subject).toContain('/db why <command …>'.replace('<', '&lt;').replace('>', '&gt;'));
    expect(subject).not.toContain('/clone');
    expect(await answered(() => ana.presses('Status', { message }), 'the status')).toContain('protected');
    await ana.presses('Clone…', { message });
    expect((await ana.modal()).title).toContain('Clone');
    await ana.cancels();
  });

  test('“/db” leads newcomers to the sign-in', async () => {
    const chi = await earth.enters('Chi');
    expect(await told('/db', chi)).toMatch(/what you need most[\s\S]{0,40}\/db login/);
  });
});

describe('where it takes none', () => {
  test('“/db list” turns page by page, forwards and backwards, where Slack takes no tables', async () => {
    earth.playground.slack.settings.newerBlocks = false;
    const list = await asks('/db list');
    expect(nowIn(list)).toContain('22 databases');
    expect(nowIn(list)).toContain('archive_2023');
    expect(nowIn(list)).not.toContain('Previous');
    await ana.presses('Next', { message: list });
    await ana.until(() => nowIn(list).includes('page 2'), 'the second page');
    await ana.presses('Next', { message: list });
    await ana.until(() => nowIn(list).includes('page 3'), 'the last page');
    expect(nowIn(list)).not.toContain('Next');
    await ana.presses('Previous', { message: list });
    await ana.until(() => nowIn(list).includes('page 2'), 'the second page again');
  });

  test('a list’s pages can be turned more often than a response URL can be used', async () => {
    const list = await asks('/db list');
    for (const turn of [2, 3, 2, 3, 2, 3, 2, 3]) {
      await ana.presses(turn === 2 && !nowIn(list).includes('page 3') ? 'Next' : turn === 2 ? 'Previous' : 'Next', {
        message: list,
      });
      await ana.until(() => nowIn(list).includes(`page ${turn}`), `page ${turn}`);
    }
  });
});
