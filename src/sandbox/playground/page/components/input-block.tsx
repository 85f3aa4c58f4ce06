import { useId } from 'preact/hooks';
import { child, elementAt, flag, plainOf, string } from '../blocks.ts';
import { useSurface } from '../surface.ts';
import { ElementView } from './element.tsx';
import { Plain } from './mrkdwn-text.tsx';

/** An input block: label, element, the error or the hint under it. */
export function InputBlock({ block }: { block: unknown }) {
  const { errors } = useSurface();
  const id = useId();
  const label = plainOf(child(block, 'label'));
  const hint = plainOf(child(block, 'hint'));
  const optional = flag(block, 'optional');
  const element = elementAt(block, child(block, 'element'));
  const error = errors[element.blockId];
  const group = ['radio_buttons', 'checkboxes', 'multi_static_select', 'multi_users_select'].includes(element.type);
  return (
    <div class={error ? 'input-block wrong' : 'input-block'}>
      <label class="label" id={`${id}-label`} for={group ? undefined : `${id}-field`}>
        <Plain text={label} />
        {optional && <span class="optional"> (optional)</span>}
      </label>
      <ElementView
        block={block}
        element={child(block, 'element')}
        input={{
          id: `${id}-field`,
          labelId: `${id}-label`,
          required: !optional,
          dispatches: flag(block, 'dispatch_action'),
          describedBy: error ? `${id}-error` : hint ? `${id}-hint` : undefined,
          wrong: error !== undefined,
        }}
      />
      {error !== undefined && (
        <p class="field-error" id={`${id}-error`} role="alert" data-error-of={string(block, 'block_id')}>
          {error}
        </p>
      )}
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          <Plain text={hint} />
        </p>
      )}
    </div>
  );
}
