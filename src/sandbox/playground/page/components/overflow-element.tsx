import { useEffect, useRef, useState } from 'preact/hooks';
import { overflowAction } from '../actions.ts';
import { list, type Option, readOptions } from '../blocks.ts';
import type { Use } from '../element-use.ts';
import { Icon } from './icon.tsx';
import { Text } from './mrkdwn-text.tsx';
import { Popup } from './popup.tsx';

/** The “more” menu. */
export function OverflowElement({ use }: { use: Use }) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const choose = (option: Option): void => {
    setOpen(false);
    button.current?.focus();
    if (option.url) window.open(option.url, '_blank', 'noopener');
    use.act(overflowAction(use.element, option.raw));
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="button overflow"
        aria-label="More actions"
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={use.busy}
        onClick={() => setOpen(!open)}
      >
        {use.busy ? <span class="spinner" /> : <Icon name="more" />}
      </button>
      {open && (
        <Popup anchor={button} wide={false}>
          <Menu
            options={readOptions(list(use.element.raw, 'options'))}
            choose={choose}
            close={() => {
              setOpen(false);
              button.current?.focus();
            }}
            leave={() => setOpen(false)}
          />
        </Popup>
      )}
    </>
  );
}

function Menu({
  options,
  choose,
  close,
  leave,
}: {
  options: Option[];
  choose(option: Option): void;
  close(): void;
  leave(): void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const items = (): HTMLButtonElement[] => [...(menu.current?.querySelectorAll('button') ?? [])];
  useEffect(() => items()[0]?.focus(), []);
  function onKeyDown(event: KeyboardEvent): void {
    const at = items().findIndex(item => item.matches(':focus'));
    if (event.key === 'ArrowDown') items()[(at + 1) % options.length]?.focus();
    else if (event.key === 'ArrowUp') items()[(at - 1 + options.length) % options.length]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div
      ref={menu}
      role="menu"
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocusOut={event => {
        if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget))) leave();
      }}
    >
      {options.map(option => (
        <button key={option.value} type="button" role="menuitem" class="option" onClick={() => choose(option)}>
          <Text text={option.text} />
          {option.description && (
            <span class="option-description">
              <Text text={option.description} />
            </span>
          )}
        </button>
      ))}
    </div>
  );
}
