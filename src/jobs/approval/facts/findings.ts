import type { Failure } from '../../../ground/failure.ts';
import type { Listed } from '../../../store/jobs/reading.ts';

/**
 * The gates that a command passes, in the order in which it meets them. A command that Dolly stops at a gate of `dolly`
 * is not sent. The gates of `service` are the service's own rules (spec §3): it would most likely refuse a command that
 * fails there. At a gate of `perhaps`, it may refuse the command.
 */
export const gates = {
  signIn: { label: 'Signed in', of: 'dolly' },
  token: { label: 'Sign-in still good', of: 'dolly' },
  target: { label: 'Target', of: 'dolly' },
  policy: { label: 'Policy', of: 'dolly' },
  approval: { label: 'Approval', of: 'dolly' },
  steps: { label: 'Steps', of: 'dolly' },
  state: { label: 'State', of: 'service' },
  environment: { label: 'Environment', of: 'service' },
  dependents: { label: 'Dependents', of: 'service' },
  snapshot: { label: 'Snapshots', of: 'service' },
  jobs: { label: 'Under way', of: 'perhaps' },
} as const satisfies Record<string, Readonly<{ label: string; of: 'dolly' | 'service' | 'perhaps' }>>;
export type Gate = keyof typeof gates;

/**
 * The gates at which the service certainly refuses a command that breaks its rule (spec §3, rules 1 and 2): nobody is
 * asked to approve such a command.
 */
export const certainGates: ReadonlySet<Gate> = new Set<Gate>(['environment', 'dependents']);

/** The result at a gate: `hidden` where records do not show it, or could not be read; `waits` is for approval only. */
export type GateResult = 'passed' | 'failed' | 'hidden' | 'waits';

/** The result at one gate. People and times are in `terms` and `jobs`, not in the sentence. */
export type Finding = Readonly<{
  gate: Gate;
  result: GateResult;
  sentence: string;
  /** Set where the command goes no further: it is refused, or its outcome is unknown at the moment. */
  stops?: 'refused' | 'unknown' | undefined;
  /** The failure behind `unknown`: it tells the sending whether to try again. */
  cause?: Failure;
  terms?: Readonly<{ approvals: number; approvers: readonly string[]; until: number; mayBreakGlass: boolean }>;
  jobs?: readonly Listed[];
}>;

/** The outlook for a command. `asks` is a form that has to be filled in first. */
export type Outlook = Readonly<{
  type: 'refused' | 'unknown' | 'asks' | 'waits' | 'sent';
  /** The finding that decides, if there is one. */
  decisive: Finding | undefined;
  /** The findings by which the service would most likely refuse the command, and those by which it perhaps would. */
  likely: readonly Finding[];
  perhaps: readonly Finding[];
}>;

/** Draws the outlook for a write from its findings: the first that stops it decides, as it does when it is sent. */
export function outlookOf(unordered: readonly Finding[]): Outlook {
  const findings = inOrder(unordered);
  const failedAt = (of: 'service' | 'perhaps') =>
    findings.filter(({ gate, result }) => result === 'failed' && gates[gate].of === of);
  const obstacles = { likely: failedAt('service'), perhaps: failedAt('perhaps') };
  const stop = findings.find(({ stops }) => stops !== undefined);
  const waits = findings.find(({ result }) => result === 'waits');
  if (stop?.stops) return { type: stop.stops, decisive: stop, ...obstacles };
  const isWrite = findings.some(({ gate }) => gate === 'policy');
  const isNamed = findings.some(({ gate }) => gate === 'target');
  const type = isWrite && !isNamed ? 'asks' : waits ? 'waits' : 'sent';
  return { type, decisive: waits, ...obstacles };
}

/** Puts findings in the order of the gates. */
export function inOrder(findings: readonly Finding[]): readonly Finding[] {
  const order = Object.keys(gates);
  return findings.toSorted((one, other) => order.indexOf(one.gate) - order.indexOf(other.gate));
}
