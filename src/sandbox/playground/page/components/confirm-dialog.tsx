import { useId, useRef } from 'preact/hooks';
import { child, plainOf, readText, string } from '../blocks.ts';
import { useDialog } from '../dialog.ts';
import { Plain, Text } from './mrkdwn-text.tsx';

/** Slack's confirmation dialog. */
export function ConfirmDialog({ confirm, answer }: { confirm: unknown; answer(yes: boolean): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useDialog(dialog);
  const look = string(confirm, 'style') === 'danger' ? 'button danger' : 'button primary';
  return (
    <dialog
      ref={dialog}
      class="confirm"
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      onKeyDown={event => {
        // The modal below would take the same Escape for itself.
        if (event.key === 'Escape') event.stopPropagation();
      }}
      onClose={() => answer(false)}
    >
      <h2 id={`${id}-title`}>
        <Plain text={plainOf(child(confirm, 'title'))} />
      </h2>
      <div id={`${id}-text`}>
        <Text text={readText(child(confirm, 'text'))} />
      </div>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => answer(false)}>
          <Plain text={plainOf(child(confirm, 'deny')) || 'Cancel'} />
        </button>
        <button type="button" class={look} onClick={() => answer(true)}>
          <Plain text={plainOf(child(confirm, 'confirm')) || 'Yes'} />
        </button>
      </div>
    </dialog>
  );
}
