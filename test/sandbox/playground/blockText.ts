import { isRecord, type Json, listOf, recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';

const joined = (parts: string[], between = '\n') => parts.filter(part => part !== '').join(between);

/** Inline pieces of rich text stand in one line, everything else in lines of its own. */
function inline(element: Json): string {
  if (Array.isArray(element.elements)) {
    const lines = element.type === 'rich_text' || element.type === 'rich_text_list';
    return joined(recordsOf(element.elements).map(inline), lines ? '\n' : '');
  }
  if (element.type === 'user') return `<@${stringOf(element.user_id)}>`;
  if (element.type === 'emoji') return `:${stringOf(element.name)}:`;
  return stringOf(element.text) || stringOf(element.url) || stringOf(element.fallback);
}

function blockText(block: Json): string {
  switch (block.type) {
    case 'rich_text':
      return inline(block);
    case 'table':
    case 'data_table':
      return joined([stringOf(block.caption), ...listOf(block.rows).map(row => recordsOf(row).map(inline).join('\t'))]);
    case 'actions':
    case 'context':
      return recordsOf(block.elements).map(textOf).filter(Boolean).join(' ');
    case 'section':
      return joined([textOf(block.text), ...recordsOf(block.fields).map(textOf), textOf(block.accessory)]);
    case 'container':
      return joined([textOf(block.title), textOf(block.subtitle), textOf(block.child_blocks)]);
    case 'plan':
      return joined([stringOf(block.title), ...recordsOf(block.tasks).map(blockText)]);
    case 'card':
      return joined([block.title, block.subtitle, block.body, block.actions].map(textOf));
    case 'input':
      return joined([textOf(block.label), textOf(block.hint)]);
    case 'task_card':
      return joined([stringOf(block.title), textOf(block.details), textOf(block.output)]);
    default:
      return textOf(block.text) || textOf(block.title) || stringOf(block.alt_text);
  }
}

/**
 * What a person reads: the plain text of blocks, of one block or element, of a view (its title first) or of a message
 * (its text where it has no blocks, the titles of its files last). Markup stays as the bot wrote it.
 */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return joined(value.map(textOf));
  if (!isRecord(value)) return '';
  if (typeof value.ts === 'string') {
    return joined([
      listOf(value.blocks).length > 0 ? textOf(value.blocks) : stringOf(value.text),
      textOf(value.attachments),
      ...recordsOf(value.files).map(file => stringOf(file.title)),
    ]);
  }
  if (Array.isArray(value.blocks)) return joined([textOf(value.title), textOf(value.blocks), textOf(value.submit)]);
  return blockText(value);
}
