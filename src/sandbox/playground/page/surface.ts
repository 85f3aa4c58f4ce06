import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Container, OptionsAnswer, PlayAnswer, StateValues } from '../protocol.ts';
import type { Action } from './actions.ts';
import type { Element } from './blocks.ts';
import type { Page } from './context.ts';
import { post } from './requests.ts';
import { keepState, withValue } from './state.ts';
import { formKey } from './store.ts';

/** The message, modal or Home in which blocks stand, and what its elements can do there. */
export type Surface = {
  container: Container;
  values: StateValues;
  /** block_id → the sentence that stands at its input. */
  errors: Readonly<Record<string, string>>;
  /** Keeps what a person put in. */
  fill(element: Element, value: unknown): void;
  /** Tells the bot of an action; `value` is what the element holds from now on, where it keeps something. */
  act(element: Element, action: Action, value?: unknown): Promise<PlayAnswer>;
  /** Asks the bot for the options of an external select. */
  options(element: Element, query: string): Promise<OptionsAnswer>;
};

/** Carries the {@link Surface} down to the elements. */
export const SurfaceContext = createContext<Surface | undefined>(undefined);

/** The surface around an element. */
export function useSurface(): Surface {
  const surface = useContext(SurfaceContext);
  if (!surface) throw new Error('useSurface outside of a message, modal or Home');
  return surface;
}

/** The surface of some blocks; `filled` is told of each change. */
export function surfaceOf(
  page: Page,
  container: Container,
  blocks: unknown[],
  errors: Surface['errors'] = {},
  filled: (blockId: string) => void = () => {},
): Surface {
  const as = page.data.me.id;
  const values = keepState(blocks, page.state.forms[formKey(container)]);
  const fill: Surface['fill'] = (element, value) => {
    page.dispatch({ type: 'fill', container, blocks, element, value });
    filled(element.blockId);
  };
  return {
    container,
    values,
    errors,
    fill,
    act(element, action, value) {
      const state = value === undefined ? values : withValue(values, element, value);
      if (value !== undefined) fill(element, value);
      return post('/play/action', { as, container, action, state });
    },
    options(element, query) {
      const { blockId: block_id, actionId: action_id } = element;
      return post('/play/options', { as, container, block_id, action_id, value: query, state: values });
    },
  };
}
