import { pino } from 'pino';
import { expect, test } from 'vitest';
import { hour } from '../../../src/ground/durations.ts';
import { botTokensIn } from '../../../src/slack/connection/botTokens.ts';
import { Refused } from '../../../src/slack/connection/slackErrors.ts';
import { type BotToken, installationsIn } from '../../../src/store/tables/installations.ts';
import { openVault } from '../../../src/store/vault.ts';
import { testClock } from '../../clock.ts';
import { quiet } from '../../quiet.ts';
import { folder, storeIn } from '../../store/folder.ts';

const made = { ...{ team: 'T1', name: 'Acme', app: 'A1', bot: 'B1', botUser: 'UBOT', person: 'UANA' }, createdAt: 0 };

/** Processes on one store, and a Slack that gives one new token for each that renews; `refuse` makes it refuse. */
async function office(token: BotToken, allowed: readonly string[] = ['T1']) {
  const clock = testClock(1_000_000);
  const store = await storeIn(folder());
  const [key, next] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
  const installations = installationsIn(store, openVault([key, next]));
  /** Seals all tokens by the next key, as a process does that starts with it. */
  const sealAnew = () => installationsIn(store, openVault([next, key])).sealAnew();
  await installations.keep({ ...made, createdAt: clock.now() }, token, { state: 's', expiresAt: clock.now() + hour });
  const asked: string[] = [];
  const ended: string[] = [];
  let refusal: string | undefined;
  const gate = { open: Promise.resolve() };
  const renew = async (renewal: string): Promise<BotToken> => {
    asked.push(renewal);
    await gate.open;
    if (refusal !== undefined) throw new Refused(refusal);
    return { token: `${renewal}-token`, renewal: `${renewal}-next`, expiresAt: clock.now() + 12 * hour };
  };
  const log = pino({ level: 'silent' });
  const process = (its = installations) =>
    botTokensIn({ installations: its, allowed, clock, log, renew, ended: team => void ended.push(team) });
  return {
    ...{ clock, installations, sealAnew, asked, ended, gate, process },
    refuse(word: string) {
      refusal = word;
    },
  };
}

const rotating = (left: number) => ({ token: 'old', renewal: 'r1', expiresAt: 1_000_000 + left });

test('a bot token without an end is used as it is, without being renewed', async () => {
  const { process, asked } = await office({ token: 'xoxb-1' });
  expect(await process().of('T1')).toBe('xoxb-1');
  expect(asked).toEqual([]);
});

test('a bot token is renewed two hours before it ends, once for many calls, and counts for every process', async () => {
  const { process, asked, clock } = await office(rotating(3 * hour));
  const [one, other] = [process(), process()];
  expect(await one.of('T1')).toBe('old');
  await clock.advance(hour);
  expect(await Promise.all([one.of('T1'), one.of('T1'), one.of('T1')])).toEqual(Array(3).fill('r1-token'));
  expect(await other.of('T1')).toBe('r1-token');
  expect(asked).toEqual(['r1']);
});

test('a call that read the bot token just before its renewal gets the new one', async () => {
  const { process, asked, installations } = await office(rotating(hour));
  const answered = Promise.withResolvers<void>();
  const find: typeof installations.find = async team => {
    const found = await installations.find(team);
    await answered.promise;
    return found;
  };
  const late = process({ ...installations, find }).of('T1');
  expect(await process().of('T1')).toBe('r1-token');
  answered.resolve();
  expect(await late).toBe('r1-token');
  expect(asked).toEqual(['r1']);
});

