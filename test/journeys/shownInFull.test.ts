import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { confirms } from './asking.ts';
import { opensForm, quickLine, toldAlone } from './clones.ts';

/* What a card binds stands on it in full, or is refused before anybody is asked. */

const folder = scratchFolder('shownInFull');
let earth: World;
let ana: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, 'rules:\n  - operation: clone.create\n    decision: approve\n');
  earth = await world({ environment: { POLICY_FILE: file } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks for a clone with some parameters; gives its card, or what the person alone is told. */
async function asksWith(port: number, fields: Record<string, string>): Promise<string> {
  const cards = earth.cards('#databases').length;
  const alone = toldAlone(ana).length;
  await opensForm(ana, '#databases', quickLine(port));
  await ana.fills({ ...fields, reason: 'For the test.' });
  const { errors, error, open } = await ana.submits();
  expect([errors, error]).toEqual([{}, '']);
  if (open) await confirms(ana);
  const card = (): StoredMessage | undefined => earth.cards('#databases')[cards];
  const said = () => {
    const shown = card();
    const text = shown ? earth.text(shown) : (toldAlone(ana)[alone]?.text ?? '');
    return /Approve…|Read all and decide…|could approve this|to be approved/.test(text) ? text : undefined;
  };
  return earth.until(said, 'the card, or the refusal');
}

const parameters = (last: string) =>
  Array.from({ length: 20 }, (_, at) => `parameter_number_${at}=${at === 19 ? last : 'some_value'}`).join('\n');

test('all parameters of a clone stand on its approval card, and cards of different clones never look alike', async () => {
  const path = `/opt/scripts/${'deep/'.repeat(25)}`;
  const cards = [
    await asksWith(3310, { databaseParams: parameters('one'), specificPostScriptPath: `${path}one.sh` }),
    await asksWith(3310, { databaseParams: parameters('two'), specificPostScriptPath: `${path}two.sh` }),
    await asksWith(3310, { databaseParams: 'a:STRING=1' }),
    await asksWith(3310, { databaseParams: 'a:NUMBER=1' }),
  ];
  expect(cards[0]).toContain('parameter_number_19:STRING=one');
  expect(cards[0]).toContain(`${path}one.sh`);
  expect(cards[1]).toContain('parameter_number_19:STRING=two');
  expect(cards[1]).toContain(`${path}two.sh`);
  // But for the digest and the times, of which nobody compares two.
  const bare = cards.map(card => card.replace(/Digest `\w+`|<!date[^>]*>/g, ''));
  expect(new Set(bare).size).toBe(cards.length);
});

test('a password stands on an approval card only as a mark, which differs from that of another password', async () => {
  const cards = [
    await asksWith(3311, { databaseParams: 'password=hunter22' }),
    await asksWith(3311, { databaseParams: 'password=hunter23' }),
    await asksWith(3311, { specificPostScriptPath: '/run.sh --password hunter22' }),
  ];
  for (const card of cards) expect(card).toMatch(/_is a secret, with the mark [0-9a-f]{8}_/);
  expect(cards.join()).not.toMatch(/hunter2/);
  const bare = cards.map(card => card.replace(/Digest `\w+`|<!date[^>]*>/g, ''));
  expect(new Set(bare).size).toBe(cards.length);
});

test('a request for which a card has no room is read whole on pages, and approved there', async () => {
  const dev = await earth.enters('Dev', 'dev');
  const last = `x${'y'.repeat(2_400)}`;
  const fields = { databaseParams: `p=${last}`, specificPostScriptPath: `/opt/${'&'.repeat(1_000)}` };
  const text = await asksWith(3312, fields);
  expect(text).toContain('Read them all to decide');
  expect(text).not.toContain('Approve…');
  const card = earth.cards('#databases').at(-1);
  const message = await dev.until(() => dev.messages('#databases').find(({ ts }) => ts === card?.ts), 'the card');
  await dev.presses('Read all and decide…', { message });
  await dev.until(() => dev.hasModal(), 'the page');
  const shown = JSON.stringify(dev.sees().views.at(-1));
  for (const [sign, many] of [
    ['y', 2_400],
    ['&amp;', 1_000],
  ] as const)
    expect(shown.split(sign).length - 1).toBeGreaterThanOrEqual(many);
  await dev.submits();
  await earth.until(() => card && /Approved by|approved/.test(earth.text(card)), 'the approval');
});

test('an approval card names an environment as its record does now, and not as the form did', async () => {
  const place = [...earth.service.service.estate.environments.values()].find(({ name }) => name === 'dev');
  if (!place) throw new Error('there is no dev');
  const cards = earth.cards('#databases').length;
  await opensForm(ana, '#databases', quickLine(3313));
  await ana.fills({ reason: 'For the test.' });
  Object.assign(place, { name: 'production-eu' });
  const { open } = await ana.submits();
  if (open) await confirms(ana);
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the card');
  await earth.until(() => earth.text(card).includes('Deny…'), 'the buttons');
  Object.assign(place, { name: 'dev' });
  expect(earth.text(card)).toMatch(/clone shop to production-eu/);
  expect(earth.text(card)).not.toMatch(/to dev|dev \(/);
});

test.each([
  ['characters that are not seen', { databaseParams: 'name=a\u200bb' }, 'could approve this'],
  ['characters that a card shows otherwise', { databaseParams: 'name=a`b' }, 'could approve this'],
])('a parameter with %s is refused with a sentence, and nobody is asked to approve it', async (_, fields, sentence) => {
  const told = await asksWith(3311, fields);
  expect(told).toContain(sentence);
  expect(told).not.toContain('Approve…');
});
