import type { RichTextElement } from '@slack/types';
import type { MessageBlock } from './chart.ts';
import { cut, cutMarkup, limits } from './limits.ts';
import { escaped, unescaped } from './mrkdwn.ts';

/*
 * The spoken form of a message. Screen readers and lock screens read its `text` and none of its blocks. Two buttons
 * that look the same need labels of their own to be told apart (docs.slack.dev/reference/block-kit).
 */

/** The content of blocks as one mrkdwn text of whole lines, short enough for the text of a message. */
export function spoken(blocks: readonly MessageBlock[]): string {
  const lines = blocks.flatMap(block => saidBy(block)).flatMap(text => text.split('\n'));
  const whole = lines.join('\n');
  if (whole.length <= limits.messageText) return whole;
  const first = lines[0] ?? '';
  let many = lines.length;
  while (many > 1 && lines.slice(0, many).join('\n').length > limits.messageText - 2) many--;
  return many > 1 ? `${lines.slice(0, many).join('\n')}\n…` : cutMarkup(first, limits.messageText);
}

function saidBy(block: MessageBlock): string[] {
  switch (block.type) {
    case 'header':
      return [escaped(block.text.text)];
    case 'section':
      return [
        ...(block.text ? [textOf(block.text)] : []),
        ...(block.fields ?? []).map(field => textOf(field).replace('\n', ': ')),
      ];
    case 'rich_text':
      return block.elements.flatMap(part => {
        const lines = part.type === 'rich_text_list' ? part.elements.map(({ elements }) => elements) : [part.elements];
        return lines.map(line => line.map(saidInLine).join(''));
      });
    case 'card': {
      const { title, subtitle, body, actions = [] } = block;
      return [
        ...[title, subtitle, body].flatMap(text => (text ? [textOf(text)] : [])),
        ...saidBy({ type: 'actions', elements: actions }),
      ];
    }
    case 'context':
      return [block.elements.flatMap(element => ('text' in element ? [textOf(element)] : [])).join('  ')];
    case 'actions': {
      const names = block.elements.flatMap(element => ('text' in element ? [`[${escaped(element.text.text)}]`] : []));
      return names.length > 0 ? [names.join(' ')] : [];
    }
    default:
      return [];
  }
}

function saidInLine(element: RichTextElement): string {
  if (element.type === 'date')
    return `<!date^${element.timestamp}^${element.format}|${escaped(element.fallback ?? element.format)}>`;
  return 'text' in element && typeof element.text === 'string' ? escaped(element.text) : '';
}

function textOf({ type, text }: { type: string; text: string }): string {
  return type === 'mrkdwn' ? text : escaped(text);
}

/**
 * The blocks with labels for buttons that look alike: within this message, or, with `all`, every button, because other
 * messages have the same ones. A label says what the button is about, from the text above it.
 */
export function labelled<T extends MessageBlock>(blocks: readonly T[], all: 'all' | 'equal' = 'equal'): T[] {
  const buttons = blocks.flatMap(block => buttonsIn(block));
  const known = new Map<string, number>();
  let about = '';
  return blocks.map(block => {
    const [heading = ''] = headed.includes(block.type) ? saidBy(block) : [];
    // In a message about one thing, the first line names that thing.
    if (heading !== '' && (all === 'equal' || about === '')) about = heard(heading);
    const named = <E extends object>(element: E): E => {
      if (!isButton(element)) return element;
      const isEqual = buttons.filter(({ text }) => text.text === element.text.text).length > 1;
      if (!isEqual && all === 'equal') return element;
      const own = cut(element.accessibility_label ?? `${element.text.text}: ${about}`, max);
      const times = (known.get(own) ?? 0) + 1;
      known.set(own, times);
      const label = times === 1 ? own : `${cut(own, max - 5)} (${times})`;
      return { ...element, accessibility_label: label };
    };
    if (block.type === 'actions') return { ...block, elements: block.elements.map(named) };
    if (block.type === 'card' && block.actions) return { ...block, actions: block.actions.map(named) };
    return block.type === 'section' && block.accessory ? { ...block, accessory: named(block.accessory) } : block;
  });
}

/** The kinds of blocks whose first line says what the buttons after it are about. */
const headed: readonly string[] = ['section', 'header', 'card'];
/** Max characters of a label. */
const max = 75;

type Pressable = { type: 'button'; text: { text: string }; accessibility_label?: string };

function isButton(element: object): element is Pressable {
  return 'type' in element && element.type === 'button';
}

function buttonsIn(block: MessageBlock): Pressable[] {
  const inSection = block.type === 'section' && block.accessory ? [block.accessory] : [];
  const inCard = block.type === 'card' ? (block.actions ?? []) : inSection;
  const elements: readonly object[] = block.type === 'actions' ? block.elements : inCard;
  return elements.filter(isButton);
}

/** The first line of a mrkdwn text as it is read aloud: without emoji, marks and markup. */
function heard(text: string): string {
  const [line = ''] = text.split('\n');
  const plain = line.replace(/<[^|>]*\|([^>]*)>/g, '$1').replace(/<[^>]*>|:[a-z_]+:|[*`_]/g, '');
  return unescaped(plain).replace(/\s+/g, ' ').trim();
}
