import { useId, useRef, useState } from 'preact/hooks';
import { usePage } from '../context.ts';
import { appOf, channelTitle } from '../conversation.ts';
import { useDialog } from '../dialog.ts';
import type { Place } from '../store.ts';

type Goal = { title: string; place: Place };

/** Ctrl/Cmd+K: type a few letters, go there. */
export function ChannelSwitch({ close }: { close(): void }) {
  const { data, dispatch } = usePage();
  const dialog = useRef<HTMLDialogElement>(null);
  const [words, setWords] = useState('');
  const [active, setActive] = useState(0);
  const listId = useId();
  const app = appOf(data);
  const goals: Goal[] = [
    ...data.channels.map(
      (channel): Goal => ({
        title: channelTitle(channel, data),
        place: { type: 'channel', id: channel.id },
      }),
    ),
    ...(app ? [{ title: `${app.realName} Home`, place: { type: 'home' } } satisfies Goal] : []),
  ];
  const found = goals.filter(goal => goal.title.toLowerCase().includes(words.trim().toLowerCase()));
  useDialog(dialog);

  function go(goal: Goal | undefined): void {
    if (!goal) return;
    dispatch({ type: 'go', place: goal.place });
    close();
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') go(found[active]);
    else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, found.length - 1));
    else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0));
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the click is on the backdrop; Escape does the same by key
    <dialog
      ref={dialog}
      class="switch"
      aria-label="Jump to a channel"
      onClose={close}
      onClick={event => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="switch-body">
        <input
          type="text"
          role="combobox"
          aria-label="Channel"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={`${listId}-${active}`}
          placeholder="Where to?"
          value={words}
          onInput={event => {
            setWords(event.currentTarget.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
        />
        <div id={listId} role="listbox" aria-label="Channels">
          {found.map((goal, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the input, which keeps the focus
            <div
              key={goal.title}
              id={`${listId}-${at}`}
              role="option"
              tabIndex={-1}
              class="option"
              aria-selected={at === active}
              onClick={() => go(goal)}
            >
              {goal.title}
            </div>
          ))}
          {found.length === 0 && <p class="empty">Nothing is called that.</p>}
        </div>
      </div>
    </dialog>
  );
}
