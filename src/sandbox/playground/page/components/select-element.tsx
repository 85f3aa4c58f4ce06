import { useEffect, useState } from 'preact/hooks';
import { child, number, plainOf } from '../blocks.ts';
import { answeredChoices, type ChoiceGroup, chosenChoice, fitting, type Offer, ownChoices } from '../choices.ts';
import { naming, type Use } from '../element-use.ts';
import { useSurface } from '../surface.ts';
import { Combobox } from './combobox.tsx';

const DEBOUNCE_MS = 250;
/** Slack's default for `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/** A select, with its own options or with those that the bot answers. */
export function SelectElement({ use }: { use: Use }) {
  const { element, input } = use;
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const own = ownChoices(element);
  const external = element.type === 'external_select';
  const asked = useExternalOffer(use, external && open, query);
  const offer: Offer = external ? asked : { state: 'ready', groups: fitting(own, query) };

  return (
    <Combobox
      naming={naming(use)}
      placeholder={plainOf(child(element.raw, 'placeholder')) || 'Choose…'}
      chosen={chosenChoice(use.value)}
      choose={choice => use.change(choice?.raw ?? null)}
      offer={offer}
      open={open}
      setOpen={setOpen}
      query={query}
      setQuery={setQuery}
      clearable={input !== undefined && !input.required}
      busy={use.busy}
    />
  );
}

/** Asks the bot for options: at once when the list opens, then when the typing pauses. A late answer is dropped. */
function useExternalOffer(use: Use, active: boolean, query: string): Offer {
  const surface = useSurface();
  const [offer, setOffer] = useState<Offer>({ state: 'loading' });
  const least = number(use.element.raw, 'min_query_length') ?? MIN_QUERY_LENGTH;
  const { blockId, actionId } = use.element;
  useEffect(() => {
    if (!active) return setOffer({ state: 'loading' });
    if (query.length < least) return setOffer({ state: 'short', least });
    setOffer({ state: 'loading' });
    let late = false;
    const ask = async (): Promise<void> => {
      const answer = await surface.options(use.element, query);
      if (late) return;
      if (answer.ok) setOffer({ state: 'ready', groups: named(answeredChoices(answer)) });
      else setOffer({ state: 'failed', error: answer.error });
    };
    const timer = setTimeout(ask, query === '' ? 0 : DEBOUNCE_MS);
    return () => {
      late = true;
      clearTimeout(timer);
    };
    // The surface is made anew at each drawing; asking again is a matter of the words and the element alone.
  }, [active, query, least, blockId, actionId]);
  return offer;
}

function named(groups: ChoiceGroup[]): ChoiceGroup[] {
  return groups.filter(group => group.choices.length > 0);
}
