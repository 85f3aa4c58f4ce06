import { useState } from 'preact/hooks';
import { child, plainOf } from '../blocks.ts';
import { type Choice, fitting, type Offer } from '../choices.ts';
import { usePage } from '../context.ts';
import { naming, type Use } from '../element-use.ts';
import { Combobox } from './combobox.tsx';

/** A select of the channels that the person sees, or of people. Its value is the id of one. */
export function ConversationElement({ use }: { use: Use }) {
  const { data } = usePage();
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState('');
  const channels = data.channels
    .filter(({ kind }) => kind !== 'dm')
    .map(({ id, name, kind }): Choice => {
      return { key: id, label: `${kind === 'private' ? '🔒 ' : '#'}${name}`, description: '', raw: id };
    });
  const people = usePeople();
  const choices = use.element.type === 'users_select' ? people : channels;
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

/** The people of the workspace as choices. */
function usePeople(): Choice[] {
  const { data } = usePage();
  return data.people.flatMap(({ id, realName, name, isBot }) =>
    isBot ? [] : [{ key: id, label: realName || name, description: '', raw: id }],
  );
}

/** A select of several people, drawn as check boxes. Its value is a list of ids. */
export function PeopleElement({ use }: { use: Use }) {
  const people = usePeople();
  const chosen: readonly unknown[] = Array.isArray(use.value) ? use.value : [];
  const toggle = (id: unknown, isOn: boolean) =>
    use.change(people.map(({ raw }) => raw).filter(raw => (raw === id ? isOn : chosen.includes(raw))));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the input block has the label of the group.
    <div
      class="choices many"
      role="group"
      aria-labelledby={use.input?.labelId}
      aria-describedby={use.input?.describedBy}
    >
      {people.map(({ key, label, raw }) => (
        <label key={key} class="choice">
          <input
            type="checkbox"
            checked={chosen.includes(raw)}
            onChange={event => toggle(raw, event.currentTarget.checked)}
          />
          <span>{label}</span>
        </label>
      ))}
    </div>
  );
}
