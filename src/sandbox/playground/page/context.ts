import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Snapshot } from '../protocol.ts';
import type { Event, State } from './store.ts';

/** Everything that a component may read and do. */
export type Page = {
  state: State;
  data: Snapshot;
  dispatch(event: Event): void;
  /** Shows a failed request as a notice. */
  complain(error: string): void;
  /** Becomes another person. */
  become(person: string): void;
};

/** Carries the {@link Page} down the tree. */
export const PageContext = createContext<Page | undefined>(undefined);

/** The page around a component. */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage outside of the page');
  return page;
}
