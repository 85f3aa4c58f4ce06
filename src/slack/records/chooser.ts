import type { Button } from '@slack/types';
import type { Named } from '../../records/find.ts';
import { limits } from '../blocks/limits.ts';
import { runCommand } from '../words/commandActions.ts';

/**
 * A button for each record that the person may have meant. It runs the same command on that record; `words` are the
 * command without its target.
 */
export function chooser(words: readonly string[], records: readonly Named[]): Button[] {
  const names = records.map(({ id, name }) => name ?? id.text);
  return records.slice(0, limits.choices).map(({ id, name = id.text, environment }) => {
    const where = environment?.label ? ` on ${environment.label}` : '';
    const isAlone = names.filter(other => other === name).length === 1;
    return runCommand.button(isAlone ? name : `${id.text}${where}`, [...words, id.text].join(' '), { suffix: id.text });
  });
}
