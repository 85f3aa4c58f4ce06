import { child, list, readText, string } from '../blocks.ts';
import { ElementView } from './element.tsx';
import { Text } from './mrkdwn-text.tsx';

/** A card block: title, subtitle, body, and its buttons at the bottom. */
export function Card({ block }: { block: unknown }) {
  const buttons = list(block, 'actions');
  return (
    <div class="card">
      <div class="card-title">
        <Text text={readText(child(block, 'title'))} />
      </div>
      <div class="card-subtitle">
        <Text text={readText(child(block, 'subtitle'))} />
      </div>
      <Text text={readText(child(block, 'body'))} />
      {buttons.length > 0 && (
        <div class="actions">
          {buttons.map((element, at) => (
            <ElementView key={string(element, 'action_id') || at} block={block} element={element} />
          ))}
        </div>
      )}
    </div>
  );
}
