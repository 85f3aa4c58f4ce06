import { useId } from 'preact/hooks';
import type { StepParameter } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { channelTitle } from '../conversation.ts';
import type { FieldChoice } from '../workflow-inputs.ts';

/** One input of a step: a list where its type has one, else a text that may hold variables. */
export function ParameterField({
  name,
  parameter,
  text,
  variables,
  write,
}: {
  name: string;
  parameter: StepParameter;
  text: string;
  variables: readonly FieldChoice[];
  write(text: string): void;
}) {
  const { data } = usePage();
  const id = useId();
  const { type, title = name, description = '', hint = '', is_required: isRequired = false } = parameter;
  const people = data.people
    .filter(({ isBot }) => !isBot)
    .map(person => ({ value: person.id, words: person.realName }));
  const channels = data.channels.map(channel => ({ value: channel.id, words: channelTitle(channel, data) }));
  const booleans = [
    { value: 'true', words: 'Yes' },
    { value: 'false', words: 'No' },
  ];
  const titled = parameter.choices?.map(({ value, title: words }) => ({ value, words }));
  const listed: Record<string, FieldChoice[] | undefined> = {
    'slack#/types/user_id': people,
    'slack#/types/channel_id': channels,
    boolean: booleans,
  };
  const choices = titled ?? parameter.enum?.map(value => ({ value, words: value })) ?? listed[type];
  const details = hint || description;
  const described = details ? `${id}-hint` : undefined;
  return (
    <div class="parameter">
      <label for={id}>
        {title}
        {!isRequired && <span class="optional"> (optional)</span>}
      </label>
      {choices ? (
        <select
          id={id}
          value={text}
          required={isRequired}
          aria-describedby={described}
          onChange={event => write(event.currentTarget.value)}
        >
          <option value="">Choose…</option>
          {[...choices, ...variables].map(choice => (
            <option key={choice.value} value={choice.value}>
              {choice.words}
            </option>
          ))}
        </select>
      ) : (
        <>
          <input
            id={id}
            type="text"
            list={`${id}-variables`}
            value={text}
            required={isRequired}
            aria-describedby={described}
            onInput={event => write(event.currentTarget.value)}
          />
          <datalist id={`${id}-variables`}>
            {variables.map(({ value, words }) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </datalist>
        </>
      )}
      {details && (
        <p id={described} class="hint">
          {details}
        </p>
      )}
    </div>
  );
}
