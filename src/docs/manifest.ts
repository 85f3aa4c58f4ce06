import { stringify } from 'yaml';
import { declaredFunctions } from '../app/features.ts';
import { slashCommands } from '../slack/commands/help.ts';
import { events, scopes } from '../slack/connection/scopes.ts';
import { shortcuts } from '../slack/shortcuts/shortcuts.ts';

/** Where Slack sends everything in HTTP mode, until somebody puts in their own address. */
const address = 'https://dolly.example.com/slack/events';

/** The generated regions of manifest.yml, by name. Slack’s schema of a manifest, in version 1, names their fields. */
export const manifestRegions: Readonly<Record<string, () => string>> = {
  commands: manifestCommands,
  shortcuts: () => yamlAt(4, shortcuts),
  scopes: () => explained(Object.entries(scopes)),
  events: () => explained(Object.entries(events)),
  functions: () => yamlAt(2, declaredFunctions),
};

function manifestCommands(): string {
  const commands = slashCommands({ db: '/db', clone: '/clone', restore: '/restore' });
  const more = { url: address, should_escape: false };
  return yamlAt(
    4,
    commands.map(({ usageHint, ...command }) => ({ ...command, usage_hint: usageHint, ...more })),
  );
}

/** A list of names, each below its purpose. */
function explained(entries: readonly (readonly [name: string, purpose: string])[]): string {
  return entries.map(([name, purpose]) => `      # ${purpose}\n      - ${name}`).join('\n');
}

/** A value as lines of YAML, indented by so many blanks. */
function yamlAt(indent: number, value: unknown): string {
  return stringify(value, { lineWidth: 0, aliasDuplicateObjects: false })
    .trimEnd()
    .replace(/^(?=.)/gm, ' '.repeat(indent));
}
