import type { Option } from '../blocks.ts';
import { Text } from './mrkdwn-text.tsx';

/** The text of an option, with its description below. */
export function OptionText({ option }: { option: Option }) {
  return (
    <span class="choice-text">
      <Text text={option.text} />
      {option.description && (
        <span class="choice-description">
          <Text text={option.description} />
        </span>
      )}
    </span>
  );
}
