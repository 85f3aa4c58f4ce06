import type { Button } from '@slack/types';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Named } from '../../records/find.ts';
import { cut, limits } from '../blocks/limits.ts';
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

/** The records of a list to choose from, each with its value: by their names, or by what tells equal ones apart. */
export function recordChoices<V>(
  records: readonly Pick<RecordView, 'id' | 'name'>[],
  toValue: (id: string) => V,
): Readonly<{ value: V; label: string }>[] {
  // Slack takes no choice twice, even if the service lists a record twice.
  const shown = [...new Map(records.map(record => [record.id.text, record])).values()].slice(0, limits.options);
  const names = shown.map(({ id, name }) => name ?? id.text);
  return shown.map(({ id, name = id.text }) => ({
    value: toValue(id.text),
    label: names.filter(other => other === name).length > 1 ? id.text : cut(name, choiceText),
  }));
}

/** Max characters of a label in a menu below a table, which shares the room of the message with it. */
const choiceText = 36;
