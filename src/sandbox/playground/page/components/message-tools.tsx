import { useState } from 'preact/hooks';
import type { Message } from '../../protocol.ts';
import { asTyped } from '../completion.ts';
import { usePage } from '../context.ts';
import { post } from '../requests.ts';
import { Icon } from './icon.tsx';
import { MenuButton, type MenuItem } from './menu.tsx';

/** The tools that a message has: its thread, the shortcuts of the app, and, of one's own, edit and delete. */
export function MessageTools({ message, inThread, edit }: { message: Message; inThread: boolean; edit(): void }) {
  const { data, dispatch, complain } = usePage();
  const { channel, ts, threadTs } = message;
  const as = data.me.id;
  const [busy, setBusy] = useState(false);
  const report = (answer: { ok: true } | { ok: false; error: string }): void => {
    setBusy(false);
    if (!answer.ok) complain(answer.error);
  };
  const own: MenuItem[] = [
    { key: 'edit', label: 'Edit message', choose: edit },
    {
      key: 'delete',
      label: 'Delete message',
      choose: () => void post('/play/delete', { as, channel, ts }).then(report),
    },
  ];
  const items: MenuItem[] = [
    ...data.shortcuts
      .filter(({ type }) => type === 'message')
      .map(({ callback_id: callbackId, name, description }) => ({
        key: callbackId,
        label: name,
        description,
        choose() {
          setBusy(true);
          void post('/play/message-shortcut', { as, callbackId, channel, ts }).then(report);
        },
      })),
    ...(message.user === as ? own : []),
  ];
  return (
    <div class="message-tools">
      {!inThread && (
        <button
          type="button"
          class="icon-button"
          aria-label="Reply in thread"
          title="Reply in thread"
          onClick={() => dispatch({ type: 'side', side: { type: 'thread', channel, ts: threadTs ?? ts } })}
        >
          <Icon name="reply" />
        </button>
      )}
      {items.length > 0 && (
        <MenuButton label="More message actions" icon="more" look="icon-button" items={items} busy={busy} />
      )}
    </div>
  );
}

/** The place of a message of one's own while it is edited. Enter saves, Escape leaves it as it was. */
export function MessageEditor({ message, done }: { message: Message; done(): void }) {
  const { data, complain } = usePage();
  const [text, setText] = useState(() => asTyped(message.text, data));
  async function save(): Promise<void> {
    const { channel, ts } = message;
    const answer = await post('/play/edit', { as: data.me.id, channel, ts, text });
    if (answer.ok) done();
    else complain(answer.error);
  }
  return (
    <form
      class="message-editor"
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      <input
        type="text"
        aria-label="Edit message"
        value={text}
        ref={field => field?.focus()}
        onInput={event => setText(event.currentTarget.value)}
        onKeyDown={event => {
          if (event.key === 'Escape') done();
        }}
      />
      <button type="button" class="button" onClick={done}>
        Cancel
      </button>
      <button type="submit" class="button primary">
        Save
      </button>
    </form>
  );
}
