import type { ComponentChildren, RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

const MARGIN_PX = 8;
const TALLEST_PX = 300;

/**
 * A box that hangs at `anchor`, above everything: as a popover it lies in the browser's top layer, so that no modal
 * clips it. It opens upwards where there is more room.
 */
export function Popup({
  anchor,
  wide = true,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  /** As wide as the anchor; else as wide as its content. */
  wide?: boolean;
  children: ComponentChildren;
}) {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const popup = box.current;
    if (!popup) return;
    const place = (): void => {
      const at = anchor.current?.getBoundingClientRect();
      if (!at) return;
      const below = innerHeight - at.bottom - MARGIN_PX;
      const above = at.top - MARGIN_PX;
      const up = below < 180 && above > below;
      popup.style.maxHeight = `${Math.min(TALLEST_PX, up ? above : below)}px`;
      popup.style.top = up ? 'auto' : `${at.bottom + 4}px`;
      popup.style.bottom = up ? `${innerHeight - at.top + 4}px` : 'auto';
      popup.style.minWidth = wide ? `${at.width}px` : 'auto';
      // At the edge of a phone the box would be squeezed to the width of its button.
      if (!wide) popup.style.width = 'max-content';
      popup.style.maxWidth = `${Math.max(at.width, Math.min(420, innerWidth - 2 * MARGIN_PX))}px`;
      const left = wide ? at.left : at.right - popup.offsetWidth;
      popup.style.left = `${Math.max(MARGIN_PX, Math.min(left, innerWidth - popup.offsetWidth - MARGIN_PX))}px`;
    };
    popup.showPopover();
    place();
    addEventListener('scroll', place, true);
    addEventListener('resize', place);
    return () => {
      removeEventListener('scroll', place, true);
      removeEventListener('resize', place);
    };
  }, [anchor, wide]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps the focus in the field that opened the box
    <div ref={box} class="popup" popover="manual" onMouseDown={event => event.preventDefault()}>
      {children}
    </div>
  );
}
