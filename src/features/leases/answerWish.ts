import { parseJson } from '../../ground/json.ts';
import { actorOf } from '../../jobs/actor.ts';
import { type LeaseStep, leaseId, leases } from './lease.ts';
import { type LeaseAct, type LeaseOutcome, type LeaseSetter, setLease } from './leaseActs.ts';
import { answeredBefore, isOpen, LeaseWish, mayAnswerFor, newsOfWish, writeWish } from './leaseWish.ts';

/**
 * Answers the question to an owner whether somebody’s wish becomes the end of the lease. A second click, and one that
 * comes after another change of the end, changes nothing and says so.
 * @throws {Failure} `signed-out`, or where the clone cannot be read now
 */
export async function answerWish(
  parts: LeaseSetter,
  act: LeaseAct,
  { id, isGranted }: Readonly<{ id: string; isGranted: boolean }>,
): Promise<LeaseOutcome> {
  const [message, lease] = await Promise.all([
    parts.outbox.find(id),
    parts.things.find(leases, leaseId(act.team, act.record)),
  ]);
  const wish = message?.subject === lease?.id ? LeaseWish.safeParse(parseJson(message?.data ?? '')).data : undefined;
  if (!lease || !wish || !(await isOpen(parts, { id }))) return { type: 'refused', sentence: answeredBefore };
  if (isGranted) return setLease(parts, { ...act, wish: { id, wish } }, { type: 'until', at: wish.endsAt });
  if (!(await mayAnswerFor(parts, lease, act)))
    return { type: 'refused', sentence: 'Only its owner, or somebody who approves, can answer this.' };
  const by = await actorOf(parts, act, act.channel);
  const now = parts.clock.now();
  const step: LeaseStep = {
    changes: {},
    trail: { ...by, event: 'lease wish declined', detail: writeWish(wish) },
    closed: [{ notice: id, outcome: 'It stays as it was.' }],
    notices: [newsOfWish('declined', lease, { wish, by: act.person, now })],
  };
  const written = await parts.things.apply(leases, lease, step, { now });
  return written ? { type: 'declined', lease: written } : { type: 'refused', sentence: answeredBefore };
}
