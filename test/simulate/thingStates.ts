import type { Disk } from './disk.ts';

/** Notes each change of state of the durable things: what seeds have reached of their machines. */
export function watchStates(disk: Disk, cover: (what: string) => void): { committed(): void } {
  const states = new Map<string, string>();
  return {
    committed() {
      for (const { kind, id, state } of disk.rows('select kind, id, state from things')) {
        const key = `${kind} ${id}`;
        const before = states.get(key) ?? '';
        if (before === state) continue;
        states.set(key, String(state));
        cover(stepOf(String(kind), before, String(state)));
      }
    },
  };
}

/** The name of a change of state; one that begins has no state before. */
export function stepOf(kind: string, from: string, to: string): string {
  return `${kind}: ${from} → ${to}`;
}
