import type { z } from 'zod';
import { homeView, messageBlocks, modalView } from './blocks.ts';
import { charactersOf } from './characters.ts';
import { elementsOf, optionsOf } from './elements.ts';
import type { Fault } from './fault.ts';
import { isRecord, type Json, listOf, recordOf, recordsOf, stringOf } from './json.ts';
import { limits } from './limits.ts';
import { cardFaults, newerFaults } from './newerBlocks.ts';
import { optionsAnswer } from './shapes.ts';

type Path = readonly PropertyKey[];
type Issue = z.core.$ZodIssue;
const pointer = (path: Path) => path.map(step => `/${String(step)}`).join('');
const at = (root: string, says: string, ...path: PropertyKey[]): Fault => ({ says, pointer: root + pointer(path) });

function told(issue: Issue): Fault {
  const here = pointer(issue.path);
  switch (issue.code) {
    case 'too_big':
      return issue.origin === 'string'
        ? { says: `must be less than ${Number(issue.maximum) + 1} characters`, pointer: here }
        : { says: `no more than ${issue.maximum} items allowed`, pointer: here };
    case 'too_small':
      return issue.origin === 'string'
        ? { says: `must be more than ${Number(issue.minimum) - 1} characters`, pointer: here }
        : { says: `no fewer than ${issue.minimum} items required`, pointer: here };
    case 'unrecognized_keys':
      return { says: `invalid additional property: ${issue.keys.join(', ')}`, pointer: here };
    case 'invalid_union':
      return { says: `unsupported type: ${stringOf(recordOf(issue.input).type) || 'none'}`, pointer: here };
    case 'invalid_type':
      return issue.input === undefined
        ? { says: `missing required field: ${String(issue.path.at(-1))}`, pointer: pointer(issue.path.slice(0, -1)) }
        : { says: `must provide a ${issue.expected}`, pointer: here };
    default:
      return { says: issue.message.toLowerCase(), pointer: here };
  }
}

function shapeFaults(schema: z.ZodType, value: unknown, root: string): Fault[] {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return [];
  return result.error.issues.map(told).map(fault => ({ ...fault, pointer: root + fault.pointer }));
}

const repeated = (names: string[]) => names.filter((name, index) => name !== '' && names.indexOf(name) < index);

/** The rules that no shape says: what must be unique, what excludes what, which default must be a choice. */
function elementFaults(element: Json, here: string): Fault[] {
  const faults: Fault[] = [];
  const type = stringOf(element.type);
  if (type === 'static_select' || type === 'multi_static_select') {
    if ((element.options === undefined) === (element.option_groups === undefined)) {
      faults.push(at(here, 'must provide either options or option_groups'));
    }
  }
  for (const name of ['url', 'image_url']) {
    const url = element[name];
    if (typeof url === 'string' && !URL.canParse(url)) faults.push(at(here, 'must be a valid URL', name));
  }
  if (type === 'image' && (element.image_url === undefined) === (element.slack_file === undefined)) {
    faults.push(at(here, 'must provide either image_url or slack_file'));
  }
  const choices = optionsOf(element);
  const values = choices.map(choice => stringOf(choice.value));
  for (const value of new Set(repeated(values))) faults.push(at(here, `duplicate option value: ${value}`, 'options'));
  if (choices.length > 0) {
    const initial = isRecord(element.initial_option) ? [element.initial_option] : recordsOf(element.initial_options);
    for (const option of initial) {
      const same = choices.some(
        choice => choice.value === option.value && recordOf(choice.text).text === recordOf(option.text).text,
      );
      if (!same) faults.push(at(here, 'initial option must be one of the options', 'initial_option'));
    }
  }
  return faults;
}

