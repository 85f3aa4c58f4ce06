/**
 * The purpose of every folder of src down to the second level, and of the entry points. A test compares it with the
 * folders.
 */
export const rooms: Readonly<Record<string, string>> = {
  'src/start.js': 'what npm start runs: a fresh bundle of the bot, else its sources',
  'src/main.ts': 'starts the bot, or the sandbox where no bot token is set',
  'src/bundle.ts': 'bundles the bot for the production image',
  'src/bundleForStart.ts': 'makes that bundle, beside a start from sources',
  'src/move.ts': 'moves an embedded store into PostgreSQL',
  'src/checkRecords.ts': 'says what is understood of a file of records',
  'src/app': 'wires the parts together, starts and stops them, and serves metrics',
  'src/app/config': 'reads the environment, the policy and the records file, and names every fault',
  'src/docs':
    'writes the generated regions of the documentation and of the manifest, and tells the Slack CLI the manifest',
  'src/ground': 'what every part may use: clock, calendar and zones, log, failures, meters',
  'src/http': 'the parts of the HTTP server that know nothing of Slack: bodies, health, HTML',
  'src/operations': 'what can be asked of the service: the catalogue, as pure data',
  'src/operations/plans': 'what is asked for in several steps',
  'src/operations/prefill': 'what a form is filled in with beforehand, out of facts: a pure function',
  'src/operations/requests': 'requests that wait for approval beside jobs: leases, schedules, consents of workflows',
  'src/api': 'how the service is asked',
  'src/api/answers': 'an answer becomes data or a failure',
  'src/api/connection': 'requests to the service, and limits on them',
  'src/api/longLists': 'long lists are read in a thread of their own, and handed over packed',
  'src/api/reading': 'what is assumed about records: names, states, times, reports, references',
  'src/api/secrets': 'secrets are left out of what the service says',
  'src/records': 'records as one person sees them: lists, single records, names, remembered or fresh',
  'src/store': 'what survives a restart: schema, migrations, sealing',
  'src/store/drivers': 'SQLite and PostgreSQL',
  'src/store/history': 'what a process wrote in the last minutes, and puts back into a store that went back',
  'src/store/jobs': 'jobs: their states, the row read and written, the queues, the claims',
  'src/store/tables': 'the queries of the other tables, one file a table',
  'src/store/things': 'durable things with a state: their kinds, the one writer, what the end of a job means for them',
  'src/jobs': 'when things happen: a job from the form to its end',
  'src/jobs/account': 'the service account: the news of its sign-in, and the jobs that wait for it',
  'src/jobs/approval': 'policy, approvers, and the facts that are approved',
  'src/jobs/evidence': 'what the records prove about a job',
  'src/jobs/mapping': 'how records are read, in sentences, and a first mapping for an operator',
  'src/jobs/machine': 'the state machine of a job: a table, its effects, a diagram',
  'src/jobs/timing': 'how long jobs took, for those who may know of them',
  'src/jobs/memory': 'what is known of the past of a record: who made, held, asked for and decided what',
  'src/jobs/plans': 'plans: jobs with steps, each of which becomes a job at its turn',
  'src/slack': 'who sees what in Slack',
  'src/slack/approvals': 'clicks on approval buttons, and what waits for whom',
  'src/slack/audit': 'the audit trail as a page and as an export',
  'src/slack/blocks': 'Block Kit: building blocks, limits, text that was typed by others',
  'src/slack/commands': 'the slash commands and their answers',
  'src/slack/connection': 'Bolt, the Web API client, and the workspace’s people',
  'src/slack/desk': 'what every listener works with: who asks, whether they may, how they are answered',
  'src/slack/forms': 'forms: fields, pickers, checks, submission',
  'src/slack/home': 'the Home tab',
  'src/slack/installation': 'installing and uninstalling the app in several workspaces',
  'src/slack/messages': 'job messages, approval cards and notices: their words and buttons',
  'src/slack/outbox': 'what must be told, brought to Slack: once, in its pace, by another way where one is closed',
  'src/slack/past': 'what became of a record, for those who may know of it',
  'src/slack/presets': 'presets: saving, listing, sharing, deleting',
  'src/slack/records': 'records as Slack shows them',
  'src/slack/shortcuts': 'the shortcuts, and what a message names: looked up for the person who asks',
  'src/slack/signIn': 'sign-in by a page or a form',
  'src/slack/talk': 'mentions and direct messages, as commands',
  'src/slack/stats': 'how long jobs take, by operation, environment and week',
  'src/slack/inbox': 'a command or a click: floods, keeping, doing it once',
  'src/slack/words': 'the words of a command: reading, writing, what else they may mean',
  'src/features': 'what Dolly does beside single requests: a folder a feature, from its definition to its words',
  'src/features/alerts': 'what changed for the worse between two looks, and which channels hear of it',
  'src/features/batches': 'several records at once: which ones, and the page that shows them',
  'src/features/brake': 'the emergency brake: nothing is written by itself while it is on',
  'src/features/contact': 'whether Slack can be reached, watched while something is promised to people there',
  'src/features/leases': 'how long clones are kept: the rules, the warnings, the end',
  'src/features/notify': 'how each person wants to be notified: by a mention, or by a direct message',
  'src/features/objections':
    'why an end was told, what people say of one that is not so, and the file that tells its makers',
  'src/features/protection': 'how well everything is protected, against what the policy wants: status, reports, charts',
  'src/features/schedules': 'work by the calendar: when it runs, who it runs as, what follows on failures',
  'src/features/secondLooks': 'looks at ends once more, and takes back what was told too early',
  'src/features/workflows': 'steps of Slack’s Workflow Builder, and people’s consent to them',
  'src/sandbox': 'what npm start runs without a bot token',
  'src/sandbox/playground': 'a local Slack with a web page',
  'src/sandbox/service': 'the service, written from its specification',
};

/** The rooms as an indented tree, one line each. */
export function tree(): string {
  const lines = Object.entries(rooms).map(([path, purpose]) => {
    const parts = path.split('/');
    const isFile = path.endsWith('.ts');
    const name = `${'  '.repeat(parts.length - 1)}${parts.at(-1)}${isFile ? '' : '/'}`;
    return `${name.padEnd(20)}${purpose}`;
  });
  return ['```text', 'src/', ...lines, '```'].join('\n');
}
