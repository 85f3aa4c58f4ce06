import { WebClient } from '@slack/web-api';
import { pino } from 'pino';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { hour } from '../../../src/ground/durations.ts';
import { noMeter } from '../../../src/ground/meter.ts';
import { type Playground, startPlayground } from '../../../src/sandbox/playground/server.ts';
import { botTokensIn, renewalOf } from '../../../src/slack/connection/botTokens.ts';
import { installedSlacks } from '../../../src/slack/connection/installedSlacks.ts';
import {
  type Installations,
  installationsIn,
  type OpenedInstallation,
} from '../../../src/store/tables/installations.ts';
import { openVault } from '../../../src/store/vault.ts';
import { type TestClock, testClock } from '../../clock.ts';
import { folder, storeIn } from '../../store/folder.ts';

/* Tokens against a Slack that ends them after twelve hours, and takes each token that renews one only once. */

const client = { id: '1234.5678', secret: 'client-secret' };
const home = { team: 'T0PLAYGRND', person: 'U0ANA00001' };
const partner = { team: 'T0PARTNER1', person: 'U0PIA00001' };

let clock: TestClock;
let playground: Playground;
let installations: Installations;
beforeEach(async () => {
  clock = testClock(Date.UTC(2026, 10, 21, 9));
  playground = await startPlayground({ port: 0, botToken: '', signingSecret: 's', commands: [], clock, client });
  onTestFinished(() => playground.close());
  playground.slack.settings.tokenRotation = true;
  installations = installationsIn(await storeIn(folder()), openVault([new Uint8Array(32).fill(1)]));
});

const options = () => ({ slackApiUrl: playground.apiUrl, retryConfig: { retries: 0 } });

/** A process on the store; `first` is what its first look into the store finds. */
function replica(first?: OpenedInstallation) {
  const log = pino({ level: 'silent' });
  const keys = { clientId: client.id, clientSecret: client.secret };
  const renew = renewalOf(keys, new WebClient(undefined, options()), clock);
  const allowed = [home.team, partner.team];
  let isFirst = first !== undefined;
  const find = async (team: string) => {
    if (!isFirst) return installations.find(team);
    isFirst = false;
    return first;
  };
  const tokens = botTokensIn({
    installations: { ...installations, find },
    allowed,
    clock,
    log,
    renew,
    ended: () => undefined,
  });
  return installedSlacks(tokens, options(), noMeter);
}

/** Installs the app, and keeps the token. */
async function installs({ team, person }: typeof home): Promise<void> {
  const redirect_uri = 'https://dolly.invalid/slack/oauth_redirect';
  const asked = { client_id: client.id, scope: 'chat:write', redirect_uri, state: 's', team };
  const body = new URLSearchParams({ ...asked, who: `${team} ${person}`, answer: 'allow' });
  const answer = await fetch(`${playground.url}/oauth/v2/authorize`, { method: 'POST', body, redirect: 'manual' });
  const code = new URL(answer.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const given = await new WebClient(undefined, options()).oauth.v2.access({
    ...{ client_id: client.id, client_secret: client.secret, code, redirect_uri },
  });
  const { access_token: token = '', refresh_token: renewal = '', expires_in: seconds = 0 } = given;
  const row = { team, name: null, app: 'A1', bot: 'B1', botUser: 'U1', person, createdAt: clock.now() };
  const kept = { token, renewal, expiresAt: clock.now() + seconds * 1_000 };
  await installations.keep(row, kept, { state: code, expiresAt: clock.now() + hour });
}

const renewals = () =>
  playground.slack.traffic().filter(({ request }) => JSON.stringify(request).includes('refresh_token'));
const teamOf = async (slacks: ReturnType<typeof replica>, team: string) => (await slacks.of(team).auth.test()).team_id;

test('two replicas serve for days and use each renewal token once, also after a day on which nobody asked', async () => {
  await installs(home);
  const [one, other] = [replica(), replica()];
  for (const pause of [11, 11, 36, 11]) {
    await clock.advance(pause * hour);
    const asked = Promise.all([teamOf(one, home.team), teamOf(other, home.team), teamOf(one, home.team)]);
    let isOver = false;
    void asked.finally(() => {
      isOver = true;
    });
    // The one that waits for the other looks again and again.
    while (!isOver) await clock.advance(500);
    expect(await asked).toEqual(Array(3).fill(home.team));
  }
  expect(renewals()).toHaveLength(4);
  expect(renewals().every(({ response }) => JSON.stringify(response).includes('"ok":true'))).toBe(true);
});

test('each workspace has its own token, and one that Slack ended fails for its workspace alone', async () => {
  await installs(home);
  await installs(partner);
  const slacks = replica();
  expect([await teamOf(slacks, home.team), await teamOf(slacks, partner.team)]).toEqual([home.team, partner.team]);
  playground.slack.uninstalls(partner.team, false);
  await expect(slacks.of(partner.team).auth.test()).rejects.toThrow('not_installed');
  expect(await installations.hasEnded(partner.team)).toBe(true);
  expect(await teamOf(slacks, home.team)).toBe(home.team);
  await expect(slacks.of('T0OTHERS01').auth.test()).rejects.toThrow('not_installed');
});

test('a call with a token that was replaced meanwhile is made again with the new one', async () => {
  await installs(home);
  const before = await installations.find(home.team);
  if (!before) throw new Error('it was kept');
  playground.slack.uninstalls(home.team, false);
  await installs(home);
  // It looked into the store just before the new installation was kept.
  expect(await teamOf(replica(before), home.team)).toBe(home.team);
  const words = playground.slack.traffic().map(({ response }) => JSON.stringify(response));
  expect(words.filter(word => word.includes('account_inactive'))).toHaveLength(1);
  expect(await installations.hasEnded(home.team)).toBe(false);
});
