import { get } from 'node-emoji';

/** Names that Slack knows and node-emoji doesn't. */
const SLACK_NAMES: Readonly<Record<string, string>> = {
  large_green_circle: '🟢',
  large_yellow_circle: '🟡',
  large_orange_circle: '🟠',
  large_purple_circle: '🟣',
  thumbsup: '👍',
  thumbsdown: '👎',
  thinking_face: '🤔',
  robot_face: '🤖',
  simple_smile: '🙂',
  white_tick: '✔️',
  hourglass_done: '⌛',
};

/** The character of a shortcode (without colons), or `undefined` if nobody knows it. */
export function emojiCalled(name: string): string | undefined {
  return SLACK_NAMES[name] ?? get(name);
}

/** Emoji that stand in a text as characters, one or joined, with their variation selectors. */
export const EMOJI_CHARACTER = /(?![\d#*])\p{Emoji_Presentation}\u{FE0F}?|\p{Extended_Pictographic}\u{FE0F}/gu;
