import { describe, expect, test } from 'vitest';
import { isSlacks } from '../../../src/slack/connection/slackAddress.ts';

const apiOrigin = 'http://127.0.0.1:4000';

describe('an address', () => {
  test.each([
    'https://hooks.slack.com/commands/T1/2/x',
    'https://hooks.slack-gov.com/actions/T1/2/x',
    'https://slack.com/api/auth.test',
    'https://files.slack.com/upload/v1/x',
    'https://hooks.slack.com:443/x',
    'http://127.0.0.1:4000/response/x',
  ])('the address %s counts as Slack’s', address => {
    expect(isSlacks(address, apiOrigin)).toBe(true);
  });

  test.each([
    'http://hooks.slack.com/x',
    'https://hooks.slack.com:8443/x',
    'https://hooks.slack.com@evil.example/x',
    'https://hooks.slack.com:x@evil.example/x',
    'https://evil.example\\@hooks.slack.com/x',
    'https://user@hooks.slack.com/x',
    'https://hooks.slack.com.evil.example/x',
    'https://evilslack.com/x',
    'https://evil.example/hooks.slack.com',
    'https://evil.example#hooks.slack.com',
    'https://hооks.slack.com.evil.example/x',
    'https://slack.cоm/x',
    'http://127.0.0.1:4001/x',
    'https://127.0.0.1:4000/x',
    'http://localhost:4000/x',
    'http://127.0.0.1:4000@169.254.169.254/x',
    'http://169.254.169.254/latest/meta-data',
    'file:///etc/passwd',
    '//hooks.slack.com/x',
    '',
  ])('the address %j does not count as Slack’s', address => {
    expect(isSlacks(address, apiOrigin)).toBe(false);
  });

  test('an address of the local Slack counts as Slack’s only where the local Slack is set', () => {
    expect(isSlacks('http://127.0.0.1:4000/response/x', undefined)).toBe(false);
  });
});
