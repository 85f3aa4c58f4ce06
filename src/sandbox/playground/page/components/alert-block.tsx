import { child, readText, string } from '../blocks.ts';
import { Text } from './mrkdwn-text.tsx';

/** The spoken name of each level: a colour alone says nothing to a screen reader. */
const names: Readonly<Record<string, string>> = {
  info: 'Note',
  success: 'Success',
  warning: 'Warning',
  error: 'Error',
};

/** An alert block: a sentence with its level. */
export function Alert({ block }: { block: unknown }) {
  const level = string(block, 'level') || 'default';
  return (
    <div class={`alert alert-${level}`} role="note" aria-label={names[level] ?? 'Notice'}>
      <span class="alert-sign" aria-hidden="true">
        {level === 'success' ? '✓' : level === 'info' || level === 'default' ? 'i' : '!'}
      </span>
      <Text text={readText(child(block, 'text'))} />
    </div>
  );
}
