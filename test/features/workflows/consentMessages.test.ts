import { describe, expect, test } from 'vitest';
import type { Consent } from '../../../src/features/workflows/consent/consent.ts';
import { consentBlocks, consentLine, consentMessage } from '../../../src/features/workflows/consent/consentMessages.ts';
import { viewFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { textOf } from '../../sandbox/playground/blockText.ts';
import { aboutShop, aConsent } from './aConsent.ts';

const asks = {
  ...{ what: 'asks', consent: 'g1', revision: 1, workflow: 'Nightly', channel: 'C1', runsAs: null, about: aboutShop },
};
const evil = '<!channel> <@U9> `*_~ & \u202e 🐑'.repeat(20);

describe('the message about a workflow’s step', () => {
  test('asks for the consent with all that it covers, and two buttons', () => {
    const text = JSON.stringify(consentMessage(asks, null));
    for (const part of ['Let the workflow “Nightly” back up shop as you?', 'MYSQL_LIVE_SERVER-1', '<#C1>', 'Allow'])
      expect(text).toContain(part);
  });

  test('says that those who approve are asked, too, where it is for the service account', () => {
    expect(JSON.stringify(consentMessage({ ...asks, runsAs: 'service' }, null))).toMatch(
      /with the service account\?.*After you, I ask the approvers/,
    );
  });

  test('loses its buttons with its outcome', () => {
    const told = JSON.stringify(consentMessage(asks, 'You allowed it.'));
    expect(told).toContain('You allowed it.');
    expect(told).not.toContain('button');
  });

  test('shows texts of others letter for letter', () => {
    const about = { ...aboutShop, asks: evil, warning: evil, lines: Array.from({ length: 30 }, () => [evil, evil]) };
    const content = consentMessage({ ...asks, workflow: evil, about }, null);
    const marked = [...JSON.stringify(content).matchAll(/"type":"mrkdwn","text":"([^"]*)"/g)].map(([, text]) => text);
    expect(marked.join('\n')).not.toMatch(/<!channel>|<@U9>/);
    expect(viewFaults({ type: 'home', blocks: content?.blocks ?? [] }, 'home')).toEqual([]);
  });

  test.each([{}, { what: 'dances' }, null, { what: 'asks', consent: 1 }])('of another release is none: %j', data => {
    expect(consentMessage(data, null)).toBeUndefined();
  });
});

describe('in Home', () => {
  test.each([
    ['given', 'Revoke'],
    ['waiting', 'Revoke'],
    ['refused', 'Allow'],
    ['revoked', 'Allow'],
  ] satisfies [Consent['state'], string][])('one that is %s has the button %s', (state, button) => {
    expect(textOf(consentBlocks([aConsent({ state })]))).toContain(button);
  });

  test('one of another release is there, and can be taken back', () => {
    expect(consentLine(aConsent({ about: { strange: true } }))).toContain('another version');
  });

  test('there is no heading without any', () => expect(consentBlocks([])).toEqual([]));
});
