import type { OptionsAnswer } from '../protocol.ts';
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

/** The options that stand in a select itself. */
export function ownChoices({ raw }: { raw: unknown }): ChoiceGroup[] {
  return readOptionGroups(list(raw, 'options'), list(raw, 'option_groups')).map(groupOf);
}

/** The option that is chosen now, whether or not it is still offered. */
export function chosenChoice(value: unknown): Choice | undefined {
  const option = isJson(value) ? readOption(value) : undefined;
  return option && choiceOf(option);
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
