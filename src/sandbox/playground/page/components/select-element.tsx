import { useEffect, useState } from 'preact/hooks';
import { child, number, plainOf } from '../blocks.ts';
import {
  answeredChoices,
  type Choice,
  type ChoiceGroup,
  chosenChoices,
  fitting,
  type Offer,
  ownChoices,
} from '../choices.ts';
import { usePage } from '../context.ts';
import { naming, type Use } from '../element-use.ts';
import { useSurface } from '../surface.ts';
import { Combobox } from './combobox.tsx';

const DEBOUNCE_MS = 250;
/** Slack's default for `min_query_length`. */
const MIN_QUERY_LENGTH = 3;

/** Every kind of select: static, external, of people or channels; one or several. */
export function SelectElement({ use }: { use: Use }) {
  const { data } = usePage();
  const { element, input } = use;
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const own = ownChoices(element, data);
  const external = element.type.endsWith('external_select');
  const multiple = element.type.startsWith('multi_');
  const asked = useExternalOffer(use, external && open, query);
  const offer: Offer = external ? asked : { state: 'ready', groups: fitting(own, query) };

  function choose(chosen: Choice[]): void {
    const raw = chosen.map(choice => choice.raw);
    use.change(multiple ? raw : (raw[0] ?? null));
  }

  return (
    <Combobox
      naming={naming(use)}
      placeholder={plainOf(child(element.raw, 'placeholder')) || 'Choose…'}
      chosen={chosenChoices(use.value, own)}
      choose={choose}
      offer={offer}
      open={open}
      setOpen={setOpen}
      query={query}
      setQuery={setQuery}
      multiple={multiple}
      max={number(element.raw, 'max_selected_items')}
      clearable={multiple || (input !== undefined && !input.required)}
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
