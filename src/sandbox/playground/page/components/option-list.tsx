import { useEffect } from 'preact/hooks';
import type { Choice, Offer } from '../choices.ts';
import { Plain } from './mrkdwn-text.tsx';

/** The list of a combobox: options by group, or why there are none. */
export function OptionList({
  id,
  offer,
  active,
  chosen,
  pick,
}: {
  id: string;
  offer: Offer;
  active: number;
  chosen: string | undefined;
  pick(choice: Choice): void;
}) {
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, active]);
  const groups = offer.state === 'ready' ? offer.groups : [];
  const offsets = groups.map((_, at) => groups.slice(0, at).reduce((sum, group) => sum + group.choices.length, 0));
  return (
    <div id={id} role="listbox" aria-label="Options">
      <Remark offer={offer} />
      {groups.map((group, at) => (
        // biome-ignore lint/a11y/useSemanticElements: there is no element for a group of options in a listbox
        <div key={group.label || at} role="group" aria-label={group.label || undefined}>
          {group.label && (
            <div class="option-group">
              <Plain text={group.label} />
            </div>
          )}
          {group.choices.map((choice, index) => {
            const position = (offsets[at] ?? 0) + index;
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled by the field, which keeps the focus
              <div
                key={choice.key}
                id={`${id}-${position}`}
                class={position === active ? 'option active' : 'option'}
                role="option"
                tabIndex={-1}
                aria-selected={choice.key === chosen}
                onClick={() => pick(choice)}
              >
                <Plain text={choice.label} />
                {choice.description && (
                  <span class="option-description">
                    <Plain text={choice.description} />
                  </span>
                )}
              </div>
            );
          })}
        </div>
      ))}
    </div>
  );
}

function Remark({ offer }: { offer: Offer }) {
  if (offer.state === 'loading') {
    return (
      <div class="remark" role="status">
        <span class="spinner" /> Loading…
      </div>
    );
  }
  if (offer.state === 'failed') {
    return (
      <div class="remark failed" role="alert">
        {offer.error}
      </div>
    );
  }
  if (offer.state === 'short') {
    return <div class="remark">Type at least {offer.least === 1 ? 'a character' : `${offer.least} characters`}.</div>;
  }
  if (offer.groups.length === 0) return <div class="remark">Nothing fits.</div>;
  return null;
}