test('while one process renews a token, another uses the old one, or waits for the new one if the old has ended', async () => {
  const { process, asked, clock, gate } = await office(rotating(hour));
  const answered = Promise.withResolvers<void>();
  gate.open = answered.promise;
  const [one, other] = [process(), process()];
  const renewing = one.of('T1');
  await quiet();
  expect(await other.of('T1')).toBe('old');
  await clock.advance(10_000);
  answered.resolve();
  expect(await renewing).toBe('r1-token');

  const over = await office(rotating(-1));
  const slow = Promise.withResolvers<void>();
  over.gate.open = slow.promise;
  const [first, second] = [over.process(), over.process()];
  const both = [first.of('T1'), second.of('T1')];
  await quiet();
  slow.resolve();
  await quiet();
  await over.clock.advance(1_000);
  expect(await Promise.all(both)).toEqual(['r1-token', 'r1-token']);
  expect([...asked, ...over.asked]).toEqual(['r1', 'r1']);
});

test('an old token serves on while Slack gives no new one, and Dolly asks again half a minute later', async () => {
  const { process, asked, refuse, installations, ended, clock } = await office(rotating(hour));
  refuse('internal_error');
  const tokens = process();
  expect([await tokens.of('T1'), await tokens.of('T1')]).toEqual(['old', 'old']);
  expect(asked).toEqual(['r1']);
  await clock.advance(30_000);
  refuse('invalid_refresh_token');
  expect(await tokens.of('T1')).toBe('old');
  expect(asked).toEqual(['r1', 'r1']);
  expect([await installations.hasEnded('T1'), ended]).toEqual([false, []]);
});

test('an installation ends when its token has ended and Slack refuses to renew it', async () => {
  const { process, refuse, installations, ended } = await office(rotating(-1));
  refuse('invalid_refresh_token');
  await process().of('T1');
  expect([await installations.hasEnded('T1'), ended]).toEqual([true, ['T1']]);
  await expect(process().of('T1')).rejects.toThrow('not_installed');
});

test('a workspace that is not on the list of allowed ones gets no token, although the store has one', async () => {
  const { process } = await office({ token: 'xoxb-1' }, ['T2']);
  await expect(process().of('T1')).rejects.toThrow('not_installed');
  await expect(process().of('T2')).rejects.toThrow('not_installed');
});

test.each([['account_inactive'], ['token_revoked']])(
  'a token that Slack refuses as %s ends its installation',
  async word => {
    const { process, installations, ended } = await office({ token: 'xoxb-1' });
    await expect(process().isReplaced('T1', 'xoxb-1', word)).rejects.toThrow('not_installed');
    expect([await installations.hasEnded('T1'), ended]).toEqual([true, ['T1']]);
  },
);

test('a refused token that has been replaced since does not end its installation', async () => {
  const { process, installations } = await office({ token: 'xoxb-2' });
  expect(await process().isReplaced('T1', 'xoxb-1', 'account_inactive')).toBe(true);
  expect(await process().isReplaced('T1', 'xoxb-2', 'invalid_auth')).toBe(false);
  expect(await installations.hasEnded('T1')).toBe(false);
});

test('a new token that the store cannot take at once is used, and stored as soon as the store can', async () => {
  const { process, asked, clock, installations } = await office(rotating(hour));
  let troubles = 2;
  const renew: typeof installations.renew = (found, token) =>
    troubles-- > 0 ? Promise.reject(new Error('away')) : installations.renew(found, token);
  const one = process({ ...installations, renew });
  expect([await one.of('T1'), await one.of('T1')]).toEqual(['r1-token', 'r1-token']);
  expect((await installations.find('T1'))?.token).toBe('old');
  // A try that the store has not answered yet waits for no time.
  const later = () => clock.advance(5_000).then(() => installations.find('T1'));
  await expect.poll(async () => (await later())?.renewal).toBe('r1-next');
  expect(asked).toEqual(['r1']);
});

test('a new token is stored although another process sealed the old one anew meanwhile', async () => {
  const { process, gate, clock, installations, sealAnew } = await office(rotating(hour));
  const answered = Promise.withResolvers<void>();
  gate.open = answered.promise;
  const renewing = process().of('T1');
  await quiet();
  expect(await sealAnew()).toBe(1);
  answered.resolve();
  expect(await renewing).toBe('r1-token');
  await clock.advance(5_000);
  await expect.poll(async () => (await installations.find('T1'))?.renewal).toBe('r1-next');
});
