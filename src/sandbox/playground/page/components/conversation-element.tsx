import { useState } from 'preact/hooks';
import { child, plainOf } from '../blocks.ts';
import { type Choice, fitting, type Offer } from '../choices.ts';
import { usePage } from '../context.ts';
import { naming, type Use } from '../element-use.ts';
import { Combobox } from './combobox.tsx';

/** A select of the channels that the person sees. Its value is the id of one. */
export function ConversationElement({ use }: { use: Use }) {
  const { data } = usePage();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const choices = data.channels
    .filter(({ kind }) => kind !== 'dm')
    .map(({ id, name, kind }): Choice => {
      return { key: id, label: `${kind === 'private' ? '🔒 ' : '#'}${name}`, description: '', raw: id };
    });
  const offer: Offer = { state: 'ready', groups: fitting([{ label: '', choices }], query) };
  return (
    <Combobox
      naming={naming(use)}
      placeholder={plainOf(child(use.element.raw, 'placeholder')) || 'Choose…'}
      chosen={choices.find(({ key }) => key === use.value)}
      choose={choice => use.change(choice?.raw ?? null)}
      offer={offer}
      open={open}
      setOpen={setOpen}
      query={query}
      setQuery={setQuery}
      clearable={use.input !== undefined && !use.input.required}
      busy={use.busy}
    />
  );
}