function blockFaults(block: Json, here: string): Fault[] {
  const faults: Fault[] = [];
  if (block.type === 'section' && block.text === undefined && block.fields === undefined) {
    faults.push(at(here, 'must provide either text or fields'));
  }
  if (block.type === 'image') faults.push(...elementFaults(block, here));
  if (block.type === 'card') faults.push(...cardFaults(block, here));
  for (const [index, child] of recordsOf(block.child_blocks).entries())
    faults.push(...blockFaults(child, `${here}/child_blocks/${index}`));
  const elements = block.type === 'container' ? [] : elementsOf(block);
  for (const { element, path } of elements) faults.push(...elementFaults(element, here + pointer(path)));
  const ids = elements.map(({ element }) => stringOf(element.action_id));
  for (const id of new Set(repeated(ids))) faults.push(at(here, `\`action_id\` "${id}" already exists`));
  return faults;
}

function listFaults(blocks: Json[], root: string): Fault[] {
  const faults = blocks.flatMap((block, index) => blockFaults(block, `${root}/${index}`));
  const ids = blocks.flatMap(block => [block, ...recordsOf(block.child_blocks)]).map(block => stringOf(block.block_id));
  for (const id of new Set(repeated(ids))) faults.push(at(root, `\`block_id\` "${id}" already exists`));
  const focused = blocks.flatMap(block => elementsOf(block)).filter(({ element }) => element.focus_on_load === true);
  if (focused.length > 1) faults.push(at(root, 'only one element may have focus_on_load'));
  return faults;
}

/**
 * Finds the faults in the blocks of a message.
 * @returns nothing if Slack would take them; pointers begin with `root`
 */
export function messageFaults(blocks: unknown, root = '/blocks'): Fault[] {
  const faults = shapeFaults(messageBlocks, blocks, root);
  const list = recordsOf(blocks);
  faults.push(...listFaults(list, root), ...newerFaults(list, root));
  const tables = list.filter(block => block.type === 'table');
  if (tables.length > 1) faults.push(at(root, 'only_one_table_allowed'));
  for (const table of tables) {
    if (charactersOf(table.rows) > limits.tableCharacters) {
      faults.push(at(root, `must be less than ${limits.tableCharacters + 1} characters`, list.indexOf(table), 'rows'));
    }
  }
  return faults;
}

/**
 * Finds the faults in a view.
 * @param type the surface that it was sent for: a Home may not be opened, a modal not published
 */
export function viewFaults(view: unknown, type: 'modal' | 'home'): Fault[] {
  const root = '/view';
  const faults = shapeFaults(type === 'modal' ? modalView : homeView, view, root);
  const { blocks, submit } = recordOf(view);
  const list = recordsOf(blocks);
  faults.push(...listFaults(list, `${root}/blocks`));
  if (type === 'modal' && submit === undefined && list.some(block => block.type === 'input')) {
    faults.push(at(root, 'missing required field: submit (the view has input blocks)'));
  }
  return faults;
}

/** Finds the faults in the answer to a block_suggestion. */
export function optionsFaults(answer: unknown): Fault[] {
  const record = recordOf(answer);
  const branch = optionsAnswer.options[record.option_groups === undefined ? 0 : 1];
  const faults = shapeFaults(branch, answer, '');
  const all = [...recordsOf(record.options), ...recordsOf(record.option_groups).flatMap(g => recordsOf(g.options))];
  for (const value of new Set(repeated(all.map(choice => stringOf(choice.value))))) {
    faults.push(at('', `duplicate option value: ${value}`, 'options'));
  }
  return faults;
}

/** Finds the faults in a message's attachments (their blocks obey the same rules as a message's). */
export function attachmentFaults(attachments: unknown): Fault[] {
  const list = listOf(attachments);
  const faults = list.flatMap((entry, index) => {
    const { blocks } = recordOf(entry);
    return blocks === undefined ? [] : messageFaults(blocks, `/attachments/${index}/blocks`);
  });
  if (list.length > limits.attachments) {
    faults.push(at('/attachments', `no more than ${limits.attachments} items allowed`));
  }
  return faults;
}
