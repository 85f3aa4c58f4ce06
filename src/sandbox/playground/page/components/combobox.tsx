import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { Choice, Offer } from '../choices.ts';
import { Icon } from './icon.tsx';
import { Plain } from './mrkdwn-text.tsx';
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
  multiple,
  max,
  clearable,
  busy,
}: {
  naming: Record<string, string | boolean | undefined>;
  placeholder: string;
  chosen: Choice[];
  choose(chosen: Choice[]): void;
  offer: Offer;
  open: boolean;
  setOpen(open: boolean): void;
  query: string;
  setQuery(query: string): void;
  multiple: boolean;
  max: number | undefined;
  clearable: boolean;
  busy: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLInputElement>(null);
  const [active, setActive] = useState(0);
  const listId = useId();
  const choices = offer.state === 'ready' ? offer.groups.flatMap(group => group.choices) : [];
  const [single] = multiple ? [] : chosen;
  const full = multiple && max !== undefined && chosen.length >= max;
  useEffect(() => setActive(0), [query, offer.state]);

  function shut(): void {
    setOpen(false);
    setQuery('');
  }
  function pick(choice: Choice): void {
    const already = chosen.some(other => other.key === choice.key);
    if (!multiple) choose([choice]);
    else if (already) choose(chosen.filter(other => other.key !== choice.key));
    else if (!full) choose([...chosen, choice]);
    if (multiple) setQuery('');
    else shut();
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
    } else if (event.key === 'Backspace' && multiple && query === '' && chosen.length > 0) {
      choose(chosen.slice(0, -1));
    } else return;
    event.preventDefault();
  }

  return (
    <div
      class={busy ? 'combobox busy' : 'combobox'}
      ref={box}
      data-wrong={naming['aria-invalid'] === true || undefined}
    >
      {multiple &&
        chosen.map(choice => (
          <span key={choice.key} class="chip">
            <Plain text={choice.label} />
            <button
              type="button"
              aria-label={`Remove ${choice.label}`}
              onClick={() => choose(chosen.filter(other => other.key !== choice.key))}
            >
              <Icon name="close" />
            </button>
          </span>
        ))}
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
        placeholder={single?.label ?? (chosen.length > 0 ? '' : placeholder)}
        value={open ? query : (single?.label ?? '')}
        onInput={event => {
          setQuery(event.currentTarget.value);
          setOpen(true);
        }}
        onClick={() => setOpen(true)}
        onBlur={shut}
        onKeyDown={onKeyDown}
      />
      {clearable && !multiple && single && (
        <button type="button" class="clear" aria-label="Clear the choice" onClick={() => choose([])}>
          <Icon name="close" />
        </button>
      )}
      {busy ? <span class="spinner" /> : <Icon name="down" />}
      {open && (
        <Popup anchor={box}>
          <OptionList
            id={listId}
            offer={offer}
            active={active}
            chosen={new Set(chosen.map(choice => choice.key))}
            multiple={multiple}
            full={full}
            pick={pick}
          />
        </Popup>
      )}
    </div>
  );
}
