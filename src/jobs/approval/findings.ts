import type { Job } from '../../store/tables/job.ts';

/**
 * What a command has to pass, in the order in which it is met. A gate that fails stops it here (`dolly`), most likely
 * at the service, whose rules these are (spec §3), or perhaps there.
 */
export const gates = {
  signIn: { label: 'Signed in', stops: 'dolly' },
  token: { label: 'Sign-in still good', stops: 'dolly' },
  target: { label: 'Target', stops: 'dolly' },
  policy: { label: 'Policy', stops: 'dolly' },
  approval: { label: 'Approval', stops: 'dolly' },
  state: { label: 'State', stops: 'service' },
  environment: { label: 'Environment', stops: 'service' },
  dependents: { label: 'Dependents', stops: 'service' },
  snapshot: { label: 'Snapshots', stops: 'service' },
  jobs: { label: 'Under way', stops: 'perhaps' },
} as const satisfies Record<string, Readonly<{ label: string; stops: 'dolly' | 'service' | 'perhaps' }>>;
export type Gate = keyof typeof gates;

/**
 * The gates of the service at which a request certainly fails that is said to (spec §3, rules 1 and 2), so that nobody
 * is asked to approve it.
 */
export const foretold: ReadonlySet<Gate> = new Set<Gate>(['environment', 'dependents']);

/** `hidden` is what the records do not show, or what could not be looked at; `waits` is for approval only. */
export type Result = 'passed' | 'failed' | 'hidden' | 'waits';

/** What came of a gate. What names people or moments is told by `terms` and `jobs`, beside the sentence. */
export type Finding = Readonly<{
  gate: Gate;
  result: Result;
  sentence: string;
  terms?: Readonly<{ approvals: number; approvers: readonly string[]; until: number; mayBreakGlass: boolean }>;
  jobs?: readonly Job[];
}>;

/** What would come of the command, as the findings have it. `asks` is a form that has to be filled first. */
export type Conclusion = Readonly<{
  type: 'refused' | 'unknown' | 'asks' | 'waits' | 'sent';
  /** The finding that decides, if one does. */
  why: Finding | undefined;
  /** What of the service's own rules stands in the way, and what perhaps does. */
  rules: readonly Finding[];
  perhaps: readonly Finding[];
}>;

/** Draws the conclusion. */
export function concluded(findings: readonly Finding[]): Conclusion {
  const failed = findings.filter(({ result }) => result === 'failed');
  const stopped = (by: 'dolly' | 'service' | 'perhaps') => failed.filter(({ gate }) => gates[gate].stops === by);
  const [refusal] = stopped('dolly');
  const unknown = findings.find(({ gate, result }) => gate === 'token' && result === 'hidden');
  const open = findings.find(({ gate, result }) => gate === 'policy' && result === 'hidden');
  const isWrite = findings.some(({ gate }) => gate === 'policy');
  const isNamed = findings.some(({ gate }) => gate === 'target');
  const waits = findings.find(({ result }) => result === 'waits');
  const rest = { rules: stopped('service'), perhaps: stopped('perhaps') };
  if (refusal) return { type: 'refused', why: refusal, ...rest };
  if (unknown) return { type: 'unknown', why: unknown, ...rest };
  if (isWrite && !isNamed) return { type: 'asks', why: waits, ...rest };
  if (open) return { type: 'unknown', why: open, ...rest };
  return waits ? { type: 'waits', why: waits, ...rest } : { type: 'sent', why: undefined, ...rest };
}
