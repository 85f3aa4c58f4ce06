import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CommandHint } from '../../protocol.ts';
import { completions, isChoosing, mentionHints, withHint } from '../completion.ts';
import { usePage } from '../context.ts';
import { post } from '../requests.ts';
import { Icon } from './icon.tsx';
import { MenuButton } from './menu.tsx';

/** Where a message is typed: Enter sends, Shift+Enter breaks the line, `/` opens the commands. Drafts stay per place. */
export function Composer({ channel, threadTs, label }: { channel: string; threadTs?: string; label: string }) {
  const { state, data, dispatch } = usePage();
  const key = threadTs ? `${channel} ${threadTs}` : channel;
  const text = state.drafts[key] ?? '';
  const [sending, setSending] = useState(false);
  const [error, setError] = useState('');
  const [active, setActive] = useState(0);
  const [dismissed, setDismissed] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  // Slash commands don't work in threads, so none are offered there. A mention of the app does.
  const commands = threadTs ? [] : completions(text, data.commands);
  const people = mentionHints(text, data.people);
  const hints = dismissed ? [] : [...commands, ...people];
  const choosing = hints.length > 0 && (people.length > 0 || isChoosing(text, data.commands));

  const shortcuts = data.shortcuts
    .filter(({ type }) => type === 'global')
    .map(({ callback_id: callbackId, name, description }) => ({
      key: callbackId,
      label: name,
      description,
      choose: () =>
        void post('/play/shortcut', { as: data.me.id, callbackId }).then(answer => {
          if (!answer.ok) setError(answer.error);
        }),
    }));

  useLayoutEffect(() => {
    const element = area.current;
    if (!element) return;
    element.style.height = 'auto';
    element.style.height = `${Math.min(element.scrollHeight, 220)}px`;
  }, [text]);
  useEffect(() => {
    // On a touch screen the keyboard would cover the conversation.
    if (matchMedia('(pointer: fine)').matches) area.current?.focus();
  }, []);

  function write(next: string): void {
    setActive(0);
    setDismissed(false);
    setError('');
    dispatch({ type: 'draft', key, text: next });
  }
  function choose(hint: CommandHint): void {
    write(withHint(text, hint));
    area.current?.focus();
  }
  async function send(): Promise<void> {
    if (!text.trim() || sending) return;
    setSending(true);
    write('');
    area.current?.focus();
    const answer = await post('/play/say', { as: data.me.id, channel, text, ...(threadTs ? { threadTs } : {}) });
    setSending(false);
    if (answer.ok) return;
    setError(answer.error);
    // A text that could not be sent is given back, unless something else is being written already.
    if (area.current?.value === '') dispatch({ type: 'draft', key, text });
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const chosen = hints[active];
    if (choosing && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      setActive((active + step + hints.length) % hints.length);
    } else if (choosing && chosen && (event.key === 'Tab' || event.key === 'Enter') && !event.shiftKey) {
      event.preventDefault();
      choose(chosen);
    } else if (hints.length > 0 && event.key === 'Escape') {
      event.preventDefault();
      setDismissed(true);
    } else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      void send();
    }
  }

  return (
    <form
      class="composer"
      onSubmit={event => {
        event.preventDefault();
        void send();
      }}
    >
      {hints.length > 0 && <CommandList id={listId} hints={hints} active={choosing ? active : -1} choose={choose} />}
      {error && (
        <div class="composer-error" role="alert">
          <Icon name="warning" /> {error}
        </div>
      )}
      <div class="composer-box">
        <textarea
          ref={area}
          rows={1}
          aria-label={label}
          aria-autocomplete="list"
          aria-controls={hints.length > 0 ? listId : undefined}
          aria-activedescendant={choosing ? `${listId}-${active}` : undefined}
          placeholder={threadTs ? 'Reply…' : label}
          value={text}
          onInput={event => write(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        {shortcuts.length > 0 && <MenuButton label="Shortcuts" icon="bolt" look="icon-button" items={shortcuts} />}
        <button type="submit" class="send" aria-label="Send" disabled={!text.trim() || sending} aria-busy={sending}>
          {sending ? <span class="spinner" /> : <Icon name="send" />}
        </button>
      </div>
    </form>
  );
}

function CommandList({
  id,
  hints,
  active,
  choose,
}: {
  id: string;
  hints: CommandHint[];
  active: number;
  choose(hint: CommandHint): void;
}) {
  return (
    <div class="commands" id={id} role="listbox" aria-label="Suggestions">
      {hints.map((hint, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the composer, which keeps the focus
        <div
          key={hint.command}
          id={`${id}-${at}`}
          class="command"
          role="option"
          tabIndex={-1}
          aria-selected={at === active}
          onMouseDown={event => event.preventDefault()}
          onClick={() => choose(hint)}
        >
          <span class="command-line">
            <b>{hint.command}</b> <span>{hint.usageHint}</span>
          </span>
          <span class="command-description">{hint.description}</span>
        </div>
      ))}
    </div>
  );
}
