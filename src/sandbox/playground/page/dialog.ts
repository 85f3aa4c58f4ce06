import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/**
 * Shows a dialog above everything as long as its component stands: the browser then keeps the focus inside. Closing it
 * before it goes is what gives the focus back to where it was.
 */
export function useDialog(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, [dialog]);
}
