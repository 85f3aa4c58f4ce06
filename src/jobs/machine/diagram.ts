import { ends } from '../../store/jobs/rows/job.ts';
import { transitions } from './transitions.ts';

/** The state machine as a Mermaid diagram: an arrow for each pair of states, with the events that lead along it. */
export function machineDiagram(): string {
  const steps = Object.entries(transitions).flatMap(([event, states]) =>
    Object.entries(states).flatMap(([from, after]) =>
      [after].flat().map((to: string) => ({ arrow: `${from} --> ${to}`, event })),
    ),
  );
  const arrows = [...Map.groupBy(steps, ({ arrow }) => arrow)].map(
    ([arrow, along]) => `${arrow}: ${along.map(({ event }) => inWords(event)).join(', ')}`,
  );
  const lines = ['[*] --> new: asked', ...arrows, ...ends.map(state => `${state} --> [*]`)];
  return ['stateDiagram-v2', ...lines.map(line => `  ${line}`)].join('\n');
}

/** The name of an event as words: `approval needed`. */
function inWords(event: string): string {
  return event.replace(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`);
}
