import { type Environment, givenIn } from './given.ts';

/** The keys of a real Slack app or service. The sandbox, which needs none of them, starts where all are unset. */
const realKeys = [
  'SLACK_BOT_TOKEN',
  'SLACK_SIGNING_SECRET',
  'SLACK_APP_TOKEN',
  'SLACK_CLIENT_ID',
  'SLACK_CLIENT_SECRET',
  'SERVICE_URL',
  'TOKEN_KEYS',
];

/** Whether an environment is meant for a real Slack or a real service. */
export function isForReal(environment: Environment): boolean {
  const given = givenIn(environment);
  return realKeys.some(key => given[key] !== undefined);
}
