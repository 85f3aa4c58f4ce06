import { overflowAction } from '../actions.ts';
import { list, type Option, readOptions } from '../blocks.ts';
import type { Use } from '../element-use.ts';
import { MenuButton } from './menu.tsx';
import { Text } from './mrkdwn-text.tsx';

/** The “more” menu. */
export function OverflowElement({ use }: { use: Use }) {
  const choose = (option: Option): void => {
    if (option.url) window.open(option.url, '_blank', 'noopener');
    use.act(overflowAction(use.element, option.raw));
  };
  const items = readOptions(list(use.element.raw, 'options')).map(option => ({
    key: option.value,
    label: <Text text={option.text} />,
    description: option.description && <Text text={option.description} />,
    choose: () => choose(option),
  }));
  return <MenuButton label="More actions" icon="more" look="button overflow" items={items} busy={use.busy} />;
}
