import { createServer, connect as dial, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** An address that leads to one PostgreSQL after the other, by their URLs. What is connected stays where it is. */
export async function movingAddress(url: string) {
  let { searchParams, pathname } = new URL(url);
  const open = new Set<Socket>();
  const seen = { made: 0, most: 0 };
  const road = createServer(near => {
    const far = dial(`${searchParams.get('host')}/.s.PGSQL.5432`);
    open.add(near);
    seen.made += 1;
    seen.most = Math.max(seen.most, open.size);
    near.pipe(far).pipe(near);
    near.on('close', () => open.delete(near));
    // A connection that one side resets ends for the other one, too.
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => one.destroy()).on('close', () => other.destroy());
  });
  await new Promise<void>(resolve => road.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void road.close());
  const at = road.address();
  return {
    url: `postgres://dolly@127.0.0.1:${typeof at === 'object' ? at?.port : 0}${pathname}`,
    seen,
    leadsTo(other: string) {
      ({ searchParams, pathname } = new URL(other));
    },
  };
}
