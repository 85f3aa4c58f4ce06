import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';

/**
 * The answer of the Slack CLI’s hook `get-manifest`: manifest.yml as JSON. The CLI names a boundary that it wants around
 * the answer, by which it tells it from whatever else is printed
 * (docs.slack.dev/tools/slack-cli/reference/hooks, protocol `message-boundaries`).
 * @param args what the CLI adds to the command of the hook
 * @param manifest the text of manifest.yml
 */
export function manifestAnswer(args: readonly string[], manifest: string): string {
  const { values } = parseArgs({ args: [...args], options: { boundary: { type: 'string' } }, strict: false });
  const boundary = typeof values.boundary === 'string' ? values.boundary : '';
  return `${boundary}${JSON.stringify(parse(manifest))}${boundary}`;
}

if (import.meta.main) {
  const file = new URL('../../manifest.yml', import.meta.url);
  process.stdout.write(`${manifestAnswer(process.argv.slice(2), readFileSync(file, 'utf8'))}\n`);
}
