import { valueAction } from '../actions.ts';
import { child, flag, list, number, plainOf } from '../blocks.ts';
import { naming, type Use } from '../element-use.ts';

/** Text and number inputs. Both are text fields, so that a typed text stays to be seen, right or wrong. */
export function TextElement({ use }: { use: Use }) {
  const { element, input } = use;
  const { raw } = element;
  const triggers = list(child(raw, 'dispatch_action_config'), 'trigger_actions_on');
  const onCharacter = input?.dispatches === true && triggers.includes('on_character_entered');
  const onEnter = input?.dispatches === true && (triggers.length === 0 || triggers.includes('on_enter_pressed'));
  const multiline = flag(raw, 'multiline');
  const value = typeof use.value === 'string' ? use.value : '';
  const shared = {
    ...naming(use),
    class: 'text-field',
    placeholder: plainOf(child(raw, 'placeholder')),
    maxLength: number(raw, 'max_length') ?? 3000,
    value,
  };

  function write(text: string): void {
    if (onCharacter) use.change(text);
    else use.fill(text);
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.isComposing || !onEnter || (multiline && event.shiftKey)) return;
    event.preventDefault();
    use.act(valueAction(element, value), value);
  }

  return multiline ? (
    <textarea
      {...shared}
      rows={Math.min(12, Math.max(4, value.split('\n').length + 1))}
      onInput={event => write(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  ) : (
    <input
      {...shared}
      type="text"
      inputMode={element.type === 'number_input' ? 'decimal' : 'text'}
      autoComplete="off"
      onInput={event => write(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
