import { buttonAction } from '../actions.ts';
import { child, plainOf, string } from '../blocks.ts';
import type { Use } from '../element-use.ts';
import { Icon } from './icon.tsx';
import { Plain } from './mrkdwn-text.tsx';

/** A button; one with a url opens it in another tab and tells the bot as well, as in Slack. */
export function ButtonElement({ use }: { use: Use }) {
  const { element, busy } = use;
  const text = plainOf(child(element.raw, 'text'));
  const url = string(element.raw, 'url');
  const look = `button ${string(element.raw, 'style')}`.trim();
  const name = string(element.raw, 'accessibility_label') || undefined;
  const press = (): void => use.act(buttonAction(element));
  if (url) {
    return (
      <a class={look} href={url} target="_blank" rel="noopener noreferrer" aria-label={name} onClick={press}>
        <Plain text={text} /> <Icon name="outside" />
      </a>
    );
  }
  return (
    <button type="button" class={look} aria-label={name} disabled={busy} onClick={press}>
      <Plain text={text} />
      {busy && <span class="spinner" />}
    </button>
  );
}
