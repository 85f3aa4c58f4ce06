import type { ComponentChildren } from 'preact';
import { usePage } from '../context.ts';
import { Icon } from './icon.tsx';

/** The head of the middle column: what it shows, and the switch of the inspector. */
export function PlaceHeader({
  title,
  detail,
  openDrawer,
}: {
  title: ComponentChildren;
  detail: ComponentChildren;
  openDrawer(): void;
}) {
  const { state, dispatch } = usePage();
  const inspecting = state.side?.type === 'inspector';
  return (
    <header class="place-header">
      <button type="button" class="icon-button only-narrow" aria-label="Open the side bar" onClick={openDrawer}>
        <Icon name="menu" />
      </button>
      <div class="place-title">
        <h1>{title}</h1>
        <div class="place-detail">{detail}</div>
      </div>
      <button
        type="button"
        class="tool"
        aria-pressed={inspecting}
        onClick={() => dispatch({ type: 'side', side: inspecting ? undefined : { type: 'inspector' } })}
      >
        <Icon name="pulse" /> <span class="not-narrow">Inspector</span>
        <span class="hidden-text only-narrow">Inspector</span>
      </button>
    </header>
  );
}
