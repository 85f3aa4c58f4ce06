import { afterEach, describe, expect, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { examine } from '../../../src/jobs/approval/checks.ts';
import { outlookOf } from '../../../src/jobs/approval/facts/findings.ts';
import { openInquiry } from '../../../src/jobs/approval/inquiry.ts';
import { writeOperation } from '../../../src/operations/catalogue.ts';
import { recordReader } from '../../../src/records/recordReader.ts';
import { crossing } from '../../journeys/crossing.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { type Board, board } from '../deciding.ts';

/* `why` and the sending give the same verdict on the same request, since they make the same checks. */

const owner = { team: 'T1', person: 'U0ANA' };
const road = crossing();
let desk: Board;
const met: { leave(): void }[] = [];
afterEach(async () => {
  for (const meeting of met.splice(0)) meeting.leave();
  await desk.end();
});

type Situation = Readonly<{
  operation?: string;
  target?: string;
  purpose?: string | null;
  policy?: object;
  meets?: () => void;
  signsOut?: true;
}>;

const answers = (status: number, ...paths: string[]) => {
  for (const path of paths) met.push(road.meets(path, () => Response.json({ message: 'not today' }, { status })));
};

/** The field that names an operation's target. */
const fieldOf = (operation: string) => writeOperation(operation)?.target ?? '';

/** What `why` says of a request: its verdict, and the sentence that decides. */
async function saysWhy(situation: Situation) {
  const {
    operation = 'database.delete',
    target = 'MYSQL_LIVE_SERVER-2',
    purpose: reason = 'It is old.',
    signsOut,
  } = situation;
  const found = writeOperation(operation);
  const id = parseIdentifier(target);
  const credential = await desk.credentials.find(owner);
  if (!found || !id || !(credential || signsOut)) throw new Error('there is no such request');
  const records = credential && recordReader(call => desk.parts.service.fetch(credential.token, call), {});
  const values = { [found.target]: target };
  const question = { owner, credential, operation: found, values, target: id, reason, records };
  const { type, decisive } = outlookOf(await examine(openInquiry(desk.parts, question)));
  return { verdict: type, sentence: decisive?.stops ? decisive.sentence : '' };
}

/** What comes of the request itself. */
async function sends({
  operation = 'database.delete',
  target = 'MYSQL_LIVE_SERVER-2',
  purpose = 'It is old.',
}: Situation) {
  const writes = () =>
    desk.service.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/user/user/')).length;
  const before = writes();
  const job = await desk.asksAndSends({ operation, target, values: { [fieldOf(operation)]: target }, purpose });
  const verdict =
    writes() > before
      ? 'sent'
      : job.state === 'awaiting'
        ? 'waits'
        : job.state === 'failed' || job.hold === 'sign-in'
          ? 'refused'
          : 'unknown';
  return { verdict, reason: job.reason ?? '' };
}

const forbids = { name: 'shop', decision: 'forbid', title: 'never the shop' };
const table: readonly (readonly [string, Situation, string])[] = [
  ['the policy forbids', { policy: { rules: [forbids] } }, 'refused'],
  ['the policy forbids whatever the target', { policy: { rules: [{ decision: 'forbid' }] } }, 'refused'],
  ['needs approval, and has a reason', {}, 'waits'],
  ['needs approval, and has no reason', { purpose: null }, 'refused'],
  ['needs approval, and has a reason that nobody can read', { purpose: '\u2800 …' }, 'refused'],
  ['needs approval on a disabled environment', { target: 'MYSQL_LIVE_SERVER-4' }, 'refused'],
  ['needs none on a disabled environment', { target: 'MYSQL_LIVE_SERVER-4', operation: 'database.backup' }, 'sent'],
  ['needs approval where clones depend on the target', { target: 'MYSQL_LIVE_SERVER-1' }, 'refused'],
  ['needs approval of a target that no record shows', { target: 'MYSQL_LIVE_SERVER-4711' }, 'refused'],
  [
    'needs none for a target that no record shows',
    { target: 'MYSQL_LIVE_SERVER-4711', operation: 'database.backup' },
    'sent',
  ],
  [
    'needs approval of a target that may not be read',
    { meets: () => answers(403, '/database/list', '/database/MYSQL_LIVE_SERVER-2') },
    'refused',
  ],
  [
    'rests on a target that may not be read',
    {
      operation: 'database.backup',
      policy: { rules: [forbids] },
      meets: () => answers(403, '/database/list', '/database/MYSQL_LIVE_SERVER-2'),
    },
    'refused',
  ],
  [
    'rests on a target that cannot be read at the moment',
    {
      operation: 'database.backup',
      policy: { rules: [forbids] },
      meets: () => answers(503, '/database/list', '/database/MYSQL_LIVE_SERVER-2'),
    },
    'unknown',
  ],
  ['is made by somebody who is signed out', { signsOut: true }, 'refused'],
  ['needs approval that nobody else may give', { policy: { approvers: 'U0ANA' } }, 'refused'],
  [
    'needs two approvals where one other person may give any',
    { policy: { approvals: 2, approvers: ['U0ANA', 'U0DEV'] } },
    'refused',
  ],
  [
    'needs approval that nobody else may give, in an emergency',
    { policy: { approvers: 'U0ANA', breakGlass: { people: 'U0ANA' } } },
    'waits',
  ],
  [
    'needs approval of a group that Slack does not tell of',
    { policy: { rules: [{ requester: 'S0OTHER', decision: 'allow' }] } },
    'waits',
  ],
  ['changes nothing in the state of its target', { operation: 'clone.stop', target: 'MYSQL_CLONE_SERVER-2' }, 'sent'],
  ['would delete the last snapshot', { operation: 'snapshot.delete', target: 'MARIADB_SNAPSHOT-9' }, 'waits'],
  ['meets another request on its target', { operation: 'database.backup', target: 'MARIADB_LIVE_SERVER-5' }, 'sent'],
  ['meets nothing in its way', { operation: 'database.backup' }, 'sent'],
];

describe('of a request that', () => {
  test.each(table)('the command “why” and the sending agree on a request that %s', async (_, situation, expected) => {
    desk = await board(await storeIn(folder()), situation.policy, undefined, road.middleware);
    if (situation.signsOut) await desk.credentials.forget(owner, desk.clock.now());
    situation.meets?.();
    const told = await saysWhy(situation);
    const done = await sends(situation);
    expect([told.verdict, done.verdict]).toEqual([expected, expected]);
    // A job is put off with the service's words alone; one that waits for a sign-in has no words of its own.
    if (expected === 'unknown') expect(told.sentence).toContain(done.reason);
    else if (!situation.signsOut) expect(done.reason).toContain(told.sentence);
  });
});
