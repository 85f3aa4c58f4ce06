import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { second } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { type Someone, textOf } from '../person.ts';
import type { Filling } from '../sandbox/playground/form.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks } from './asking.ts';
import { ends } from './clones.ts';

/* Whoever sees that an end is not so says so on its message. */

let earth: World;
let ana: Someone;
let ben: Someone;
let card: StoredMessage;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  card = await asks(earth, ana, '/db backup MYSQL_LIVE_SERVER-2');
  await ends(earth, card, 'Confirmed');
});
afterAll(() => earth.close());

/** Presses the button and sends the form; gives what the person alone is told then. */
async function objects(someone: Someone, fields: Record<string, Filling>): Promise<string> {
  const before = someone.messages('#databases').filter(({ onlyFor }) => onlyFor !== undefined).length;
  await someone.presses('That’s wrong…', { message: card });
  expect((await someone.modal()).title).toBe('That’s wrong');
  await someone.fills(fields);
  await someone.submits();
  const answer = await earth.until(
    () => someone.messages('#databases').filter(({ onlyFor }) => onlyFor !== undefined)[before],
    'an answer',
  );
  return textOf(answer);
}

const threadOf = () => ana.thread(card).map(textOf);

describe('on the message of a confirmed backup', () => {
  test('a requester’s objection to the end of a job stands on its message, in its thread and in the audit trail', async () => {
    expect(await objects(ana, { answer: 'It failed', text: 'It has no <!channel> data.' })).toContain(
      'on the message and in the thread',
    );
    await earth.until(() => earth.text(card).includes('disagrees: it failed'), 'the word on the card');
    expect(earth.text(card)).toContain('Confirmed');
    const reply = await earth.until(
      () => threadOf().find(text => text.includes('disagrees')),
      'the word in the thread',
    );
    expect(reply).toContain('It has no');
    expect(reply).not.toContain('<!channel>');
    expect(textOf(await answerTo(ana, '/db audit objected'))).toMatch(/objected.*failed/s);
    expect(await objects(ana, { answer: 'It failed' })).toBe('You have already said so.');
  });

  test('“Why?” on a job’s message tells anybody what decided its end, and changes nothing', async () => {
    const before = [earth.text(card), threadOf().length, earth.writes().length];
    for (const someone of [ana, ben]) {
      await someone.presses('Why?', { message: card });
      const { title, text } = await someone.modal();
      expect(title).toBe('Why this end');
      expect(text).toMatch(/What decided:\W*the rule “[^”]*new snapshot[^”]*”\. There is a new snapshot/);
      expect(text).toMatch(/My looks have shown it since .*; I counted it at /);
      expect(text).toContain('1 min and 5 min after that');
      expect(text).toContain('if what it made is gone or has failed');
      expect(text).toContain('“What counts as evidence” in docs/jobs.md');
      expect(text).toMatch(/Lower rules that also see something:\W*“[^”]*back.*”\. The first one counts/);
      expect(text).not.toContain('speaks against');
      await someone.cancels();
    }
    expect([earth.text(card), threadOf().length, earth.writes().length]).toEqual(before);
  });

  test('a person who neither asked for a job nor approves cannot object to its end', async () => {
    expect(await objects(ben, { answer: 'Look again now' })).toContain('Only');
    expect(earth.text(card)).toContain('Confirmed');
  });

  test('the file that an objection makes for Dolly’s makers has the records without their names', async () => {
    expect(await objects(ana, { answer: 'It still runs', file: 'Give me a file' })).toContain(
      'in your direct messages',
    );
    const file = await ana.downloads(await ana.reads('@dolly', 'without names and texts'));
    expect(JSON.parse(file)).toMatchObject({
      told: { operation: 'database.backup', state: 'succeeded', target: 'MYSQL_LIVE_SERVER-2' },
      records: {
        'MYSQL_LIVE_SERVER-2': { id: 'MYSQL_LIVE_SERVER-2', state: 'RUNNING', name: expect.stringMatching(/^text-/) },
      },
    });
    expect(file).not.toMatch(/shop|mysql-prod|ana\b/);
  });

  test('an objection with “Look again now” makes Dolly look again, and tell the same end anew', async () => {
    const before = threadOf().length;
    expect(await objects(ana, { answer: 'Look again now' })).toContain('checking again');
    await earth.until(
      () =>
        threadOf()
          .slice(before)
          .some(text => text.includes('I am looking again')),
      'the reply',
    );
    await earth.clock.advance(30 * second);
    expect(await ends(earth, card, 'Confirmed')).not.toContain('disagrees');
  });
});
