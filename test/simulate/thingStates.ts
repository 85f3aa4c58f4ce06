import type { Disk } from './disk.ts';
import { doorOf, doorsOfThing } from './doors.ts';

/** Notes each change of state of the durable things, and each kept interaction: what seeds have reached of their machines and doors. */
export function watchStates(disk: Disk, cover: (what: string) => void): { committed(): void } {
  const states = new Map<string, string>();
  /** What was kept in the inbox, by its id: what is done from there came through its door. */
  const kept = new Set<string>();
  return {
    committed() {
      for (const { id, action } of disk.rows('select id, action from inbox')) {
        if (!kept.has(String(id))) cover(doorOf(`reaction ${action}`));
        kept.add(String(id));
      }
      for (const { kind, id, state } of disk.rows('select kind, id, state from things')) {
        const key = `${kind} ${id}`;
        const before = states.get(key) ?? '';
        if (before === state) continue;
        states.set(key, String(state));
        cover(stepOf(String(kind), before, String(state)));
        for (const door of doorsOfThing(String(kind))) cover(door);
      }
    },
  };
}

/** The name of a change of state; one that begins has no state before. */
export function stepOf(kind: string, from: string, to: string): string {
  return `${kind}: ${from} → ${to}`;
}
