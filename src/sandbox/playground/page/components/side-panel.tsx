import type { ComponentChildren } from 'preact';
import { usePage } from '../context.ts';
import { Icon } from './icon.tsx';

/** The column at the right-hand side, with its heading and a way to close it. */
export function SidePanel({
  title,
  wide = false,
  children,
}: {
  title: string;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const { dispatch } = usePage();
  return (
    <aside class={wide ? 'side-panel wide' : 'side-panel'} aria-label={title}>
      <header class="panel-header">
        <h2>{title}</h2>
        <button
          type="button"
          class="icon-button"
          aria-label={`Close ${title.toLowerCase()}`}
          onClick={() => dispatch({ type: 'side', side: undefined })}
        >
          <Icon name="close" />
        </button>
      </header>
      {children}
    </aside>
  );
}
