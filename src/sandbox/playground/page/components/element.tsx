import { useState } from 'preact/hooks';
import { type Action, valueAction } from '../actions.ts';
import { elementAt, isJson } from '../blocks.ts';
import type { InputPart, Use } from '../element-use.ts';
import { heldBy } from '../state.ts';
import { useSurface } from '../surface.ts';
import { ButtonElement } from './button-element.tsx';
import { CheckBoxes } from './check-boxes.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ConversationElement, PeopleElement } from './conversation-element.tsx';
import { OverflowElement } from './overflow-element.tsx';
import { RadioButtons } from './radio-buttons.tsx';
import { SelectElement } from './select-element.tsx';
import { TextElement } from './text-element.tsx';
import { TimeElement } from './time-element.tsx';
import { Unknown } from './unknown.tsx';

/** Any interactive element, with what all of them share: confirmation, waiting, and the error of a failed action. */
export function ElementView({ block, element: raw, input }: { block: unknown; element: unknown; input?: InputPart }) {
  const surface = useSurface();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const [asking, setAsking] = useState<(() => void) | undefined>();
  const element = elementAt(block, raw);
  const { confirm } = element.raw;

  async function send(action: Action, value?: unknown): Promise<void> {
    setBusy(true);
    setError('');
    const answer = await surface.act(element, action, value);
    setBusy(false);
    if (!answer.ok) setError(answer.error);
  }
  const use: Use = {
    element,
    input,
    value: heldBy(surface.values[element.blockId]?.[element.actionId]),
    busy,
    fill: value => surface.fill(element, value),
    change(value) {
      if (input && !input.dispatches) surface.fill(element, value);
      else use.act(valueAction(element, value), value);
    },
    act(action, value) {
      // A function in a setter would be called, hence the function that answers it.
      if (isJson(confirm)) setAsking(() => () => void send(action, value));
      else void send(action, value);
    },
  };
  return (
    <div class="element" aria-busy={busy || undefined}>
      <Widget use={use} />
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
      {asking && (
        <ConfirmDialog
          confirm={confirm}
          answer={yes => {
            if (yes) asking();
            setAsking(undefined);
          }}
        />
      )}
    </div>
  );
}

function Widget({ use }: { use: Use }) {
  switch (use.element.type) {
    case 'button':
      return <ButtonElement use={use} />;
    case 'overflow':
      return <OverflowElement use={use} />;
    case 'static_select':
    case 'external_select':
      return <SelectElement use={use} />;
    case 'conversations_select':
    case 'channels_select':
    case 'users_select':
      return <ConversationElement use={use} />;
    case 'datepicker':
    case 'timepicker':
      return <TimeElement use={use} />;
    case 'checkboxes':
    case 'multi_static_select':
      return <CheckBoxes use={use} />;
    case 'multi_users_select':
      return <PeopleElement use={use} />;
    case 'radio_buttons':
      return <RadioButtons use={use} />;
    case 'plain_text_input':
    case 'number_input':
      return <TextElement use={use} />;
    default:
      return <Unknown what="element" json={use.element.raw} />;
  }
}
