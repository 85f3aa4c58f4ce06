import { second } from '../../src/ground/durations.ts';
import { dba, logins, other, signInAgain } from './cast.ts';
import type { Act } from './plan.ts';
import type { Random } from './random.ts';

/* What people ask for in the usual plans, and what they do about it. */

/** Words in a mount base by which the sandbox's service behaves in its own ways, and how often; empty: it does not. */
const words = { '': 60, fail: 4, slow: 6, vanish: 4, refuse: 4, soft: 4, busy: 4, crash: 5, hang: 5, html: 4, torn: 5 };

/** How often each kind of act is drawn. What a thousand seeds never reached is drawn more often. */
const actWeights = { clone: 30, backUp: 16, restore: 10, delete: 26, signOut: 6, endTokens: 5, list: 4 };

const deciders = ['Dev', 'Ana', 'Dev', 'Ana', 'Ben', 'Eve'] as const;

/** Draws a request, and what people do about it later. */
export function drawRequest(random: Random, at: number, index: number): Act[] {
  const who = random.one(['Ana', 'Ana', 'Ben', 'Chi', 'Dev'] as const);
  const id = `${index}`;
  const kind = random.weighted(actWeights);
  switch (kind) {
    case 'clone':
      return [
        { at, id, act: 'clone', who, port: 4_000 + index, word: random.weighted(words), twice: random.chance(0.3) },
      ];
    case 'backUp':
      return [{ at, id, act: 'back up', who: dba(random), record: `live${random.chance(0.3) ? 'x' : index}` }];
    case 'restore':
      return [
        {
          at,
          id,
          act: 'restore',
          who: dba(random),
          record: `rest${index}`,
          twice: random.chance(0.3),
          first: random.chance(0.4),
        },
      ];
    case 'list':
      return [{ at, id, act: 'list', who }];
    case 'signOut':
      return [
        { at, id, act: 'sign out', who },
        ...(random.chance(0.8) ? [signInAgain(random, `${id}+`, at, who)] : []),
      ];
    case 'endTokens':
      return [
        { at, id, act: 'end tokens', as: logins[who] },
        ...(random.chance(0.8) ? [signInAgain(random, `${id}+`, at, who)] : []),
      ];
    case 'delete':
      return drawDeletion(random, at, id);
  }
}

/** Draws a deletion, and all that happens about it: decisions, a withdrawal, changes of its target and of the approvers. */
function drawDeletion(random: Random, at: number, id: string): Act[] {
  const record = `gone${id}`;
  const later = () => at + random.whole(8 * second, 90 * second);
  const asker = dba(random);
  const acts: Act[] = [{ at, id, act: 'delete', who: asker, record, twice: random.chance(0.3) }];
  const decidedAt = later();
  for (let number = 0; number < random.one([0, 1, 1, 1, 1, 2, 3]); number++)
    acts.push({
      at: number === 0 ? decidedAt : later(),
      id: `${id}.${number}`,
      act: 'decide',
      who: random.chance(0.6) ? other(asker) : random.one(deciders),
      of: id,
      how: random.chance(0.78) ? 'approve' : 'deny',
      twice: random.chance(0.3),
    });
  // Whoever asked withdraws at the moment at which the other decides.
  const withdrawnAt = random.chance(0.6) ? decidedAt + random.whole(0, second / 2) : later();
  if (random.chance(0.2)) acts.push({ at: withdrawnAt, id: `${id}.w`, act: 'withdraw', who: asker, of: id });
  const how = random.one(['rename', 'move', 'remake', 'depend', 'depend'] as const);
  const changedAt = random.whole(at + 4 * second, decidedAt + second);
  if (random.chance(0.4)) acts.push({ at: changedAt, id: `${id}.c`, act: 'change', record, how });
  const leftAt = decidedAt + random.whole(-3 * second, second);
  if (random.chance(0.15)) acts.push({ at: leftAt, id: `${id}.g`, act: 'leave group', approver: other(asker) });
  return acts;
}
