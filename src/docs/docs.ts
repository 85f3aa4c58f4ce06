import { readFileSync, writeFileSync } from 'node:fs';
import { features } from '../app/features.ts';
import { measures } from '../ground/meter.ts';
import { machineDiagram } from '../jobs/machine/diagram.ts';
import { catalogue } from '../operations/catalogue.ts';
import { groupOf, groups } from '../operations/operation.ts';
import { provocations } from '../sandbox/service/failures.ts';
import { usageLine } from '../slack/commands/help.ts';
import { ownSubjects } from '../slack/house.ts';
import { floorPlan, importDiagram } from './imports.ts';
import { manifestRegions } from './manifest.ts';
import { tree } from './rooms.ts';
import { caveatNames, ruleRows } from './rules.ts';

/** Dolly’s own commands, by subject. */
const ownCommands = ownSubjects.flatMap(about =>
  features.flatMap(({ commands }) => (commands?.own ?? []).filter(({ subject }) => subject === about)),
);

const names = { db: '/db', clone: '/clone', restore: '/restore' };

/** The keys that most installations set. */
const usualKeys = [
  ...'SLACK_BOT_TOKEN SLACK_APP_TOKEN SLACK_SIGNING_SECRET SERVICE_URL TOKEN_KEYS PUBLIC_URL'.split(' '),
  ...'APPROVERS APPROVAL_CHANNEL POLICY_FILE DATABASE_URL DATABASE_PREPARE METRICS_TOKEN'.split(' '),
];

/** The generated regions, by file and by the name of the region. */
const regions: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'README.md': { commands: commandSubjects, keys: usualKeyTable },
  'CONTRIBUTING.md': { floors: floorPlan },
  'docs/commands.md': { commands: commandTable },
  'docs/jobs.md': {
    rows: () => tableOf('what is seen | of a | it means | once it stood for', ruleRows(), cells => cells),
    caveats: () => `${caveatNames().join(' · ')}.`,
  },
  'docs/policy.md': { operations: operationNames },
  'docs/running.md': { metrics: metricTable },
  'docs/sandbox.md': { provocations: provocationTable },
  'docs/design.md': {
    tree,
    imports: () => importDiagram('src'),
    'imports of slack': () => importDiagram('src/slack'),
    states: () => ['```mermaid', machineDiagram(), '```'].join('\n'),
    things: thingTable,
  },
  'manifest.yml': manifestRegions,
};

/** The kinds of durable things, each with the states that may follow on each other. */
function thingTable(): string {
  const rows = features.flatMap(({ name, things }) =>
    (things?.kinds ?? []).map(kind => {
      const all: readonly (readonly [string, readonly string[]])[] = Object.entries(kind.states);
      const states = all.map(([from, next]) => (next.length > 0 ? `${from} → ${next.join(', ')}` : from));
      return `| ${kind.name} | ${name} | ${states.join(' · ')} |`;
    }),
  );
  return ['| kind | feature | states |', '|---|---|---|', ...rows].join('\n');
}

const inRoot = (file: string) => new URL(`../../${file}`, import.meta.url);

/** Each generated file as it should be: its text with every marked region written anew. */
export function generatedFiles(): { file: string; before: string; after: string }[] {
  return Object.entries(regions).map(([file, parts]) => {
    const before = readFileSync(inRoot(file), 'utf8');
    const after = Object.entries(parts).reduce((text, [name, write]) => replaceRegion(text, name, write()), before);
    return { file, before, after };
  });
}

/**
 * Replaces what stands between the lines that hold `generated: name` and `generated end`.
 * @throws Error where there are no such lines
 */
export function replaceRegion(text: string, name: string, content: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex(line => line.includes(`generated: ${name} (`));
  const end = lines.findIndex((line, at) => at > start && line.includes('generated end'));
  if (start < 0 || end < 0) throw new Error(`there is no region ${name}`);
  return [...lines.slice(0, start + 1), ...content.split('\n'), ...lines.slice(end)].join('\n');
}

function tableOf<Row>(titles: string, rows: readonly Row[], cellsOf: (row: Row) => readonly string[]): string {
  const rule = titles.split('|').map(() => '---');
  return [`| ${titles} |`, `|${rule.join('|')}|`, ...rows.map(row => `| ${cellsOf(row).join(' | ')} |`)].join('\n');
}

/** The commands alone, a line for each subject. */
function commandSubjects(): string {
  const rows = [
    ...groups.map(group => ({
      subject: group,
      usages: catalogue
        .filter(operation => groupOf(operation) === group)
        .map(operation => usageLine(names, operation).usage),
    })),
    ...ownSubjects.map(about => ({
      subject: about,
      usages: ownCommands.filter(({ subject }) => subject === about).map(({ word }) => `${names.db} ${word}`),
    })),
  ];
  const command = (usage: string) => `\`${usage.replace(/ [[<].*$/, '')}\``;
  return tableOf('about | commands', rows, ({ subject, usages }) => [subject, usages.map(command).join(' · ')]);
}

function commandTable(): string {
  const rows = [
    ...catalogue.map(operation => usageLine(names, operation)),
    ...ownCommands.map(({ usage, summary }) => ({ usage: `${names.db} ${usage}`, summary })),
  ];
  const cells = ({ usage, summary }: (typeof rows)[number]) => [`\`${usage.replaceAll('|', '\\|')}\``, summary];
  return tableOf('command | what it does', rows, cells);
}

/** The rows of the table of all keys that most installations need. */
function usualKeyTable(): string {
  const lines = readFileSync(inRoot('docs/configuration.md'), 'utf8').split('\n');
  const rowOf = (key: string) =>
    lines.find(line => line.startsWith(`| \`${key}\` |`)) ?? `| \`${key}\` | is missing | |`;
  return ['| key | meaning | default |', '|---|---|---|', ...usualKeys.map(rowOf)].join('\n');
}

function operationNames(): string {
  return `${catalogue.flatMap(({ type, name }) => (type !== 'read' ? [`\`${name}\``] : [])).join(', ')}.`;
}

function metricTable(): string {
  const all = Object.values(measures);
  const labelsOf = (labels: readonly string[]) => labels.map(label => `\`${label}\``).join(', ');
  return tableOf('name | type | labels | meaning', all, one => [
    `\`${one.name}\``,
    one.type,
    labelsOf(one.labels),
    one.help,
  ]);
}

function provocationTable(): string {
  return tableOf('word | what happens', provocations, ({ word, meaning }) => [`\`${word}\``, meaning]);
}

if (import.meta.main) {
  for (const { file, before, after } of generatedFiles()) {
    if (before !== after) writeFileSync(inRoot(file), after);
  }
}
