import fc from 'fast-check';
import type { Act, Fault, Plan } from './plan.ts';
import type { Outcome } from './simulation.ts';

/** The number of runs in which a plan is shrunk. Each takes about half a second. */
const mostRuns = 150;

/** A plan of which every act and fault is needed, unless the runs were used up before that was known. */
export type Shrunk = Readonly<{ outcome: Outcome; runs: number; isLeast: boolean }>;

/** Whether a run has found what breaks an invariant. */
export function hasFound({ findings }: Outcome, invariant: string): boolean {
  return findings.some(finding => finding.invariant === invariant);
}

/**
 * Takes acts and faults out of a plan, as long as a run of the rest still finds what breaks the invariant.
 * @param found what came of the whole plan
 */
export async function shrink(
  found: Outcome,
  invariant: string,
  run: (plan: Plan) => Promise<Outcome>,
  most = mostRuns,
): Promise<Shrunk> {
  const pieces = piecesOf(found.plan);
  const all = [...pieces.keys()];
  let outcome = found;
  let runs = 0;
  /** What is known: fast-check tries the same part again after each success. */
  const known = new Map<string, boolean>();

  const holds = async (kept: readonly number[]): Promise<boolean> => {
    const name = kept.join(' ');
    const before = known.get(name) ?? kept.length === all.length;
    if (known.has(name) || kept.length === all.length) return !before;
    // The runs are used up: whatever is not known counts as needed.
    if (runs >= most) return true;
    runs += 1;
    const tried = await run(partOf(found.plan, new Set(kept.map(index => pieces[index]))));
    const finds = hasFound(tried, invariant);
    known.set(name, finds);
    if (finds) outcome = tried;
    return !finds;
  };
  // Only the example runs, and what fast-check makes of it: a part needs no context to be shrunk.
  await fc.check(fc.asyncProperty(fc.subarray(all), holds), { examples: [[all]], numRuns: 1, seed: 1 });
  return { outcome, runs, isLeast: runs < most };
}

/** fast-check keeps the end of a list the longest: there stand the acts that others need. */
function piecesOf({ acts, faults }: Plan): readonly (Act | Fault)[] {
  const isSignIn = (act: Act) => act.act === 'sign in';
  return [...faults, ...acts.filter(act => !isSignIn(act)), ...acts.filter(isSignIn)];
}

function partOf(plan: Plan, kept: ReadonlySet<Act | Fault | undefined>): Plan {
  return {
    ...plan,
    acts: plan.acts.filter(act => kept.has(act)),
    faults: plan.faults.filter(fault => kept.has(fault)),
  };
}
