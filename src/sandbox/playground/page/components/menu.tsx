import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { Popup } from './popup.tsx';

/** An entry of a menu. */
export type MenuItem = { key: string; label: ComponentChildren; description?: ComponentChildren; choose(): void };

/** A button with a sign that opens a menu. The focus returns to it when something was chosen or the menu is left. */
export function MenuButton({
  label,
  icon,
  look,
  items,
  busy = false,
}: {
  label: string;
  icon: Parameters<typeof Icon>[0]['name'];
  look: string;
  items: readonly MenuItem[];
  busy?: boolean;
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class={look}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={open}
        disabled={busy}
        onClick={() => setOpen(!open)}
      >
        {busy ? <span class="spinner" /> : <Icon name={icon} />}
      </button>
      {open && (
        <Popup anchor={button} wide={false}>
          <Menu
            label={label}
            items={items.map(item => ({
              ...item,
              choose() {
                close();
                item.choose();
              },
            }))}
            close={close}
            leave={() => setOpen(false)}
          />
        </Popup>
      )}
    </>
  );
}

function Menu({
  label,
  items,
  close,
  leave,
}: {
  label: string;
  items: readonly MenuItem[];
  close(): void;
  leave(): void;
}) {
  const menu = useRef<HTMLDivElement>(null);
  const buttons = (): HTMLButtonElement[] => [...(menu.current?.querySelectorAll('button') ?? [])];
  useEffect(() => buttons()[0]?.focus(), []);
  function onKeyDown(event: KeyboardEvent): void {
    const at = buttons().findIndex(item => item.matches(':focus'));
    if (event.key === 'ArrowDown') buttons()[(at + 1) % items.length]?.focus();
    else if (event.key === 'ArrowUp') buttons()[(at - 1 + items.length) % items.length]?.focus();
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
  return (
    <div
      ref={menu}
      role="menu"
      aria-label={label}
      tabIndex={-1}
      onKeyDown={onKeyDown}
      onFocusOut={event => {
        if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget))) leave();
      }}
    >
      {items.map(item => (
        <button key={item.key} type="button" role="menuitem" class="option" onClick={item.choose}>
          {item.label}
          {item.description && <span class="option-description">{item.description}</span>}
        </button>
      ))}
    </div>
  );
}
