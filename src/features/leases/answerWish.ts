import { parseJson } from '../../ground/json.ts';
import { actorOf } from '../../jobs/actor.ts';
import { writeMinute } from '../../operations/requests/keepFor.ts';
import { type Lease, type LeaseStep, leaseId, leases } from '../../store/tables/leases.ts';
import { type LeaseAct, type LeaseOutcome, type LeaseSetter, setLease } from './leaseActs.ts';
import { answeredBefore, isOpen, LeaseWish, mayAnswerFor, newsOfWish, writeWish } from './leaseWish.ts';

/**
 * Answers the question to an owner whether somebody’s wish becomes the end of the lease. A second click, and one that
 * comes after another change of the end or of the wish, changes nothing and says so. `until` is the end that was shown.
 * @throws {Failure} `signed-out`, or where the clone cannot be read now
 */
export async function answerWish(
  parts: LeaseSetter,
  act: LeaseAct,
  { id, isGranted, until }: Readonly<{ id: string; isGranted: boolean; until: string }>,
): Promise<LeaseOutcome> {
  const asked = await openQuestion(parts, act, id);
  if (!asked) return { type: 'refused', sentence: answeredBefore };
  const { wish, lease } = asked;
  if (writeMinute(wish.endsAt) !== until) return { type: 'refused', sentence: wishedAnew };
  if (isGranted) return setLease(parts, { ...act, wish: { id, wish } }, { type: 'until', at: wish.endsAt });
  if (!(await mayAnswerFor(parts, lease, act)))
    return { type: 'refused', sentence: 'Only its owner or an approver can answer this.' };
  const notices = [newsOfWish('declined', lease, { wish, by: act.person, now: parts.clock.now() })];
  return endWish(parts, act, { ...asked, type: 'declined', outcome: 'It stays as it was.', notices });
}

/** Takes back what the person wished: the owner is not asked any more. A wish that was answered meanwhile stays so. */
export async function withdrawWish(parts: LeaseSetter, act: LeaseAct, id: string): Promise<LeaseOutcome> {
  const asked = await openQuestion(parts, act, id);
  if (asked?.wish.by !== act.person) return { type: 'refused', sentence: answeredBefore };
  return endWish(parts, act, { ...asked, type: 'withdrawn', outcome: 'The wish was withdrawn, so nothing changes.' });
}

const wishedAnew = 'The wish has changed since you saw it, so I changed nothing. Look at the message again.';

/** A question that waits for its answer, with the lease that it is about. `id` is that of its message. */
type Question = Readonly<{ id: string; wish: LeaseWish; lease: Lease }>;

async function openQuestion(parts: LeaseSetter, act: LeaseAct, id: string): Promise<Question | undefined> {
  const [message, lease] = await Promise.all([
    parts.outbox.find(id),
    parts.things.find(leases, leaseId(act.team, act.record)),
  ]);
  const wish = message?.subject === lease?.id ? LeaseWish.safeParse(parseJson(message?.data ?? '')).data : undefined;
  return lease && wish && (await isOpen(parts, { id })) ? { id, wish, lease } : undefined;
}

/** Closes a question without any change of the end, unless the lease has changed since it was read. */
async function endWish(
  parts: LeaseSetter,
  act: LeaseAct,
  how: Question & Pick<LeaseStep, 'notices'> & Readonly<{ type: 'declined' | 'withdrawn'; outcome: string }>,
): Promise<LeaseOutcome> {
  const { id, wish, lease, type, outcome, notices } = how;
  const by = await actorOf(parts, act, act.channel);
  const trail = { ...by, event: `lease wish ${type}`, detail: writeWish(wish) };
  const step: LeaseStep = { changes: {}, trail, closed: [{ notice: id, outcome }], notices };
  const written = await parts.things.apply(leases, lease, step, { now: parts.clock.now() });
  return written ? { type, lease: written } : { type: 'refused', sentence: answeredBefore };
}
