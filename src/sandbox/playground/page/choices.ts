import type { OptionsAnswer, Snapshot } from '../protocol.ts';
import { isJson, list, type Option, type OptionGroup, readOption, readOptionGroups } from './blocks.ts';

/** Something that a select offers; `raw` is what goes into the state. */
export type Choice = { key: string; label: string; description: string; raw: unknown };

/** Choices under one heading (empty for none). */
export type ChoiceGroup = { label: string; choices: Choice[] };

/** The content of the list of a select. */
export type Offer =
  | { state: 'ready'; groups: ChoiceGroup[] }
  | { state: 'loading' }
  | { state: 'short'; least: number }
  | { state: 'failed'; error: string };

function choiceOf(option: Option): Choice {
  return { key: option.value, label: option.text.text, description: option.description?.text ?? '', raw: option.raw };
}

function groupOf(group: OptionGroup): ChoiceGroup {
  return { label: group.label, choices: group.options.map(choiceOf) };
}

/** The choices that the bot answered to an external select. */
export function answeredChoices(answer: Extract<OptionsAnswer, { ok: true }>): ChoiceGroup[] {
  return readOptionGroups(answer.options, answer.optionGroups).map(groupOf);
}

/** The choices that a select has without the bot: its own options, or the people or channels of the workspace. */
export function ownChoices(element: { type: string; raw: unknown }, data: Snapshot): ChoiceGroup[] {
  const type = element.type.replace(/^multi_/, '');
  if (type === 'users_select') {
    const choices = data.people.map(({ id, realName, title }) => ({
      key: id,
      label: realName,
      description: title,
      raw: id,
    }));
    return [{ label: '', choices }];
  }
  if (type === 'conversations_select' || type === 'channels_select') {
    const channels = data.channels.filter(({ kind }) => kind === 'public' || type === 'conversations_select');
    const choices = channels.map(({ id, name, topic, kind }) => ({
      key: id,
      label: kind === 'dm' ? name : `#${name}`,
      description: topic,
      raw: id,
    }));
    return [{ label: '', choices }];
  }
  return readOptionGroups(list(element.raw, 'options'), list(element.raw, 'option_groups')).map(groupOf);
}

/** The choices that are made now: options by themselves, people and channels by their id. */
export function chosenChoices(value: unknown, own: ChoiceGroup[]): Choice[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap(item => {
    if (isJson(item)) {
      const option = readOption(item);
      return option ? [choiceOf(option)] : [];
    }
    if (typeof item !== 'string') return [];
    const known = own.flatMap(group => group.choices).find(choice => choice.key === item);
    return [known ?? { key: item, label: item, description: '', raw: item }];
  });
}

/** The groups with what fits the words typed; groups that are left empty go. */
export function fitting(groups: ChoiceGroup[], query: string): ChoiceGroup[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (choice: Choice): boolean => {
    const text = `${choice.label} ${choice.description}`.toLowerCase();
    return words.every(word => text.includes(word));
  };
  return groups
    .map(group => ({ ...group, choices: group.choices.filter(fits) }))
    .filter(group => group.choices.length > 0);
}
