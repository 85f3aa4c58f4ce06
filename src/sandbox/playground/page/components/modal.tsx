import { useEffect, useRef, useState } from 'preact/hooks';
import type { OpenView } from '../../protocol.ts';
import { blocksOf, child, plainOf, string } from '../blocks.ts';
import { usePage } from '../context.ts';
import { appOf } from '../conversation.ts';
import { useDialog } from '../dialog.ts';
import { post } from '../requests.ts';
import { SurfaceContext, surfaceOf } from '../surface.ts';
import { Avatar } from './avatar.tsx';
import { Blocks } from './block.tsx';
import { Icon } from './icon.tsx';
import { Plain } from './mrkdwn-text.tsx';

/** The topmost of the open modals. */
export function Modals() {
  const { data } = usePage();
  const top = data.views.at(-1);
  return top ? <Modal key={top.rootId} open={top} /> : null;
}

function Modal({ open }: { open: OpenView }) {
  const { data, complain } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  useDialog(dialog);

  async function close(isCleared: boolean): Promise<void> {
    const answer = await post('/play/close', { as: data.me.id, viewId: open.id, isCleared });
    if (!answer.ok) complain(answer.error);
  }

  return (
    <dialog
      ref={dialog}
      class="modal"
      aria-labelledby="modal-title"
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        void close(false);
      }}
      onCancel={event => {
        event.preventDefault();
        void close(false);
      }}
    >
      <ModalForm key={open.id} open={open} close={close} />
    </dialog>
  );
}

/** Milliseconds that the button stays busy after an accepted submit if the view does not change. */
const SETTLE_MS = 3000;

function ModalForm({ open, close }: { open: OpenView; close(isCleared: boolean): Promise<void> }) {
  const page = usePage();
  const { data } = page;
  const { view } = open;
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState('');
  const [busy, setBusy] = useState(false);
  const blocks = blocksOf(view);
  const submit = plainOf(child(view, 'submit'));
  const clearError = (blockId: string): void =>
    setErrors(before => Object.fromEntries(Object.entries(before).filter(([id]) => id !== blockId)));
  const surface = surfaceOf(page, { type: 'view', viewId: open.id }, blocks, errors, clearError);
  const inputs = new Set(
    blocks.filter(block => string(block, 'type') === 'input').map(block => string(block, 'block_id')),
  );
  const lost = Object.entries(errors).filter(([id]) => !inputs.has(id));

  useEffect(() => {
    const first =
      form.current?.querySelector<HTMLElement>(FIELDS) ?? form.current?.querySelector<HTMLElement>('.primary');
    first?.focus();
  }, []);
  useEffect(() => {
    setBusy(false);
    setErrors({});
    setFailure('');
  }, [open.hash]);
  useEffect(() => {
    form.current?.querySelector<HTMLElement>(WRONG_FIELDS)?.focus();
  }, [errors]);

  async function send(): Promise<void> {
    if (busy || !submit) return;
    setErrors({});
    setFailure('');
    setBusy(true);
    const answer = await post('/play/submit', { as: data.me.id, viewId: open.id, state: surface.values });
    // An accepted submit closes or changes this view in a moment; till then a second click must not count.
    if (answer.ok) return void setTimeout(() => setBusy(false), SETTLE_MS);
    setBusy(false);
    if ('errors' in answer) setErrors(answer.errors);
    else setFailure(answer.error);
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      <header class="modal-header">
        {open.stack > 0 ? (
          <button type="button" class="icon-button" aria-label="Back" onClick={() => close(false)}>
            <Icon name="back" />
          </button>
        ) : (
          <Avatar person={appOf(data)} small />
        )}
        <h2 id="modal-title">
          <Plain text={plainOf(child(view, 'title'))} />
        </h2>
        <button type="button" class="icon-button" aria-label="Close" onClick={() => close(true)}>
          <Icon name="close" />
        </button>
      </header>
      <div class="modal-body">
        <SurfaceContext value={surface}>
          <Blocks blocks={blocks} />
        </SurfaceContext>
      </div>
      {(failure || lost.length > 0) && (
        <div class="modal-failure" role="alert">
          {failure || lost.map(([id, text]) => `${text} (at “${id}”, which is no field of this form)`).join(' ')}
        </div>
      )}
      <footer class="modal-footer">
        <button type="button" class="button" onClick={() => close(false)}>
          <Plain text={plainOf(child(view, 'close')) || (submit ? 'Cancel' : 'Close')} />
        </button>
        {submit && (
          <button type="submit" class="button primary" disabled={busy} aria-busy={busy}>
            <Plain text={submit} />
            {busy && <span class="spinner" />}
          </button>
        )}
      </footer>
    </form>
  );
}

const FIELDS = '.modal-body :is(input, textarea, select)';
const WRONG_FIELDS = '.wrong :is(input, textarea, select, button)';
