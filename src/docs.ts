import { readFileSync, writeFileSync } from 'node:fs';
import { measures } from './ground/meter.ts';
import { catalogue } from './operations/catalogue.ts';
import { provocations } from './sandbox/service/failures.ts';
import { ownCommands, slashCommands, usageLine } from './slack/commands/help.ts';

const names = { db: '/db', clone: '/clone', restore: '/restore' };

/** What is written from the catalogue, by file and by the name of the marked region. */
const regions: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'README.md': {
    commands: commandTable,
    operations: operationNames,
    metrics: metricTable,
    provocations: provocationTable,
  },
  'manifest.yml': { commands: manifestCommands },
};

/** Each generated file as it should be: its text with every marked region written anew. */
export function generatedFiles(): { file: string; before: string; after: string }[] {
  return Object.entries(regions).map(([file, parts]) => {
    const before = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8');
    const after = Object.entries(parts).reduce((text, [name, write]) => replaceRegion(text, name, write()), before);
    return { file, before, after };
  });
}

/** Replaces what stands between the lines that hold `generated: name` and `generated end`. */
function replaceRegion(text: string, name: string, content: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex(line => line.includes(`generated: ${name}`));
  const end = lines.findIndex((line, at) => at > start && line.includes('generated end'));
  if (start < 0 || end < 0) throw new Error(`there is no region ${name}`);
  return [...lines.slice(0, start + 1), ...content.split('\n'), ...lines.slice(end)].join('\n');
}

function commandTable(): string {
  const rows = [
    ...catalogue.map(operation => usageLine(names, operation)),
    ...ownCommands.map(({ usage, summary }) => ({ usage: `${names.db} ${usage}`, summary })),
  ];
  return [
    '| command | what it does |',
    '|---|---|',
    ...rows.map(({ usage, summary }) => `| \`${usage.replaceAll('|', '\\|')}\` | ${summary} |`),
  ].join('\n');
}

function operationNames(): string {
  return `${catalogue.flatMap(({ type, name }) => (type === 'write' ? [`\`${name}\``] : [])).join(', ')}.`;
}

function metricTable(): string {
  return [
    '| name | type | labels | meaning |',
    '|---|---|---|---|',
    ...Object.values(measures).map(
      ({ name, type, labels, help }) =>
        `| \`${name}\` | ${type} | ${labels.map(label => `\`${label}\``).join(', ')} | ${help} |`,
    ),
  ].join('\n');
}

function provocationTable(): string {
  return [
    '| word | what happens |',
    '|---|---|',
    ...provocations.map(({ word, meaning }) => `| \`${word}\` | ${meaning} |`),
  ].join('\n');
}

function manifestCommands(): string {
  return slashCommands(names)
    .map(({ command, description, usageHint }) =>
      [
        `    - command: ${command}`,
        `      description: ${JSON.stringify(description)}`,
        `      usage_hint: ${JSON.stringify(usageHint)}`,
        '      url: https://dolly.example.com/slack/events',
        '      should_escape: false',
      ].join('\n'),
    )
    .join('\n');
}

if (import.meta.main) {
  for (const { file, before, after } of generatedFiles()) {
    if (before !== after) writeFileSync(new URL(`../${file}`, import.meta.url), after);
  }
}
