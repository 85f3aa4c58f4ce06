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
  test('the question for a consent names all that it covers, and has a button to allow it', () => {
    const text = JSON.stringify(consentMessage(asks, null));
    for (const part of ['Let the workflow “Nightly” back up shop as you?', 'MYSQL_LIVE_SERVER-1', '<#C1>', 'Allow'])
      expect(text).toContain(part);
  });

  test('the question for a consent with the service account says that approvers are asked, too', () => {
    expect(JSON.stringify(consentMessage({ ...asks, runsAs: 'service' }, null))).toMatch(
      /with the service account\?.*After you, I ask the approvers/,
    );
  });

  test('the question for a consent loses its buttons once it is answered', () => {
    const told = JSON.stringify(consentMessage(asks, 'You allowed it.'));
    expect(told).toContain('You allowed it.');
    expect(told).not.toContain('button');
  });

  test('the question for a consent shows texts of others letter for letter', () => {
    const about = { ...aboutShop, asks: evil, warning: evil, lines: Array.from({ length: 30 }, () => [evil, evil]) };
    const content = consentMessage({ ...asks, workflow: evil, about }, null);
    const marked = [...JSON.stringify(content).matchAll(/"type":"mrkdwn","text":"([^"]*)"/g)].map(([, text]) => text);
    expect(marked.join('\n')).not.toMatch(/<!channel>|<@U9>/);
    expect(viewFaults({ type: 'home', blocks: content?.blocks ?? [] }, 'home')).toEqual([]);
  });

  test.each([{}, { what: 'dances' }, null, { what: 'asks', consent: 1 }])(
    'a question for a consent that another release wrote is not shown: %j',
    data => {
      expect(consentMessage(data, null)).toBeUndefined();
    },
  );
});

describe('in Home', () => {
  test.each([
    ['given', 'Revoke'],
    ['waiting', 'Revoke'],
    ['refused', 'Allow'],
    ['revoked', 'Allow'],
  ] satisfies [Consent['state'], string][])('a consent in Home that is %s has the button %s', (state, button) => {
    expect(textOf(consentBlocks([aConsent({ state })]))).toContain(button);
  });

  test('a consent of another release is shown in Home', () => {
    expect(consentLine(aConsent({ about: { strange: true } }))).toContain('another version');
  });

  test('Home has no heading for consents where there are none', () => expect(consentBlocks([])).toEqual([]));
});
