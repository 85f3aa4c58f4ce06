import type { KnownBlock } from '@slack/types';
import { cut, limits } from './limits.ts';

/*
 * What is heard of a message: screen readers and lock screens read its `text` and none of its blocks, and of two buttons
 * that look the same only a label of their own tells which is which (docs.slack.dev/reference/block-kit).
 */

/** What blocks say, as one mrkdwn text of whole lines that Slack takes as the text of a message. */
export function spoken(blocks: readonly KnownBlock[]): string {
  const lines = blocks.flatMap(block => saidBy(block)).flatMap(text => text.split('\n'));
  const whole = lines.join('\n');
  if (whole.length <= limits.messageText) return whole;
  const first = lines[0] ?? '';
  let many = lines.length;
  while (many > 1 && lines.slice(0, many).join('\n').length > limits.messageText - 2) many--;
  return many > 1 ? `${lines.slice(0, many).join('\n')}\n…` : cutMarkup(first, limits.messageText);
}

function saidBy(block: KnownBlock): string[] {
  switch (block.type) {
    case 'header':
      return [escaped(block.text.text)];
    case 'section':
      return [
        ...(block.text ? [textOf(block.text)] : []),
        ...(block.fields ?? []).map(field => textOf(field).replace('\n', ': ')),
      ];
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

function textOf({ type, text }: { type: string; text: string }): string {
  return type === 'mrkdwn' ? text : escaped(text);
}

/** A plain_text as mrkdwn, where it may neither mention nor link. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Cut, but never inside of a mention or a date. */
function cutMarkup(text: string, most: number): string {
  return text.length <= most ? text : `${cut(text, most - 1).replace(/<[^>]*…$/, '')}…`;
}

/**
 * The blocks with a label for each button that looks like another one, or for every button where others like them stand in
 * other messages: it says what the button is about, by the text above it.
 */
export function labelled<T extends KnownBlock>(blocks: readonly T[], all: 'all' | 'equal' = 'equal'): T[] {
  const buttons = blocks.flatMap(block => buttonsIn(block));
  const known = new Map<string, number>();
  let about = '';
  return blocks.map(block => {
    const [heading = ''] = block.type === 'section' || block.type === 'header' ? saidBy(block) : [];
    // In a message about one thing, its first line says what that is.
    if (heading !== '' && (all === 'equal' || about === '')) about = heard(heading);
    const named = <E extends object>(element: E): E => {
      if (!isButton(element)) return element;
      const isEqual = buttons.filter(({ text }) => text.text === element.text.text).length > 1;
      if (!isEqual && all === 'equal') return element;
      const own = cut(element.accessibility_label ?? `${element.text.text}: ${about}`, most);
      const times = (known.get(own) ?? 0) + 1;
      known.set(own, times);
      const label = times === 1 ? own : `${cut(own, most - 5)} (${times})`;
      return { ...element, accessibility_label: label };
    };
    if (block.type === 'actions') return { ...block, elements: block.elements.map(named) };
    return block.type === 'section' && block.accessory ? { ...block, accessory: named(block.accessory) } : block;
  });
}

/** The longest label, in characters. */
const most = 75;

type Pressable = { type: 'button'; text: { text: string }; accessibility_label?: string };

function isButton(element: object): element is Pressable {
  return 'type' in element && element.type === 'button';
}

function buttonsIn(block: KnownBlock): Pressable[] {
  const elements: readonly object[] =
    block.type === 'actions' ? block.elements : block.type === 'section' && block.accessory ? [block.accessory] : [];
  return elements.filter(isButton);
}

/** The first line of a mrkdwn text as it is read aloud: without signs, marks and markup. */
function heard(text: string): string {
  const [line = ''] = text.split('\n');
  return line
    .replace(/<[^|>]*\|([^>]*)>/g, '$1')
    .replace(/<[^>]*>|:[a-z_]+:|[*`_]/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
