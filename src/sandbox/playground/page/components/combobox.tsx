import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Choice, Offer } from '../choices.ts';
import { Icon } from './icon.tsx';
import { OptionList } from './option-list.tsx';
import { Popup } from './popup.tsx';

/** A field with a list to choose from, by typing, arrows or pointer (the WAI-ARIA combobox pattern). */
export function Combobox({
  naming,
  placeholder,
  chosen,
  choose,
  offer,
  open,
  setOpen,
  query,
  setQuery,
  clearable,
  busy,
}: {
  naming: Record<string, string | boolean | undefined>;
  placeholder: string;
  chosen: Choice | undefined;
  choose(chosen: Choice | undefined): void;
  offer: Offer;
  open: boolean;
  setOpen(open: boolean): void;
  query: string;
  setQuery(query: string): void;
  clearable: boolean;
  busy: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState(0);
  const listId = useId();
  const choices = offer.state === 'ready' ? offer.groups.flatMap(group => group.choices) : [];
  useEffect(() => setActive(0), [query, offer.state]);

  function shut(): void {
    setOpen(false);
    setQuery('');
  }
  function pick(choice: Choice): void {
    choose(choice);
    shut();
  }
  function onKeyDown(event: KeyboardEvent): void {
    const current = choices[active];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (open) setActive(Math.max(0, Math.min(choices.length - 1, active + (event.key === 'ArrowDown' ? 1 : -1))));
      else setOpen(true);
    } else if (event.key === 'Enter') {
      if (!open) setOpen(true);
      else if (current) pick(current);
    } else if (event.key === 'Escape' && open) {
      shut();
      event.stopPropagation();
    } else return;
    event.preventDefault();
  }

  return (
    <div
      class={busy ? 'combobox busy' : 'combobox'}
      ref={box}
      data-wrong={naming['aria-invalid'] === true || undefined}
    >
      <input
        {...naming}
        ref={field}
        type="text"
        role="combobox"
        autoComplete="off"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={open ? listId : undefined}
        aria-activedescendant={open && choices[active] ? `${listId}-${active}` : undefined}
        placeholder={chosen?.label ?? placeholder}
        value={open ? query : (chosen?.label ?? '')}
        onInput={event => {
          setQuery(event.currentTarget.value);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={shut}
        onKeyDown={onKeyDown}
      />
      {clearable && chosen && (
        <button type="button" class="clear" aria-label="Clear the choice" onClick={() => choose(undefined)}>
          <Icon name="close" />
        </button>
      )}
      {busy ? <span class="spinner" /> : <Icon name="down" />}
      {open && (
        <Popup anchor={box}>
          <OptionList id={listId} offer={offer} active={active} chosen={chosen?.key} pick={pick} />
        </Popup>
      )}
    </div>
  );
}
