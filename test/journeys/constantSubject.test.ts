import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { scratchFolder } from '../scratch.ts';
import { type World, type WorldOptions, world } from '../world.ts';
import { approvalKeys, asksToDelete, clicks } from './approvals.ts';

/* A service whose tokens have one subject for everybody: it names the service, or nobody. */

const folder = scratchFolder('subject');
let earth: World;
afterEach(() => earth.close());
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A service that puts its tokens into JSON Web Tokens of this subject. */
function tokensOf(sub: string): NonNullable<WorldOptions['service']> {
  const wrap = (token: string) => {
    const [claims, sign] = [JSON.stringify({ sub }), token].map(text => Buffer.from(text).toString('base64url'));
    return `e30.${claims}.${sign}`;
  };
  return {
    async middleware(request, next) {
      if (request.url.endsWith('/user/user/token')) {
        const answer = await next(request);
        const read: Record<string, string> = await answer.clone().json();
        return read.token === undefined ? answer : Response.json({ ...read, token: wrap(read.token) });
      }
      const sent = request.headers.get('authorization')?.split('.')[2];
      if (sent === undefined) return next(request);
      const headers = new Headers(request.headers);
      headers.set('authorization', `Bearer ${Buffer.from(sent, 'base64url').toString('utf8')}`);
      return next(new Request(request, { headers }));
    },
  };
}

/** What Dev is answered who approves what Ana asks for, where these people are signed in. */
async function decidesOn(sub: string, others: readonly string[], policy = ''): Promise<string> {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, `approvals: 1\n${policy}`);
  earth = await world({ service: tokensOf(sub), environment: { ...approvalKeys, POLICY_FILE: file } });
  const ana = await earth.enters('Ana', 'ana');
  const dev = await earth.enters('Dev', 'dev');
  for (const other of others) await earth.enters(other, other.toLowerCase());
  return clicks(dev, (await asksToDelete(earth, ana, '/db delete slow_reports', 'slow_reports')).card, 'Approve');
}

test('a token subject that three users share identifies nobody, even if it is the name of one of them', async () => {
  expect(await decidesOn('dbpcs', ['Ben'])).toContain('You approved it');
  await earth.close();
  expect(await decidesOn('ana', ['Ben'])).toContain('You approved it');
});

test('two users with the same token subject count as one person, unless the policy says that it is shared', async () => {
  expect(await decidesOn('dbpcs', [])).toContain('and so is the person who asked');
  await earth.close();
  expect(await decidesOn('dbpcs', [], 'sharedSubjects: [dbpcs]')).toContain('You approved it');
});
