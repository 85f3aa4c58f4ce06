import type { ActionsBlock, Button, ContextBlock, KnownBlock } from '@slack/types';
import { formatDistanceStrict } from 'date-fns';
import { typedIdentifier, vendorNames } from '../api/identifiers.ts';
import type { RecordView } from '../api/records.ts';
import type { CommandNames } from '../config.ts';
import { type Evidence, evidenceIn } from '../jobs/evidence.ts';
import { asked } from '../jobs/parts.ts';
import { catalogue } from '../operations/catalogue.ts';
import { type FieldValue, fieldsFor, type Operation, targetNouns } from '../operations/operation.ts';
import type { Job } from '../store/jobs.ts';
import { bold, code, cut, limits, moment, plain } from './limits.ts';

/** A message: blocks for the eye, text for notifications and screen readers. */
export type Content = { text: string; blocks: KnownBlock[] };

/** How a state of a job is shown: a sign and a word. */
const stateShown = {
  new: [':hourglass_flowing_sand:', 'Not sent yet'],
  sending: [':outbox_tray:', 'Sending'],
  running: [':hourglass_flowing_sand:', 'Running'],
  succeeded: [':white_check_mark:', 'Confirmed'],
  failed: [':x:', 'Failed'],
  unconfirmed: [':grey_question:', 'Unconfirmed'],
  withdrawn: [':leftwards_arrow_with_hook:', 'Withdrawn'],
  expired: [':leftwards_arrow_with_hook:', 'Expired'],
} as const satisfies Record<Job['state'], readonly [string, string]>;

/** The job's message in the channel: a function of the job alone, the same for all readers. */
export function jobCard(job: Job): Content {
  const { operation, values } = asked(job);
  const title = operation.title(values);
  const target = nameOf(job);
  const [sign, word] = stateShown[job.state];
  const evidence = evidenceIn(job);
  const vendor = typedIdentifier(job.target)?.vendor;
  const told = fieldsFor(operation, vendor)
    .filter(field => field.name !== operation.target && field.name !== 'cloneType')
    .flatMap(field => {
      const value = values[field.name];
      return value === undefined ? [] : [`${field.label}: ${code(shown(value), 100)}`];
    });
  const heading = `${sign} *${title} of ${plain(target, 100)}*${vendor ? ` (${vendorNames[vendor]})` : ''} · ${word}`;
  return {
    text: cut(
      `${title} of ${plain(target, 100)}: ${word.toLowerCase()}. ${plain(sentenceOf(job), 1000)}`,
      limits.messageText,
    ),
    blocks: [
      section(heading),
      section(plain(sentenceOf(job), 1500) + (evidence ? `\n${facts(evidence)}` : '')),
      ...(told.length > 0 ? [context(cut(told.join('  ·  '), 1900))] : []),
      context(
        [
          `Asked by <@${job.person}> ${moment(job.createdAt)}`,
          job.sentAt !== null && job.inDoubt === 0 && job.state !== 'new'
            ? `sent ${moment(job.sentAt, '{time_secs}')}`
            : undefined,
          job.endedAt === null ? undefined : `ended ${moment(job.endedAt, '{time_secs}')}`,
        ]
          .filter(Boolean)
          .join('  ·  '),
      ),
      ...buttons(job),
    ],
  };
}

/** The reply in the thread when a job ends. It mentions the person, since edits notify nobody. */
export function jobReply(job: Job): Content {
  const { operation, values } = asked(job);
  const [sign, word] = stateShown[job.state];
  const title = `${operation.title(values)} of ${plain(nameOf(job), 100)}`;
  const evidence = evidenceIn(job);
  const took =
    job.endedAt !== null && job.sentAt !== null ? ` after ${formatDistanceStrict(job.endedAt, job.sentAt)}` : '';
  const text = `${sign} <@${job.person}> *${title}*: ${word.toLowerCase()}${took}. ${plain(sentenceOf(job), 1000)}`;
  return {
    text: cut(text, limits.messageText),
    blocks: [section(cut(evidence ? `${text}\n${facts(evidence)}` : text, limits.sectionText))],
  };
}

/** What is true of the job, in a sentence or two. */
function sentenceOf(job: Job): string {
  const seen = evidenceIn(job);
  const reason = job.reason ?? '';
  switch (job.state) {
    case 'new':
      if (job.hold === 'sign-in')
        return 'Your sign-in is missing or no longer valid. Nothing was sent; it goes on as soon as you sign in.';
      if (job.hold === 'busy') return 'The service asks to wait. Nothing was sent yet; I try again by myself.';
      return 'I look at the records first, then I send it.';
    case 'sending':
      return 'I am sending it to the service.';
    case 'running':
      if (job.hold === 'sign-in')
        return 'I cannot look at the records any more: please sign in again, and I go on looking.';
      if (job.inDoubt)
        return `${reason} It may have been accepted or not. I am looking at the records, and send nothing twice.`;
      if (reason) return reason;
      if (seen) return `The record is there; its state is ${seen.state}. I tell you when it is ready.`;
      return 'The service accepted it, which does not mean that it is done. I look at the records until it is there.';
    case 'succeeded':
      return `${seen?.name ?? seen?.id ?? 'The record'} is there${seen?.state ? `; its state is ${seen.state}` : '; its record shows no state'}.`;
    case 'failed':
      return seen ? `The service reports for ${seen.name ?? seen.id}: ${reason}` : reason;
    case 'unconfirmed':
      if (job.inDoubt)
        return `${reason} I found nothing in the records that shows it. It may never have begun; look there before you ask again.`;
      return `${reason || 'The service accepted it, but no new record that fits has appeared in the time I looked.'} I cannot say whether it is done.`;
    case 'withdrawn':
    case 'expired':
      return reason;
  }
}

function facts(seen: Evidence): string {
  const rows = [
    ['Record', seen.id],
    ['Environment', seen.environment],
    ['Port', seen.port],
    ['Source', seen.source],
    ...seen.extras.map(({ path, value }) => [path, value] as const),
  ] as const;
  const told = rows.flatMap(([label, value]) =>
    value === undefined ? [] : [`${plain(label, 40)}: ${code(String(value), 150)}`],
  );
  return `${told.join('  ·  ')}  ·  seen ${moment(seen.seenAt, '{time_secs}')}`;
}

function buttons(job: Job): ActionsBlock[] {
  const look = button('job.look', 'Look again', job.id);
  const again = button('job.again', 'Change and ask again', job.id);
  const elements: Record<Job['state'], Button[]> = {
    new: [
      ...(job.hold === 'sign-in' ? [button('job.signin', 'Sign in', job.id, 'primary')] : []),
      ...(job.hold ? [button('job.withdraw', 'Withdraw', job.id)] : []),
    ],
    sending: [],
    running:
      job.hold === 'sign-in'
        ? [button('job.signin', 'Sign in', job.id, 'primary')]
        : [look, button('job.stop', 'Stop looking', job.id)],
    succeeded: [],
    failed: [again],
    unconfirmed: [look, again],
    withdrawn: [again],
    expired: [again],
  };
  return elements[job.state].length > 0 ? [{ type: 'actions', block_id: 'job', elements: elements[job.state] }] : [];
}

/** A page of records, for the one person who asked. `page` counts from 0; the query stands in the buttons. */
export function recordList(
  found: readonly RecordView[],
  asked: { words: readonly string[]; page: number; query: string; cut: boolean; operation: string },
): Content {
  const pages = Math.max(1, Math.ceil(found.length / pageSize));
  const page = Math.min(Math.max(asked.page, 0), pages - 1);
  const rows = found.slice(page * pageSize, (page + 1) * pageSize);
  const matching = asked.words.length > 0 ? ` that match ${plain(asked.words.join(' '), 100)}` : '';
  const heading = `${found.length === 0 ? 'No databases' : `*${found.length} ${found.length === 1 ? 'database' : 'databases'}*`}${matching}${pages > 1 ? ` · page ${page + 1} of ${pages}` : ''}`;
  const turn = (to: number, label: string): Button[] =>
    to >= 0 && to < pages
      ? [
          button(
            `list.page:${label.toLowerCase()}`,
            label,
            JSON.stringify({ o: asked.operation, q: cut(asked.query, 1500), p: to }),
          ),
        ]
      : [];
  const turns = [...turn(page - 1, 'Previous'), ...turn(page + 1, 'Next')];
  return {
    text: heading,
    blocks: [
      section(heading),
      ...(asked.cut
        ? [context(':warning: The service says that there are more than it answered; this list is incomplete.')]
        : []),
      ...rows.map(row),
      ...(turns.length > 0 ? [{ type: 'actions' as const, elements: turns }] : []),
    ],
  };
}

const pageSize = 10;

function row(record: RecordView): KnownBlock {
  const line = [
    record.vendor && vendorNames[record.vendor],
    stateOf(record),
    record.environment && plain(record.environment.label ?? record.environment.id.text, 80),
  ];
  const block = section(
    `${bold(record.name ?? record.id.text, 120)}  ${code(record.id.text)}\n${line.filter(Boolean).join('  ·  ')}`,
  );
  const [first] = actionsFor(record);
  return first ? { ...block, accessory: first } : block;
}

/** One record with what Dolly understood of it, and what can be done with it. */
export function recordDetails(record: RecordView): Content {
  const title = record.name ?? record.id.text;
  const rows: [string, string | undefined][] = [
    ['Identifier', code(record.id.text)],
    ['Vendor', record.vendor && vendorNames[record.vendor]],
    ['State', stateOf(record)],
    ['Environment', record.environment && plain(record.environment.label ?? record.environment.id.text)],
    ['Source', record.source && plain(record.source.label ?? record.source.id.text)],
    ['Port', record.port?.toString()],
    ['Created', record.createdAt === undefined ? undefined : moment(record.createdAt)],
    ['Error', record.error && plain(record.error, 500)],
  ];
  const snapshots = record.mentions
    .filter(mention => mention.id.noun === 'snapshot')
    .sort((a, b) => (b.time ?? 0) - (a.time ?? 0))
    .map(
      ({ id, label, time }) =>
        `• ${label ? `${plain(label, 80)} ` : ''}${code(id.text)}${time === undefined ? '' : `  ${moment(time)}`}`,
    );
  const told = new Set(['id', 'name', 'state', 'vendor', 'port', 'error']);
  const others = record.values
    .filter(({ path }) => !told.has(path))
    .slice(0, 12)
    .map(({ path, value }) => `${plain(path, 40)}: ${code(value, 100)}`);
  const actions = actionsFor(record);
  return {
    text: `${plain(title)}: ${stateOf(record) ?? 'no state shown'}`,
    blocks: [
      section(bold(title)),
      {
        type: 'section',
        fields: rows
          .flatMap(([label, value]) => (value ? [{ type: 'mrkdwn' as const, text: `*${label}*\n${value}` }] : []))
          .slice(0, 10),
      },
      ...(snapshots.length > 0
        ? [
            section(
              `*Snapshots* (${snapshots.length})\n${cut(snapshots.slice(0, 15).join('\n'), 2000)}${snapshots.length > 15 ? `\n… and ${snapshots.length - 15} older` : ''}`,
            ),
          ]
        : []),
      ...(others.length > 0 ? [context(cut(others.join('  ·  '), 1900))] : []),
      ...(actions.length > 0 ? [{ type: 'actions' as const, elements: actions }] : []),
    ],
  };
}

/** Buttons for the write operations whose target this record can be. */
function actionsFor(record: RecordView): Button[] {
  return catalogue.flatMap(operation =>
    operation.type === 'write' && record.id.noun && targetNouns(operation).includes(record.id.noun)
      ? [button(`operation:${operation.name}`, `${capital(operation.words.join(' '))}…`, record.id.text)]
      : [],
  );
}

function stateOf(record: RecordView): string | undefined {
  if (!record.state) return undefined;
  const signs = {
    ok: ':large_green_circle:',
    busy: ':hourglass_flowing_sand:',
    failed: ':red_circle:',
    stopped: ':white_circle:',
    disabled: ':no_entry_sign:',
    unknown: '',
  };
  return `${signs[record.state.class]} ${plain(record.state.word, 60)}`.trim();
}

/** A person's recent jobs. */
export function jobList(jobs: readonly Job[]): Content {
  if (jobs.length === 0) return said('You have no jobs yet.');
  const lines = jobs.map(job => {
    const { operation, values } = asked(job);
    const [sign, word] = stateShown[job.state];
    return `${sign} ${operation.title(values)} of ${bold(nameOf(job), 80)} · ${word} · ${moment(job.createdAt)}${job.place ? ` · <#${job.place}>` : ''}`;
  });
  return {
    text: `Your ${jobs.length} latest jobs`,
    blocks: [section('*Your latest jobs*'), section(cut(lines.join('\n'), limits.sectionText))],
  };
}

/** Every command, or those that have the words in them, out of the catalogue. */
export function help(names: CommandNames, words: readonly string[]): Content {
  const lines = [
    ...catalogue.map(operation => usageLine(names, operation)),
    ...ownCommands.map(({ usage, summary }) => ({ usage: `${names.db} ${usage}`, summary })),
  ]
    .filter(({ usage, summary }) =>
      words.every(word => `${usage} ${summary}`.toLowerCase().includes(word.toLowerCase())),
    )
    .map(({ usage, summary }) => `${code(usage)}  ${plain(summary)}`);
  const heading =
    lines.length > 0
      ? '*What you can ask*'
      : `Nothing in the help has ${plain(words.join(' '), 100)} in it. ${code(`${names.db} help`)} shows all.`;
  const footer = 'A database is named by its name or identifier. `field=value` words fill a form: `port=3310`.';
  return {
    text: 'What you can ask',
    blocks: [
      section(heading),
      ...(lines.length > 0 ? [section(cut(lines.join('\n'), limits.sectionText)), context(footer)] : []),
    ],
  };
}

/** The commands that are about Dolly itself rather than an operation of the service. */
export const ownCommands = [
  { word: 'login', usage: 'login', summary: 'Sign in to the service' },
  { word: 'logout', usage: 'logout', summary: 'Forget your sign-in' },
  { word: 'whoami', usage: 'whoami', summary: 'Show whether and as whom you are signed in' },
  { word: 'jobs', usage: 'jobs', summary: 'Show your latest jobs' },
  { word: 'help', usage: 'help [words]', summary: 'Show what you can ask' },
] as const;

/** How an operation is asked for. */
export function usageLine(names: CommandNames, operation: Operation): { usage: string; summary: string } {
  const words = operation.words.join(' ');
  const command = words === 'clone' ? names.clone : words === 'restore' ? names.restore : `${names.db} ${words}`;
  const rest =
    operation.type === 'write' ? '[source] [field=value …]' : operation.one ? '<name or identifier>' : '[words]';
  return { usage: `${command} ${rest}`, summary: operation.summary };
}

/** A plain sentence as a message. The text is mrkdwn. */
export function said(text: string, actions: readonly Button[] = []): Content {
  return {
    text: cut(text, limits.messageText),
    blocks: [
      section(cut(text, limits.sectionText)),
      ...(actions.length > 0 ? [{ type: 'actions' as const, elements: [...actions] }] : []),
    ],
  };
}

export function button(action: string, label: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    action_id: action,
    text: { type: 'plain_text', text: cut(label, limits.buttonText) },
    value: cut(value, 2000),
    ...(style ? { style } : {}),
  };
}

function section(text: string) {
  return { type: 'section' as const, text: { type: 'mrkdwn' as const, text: cut(text, limits.sectionText) } };
}

function context(text: string): ContextBlock {
  return { type: 'context', elements: [{ type: 'mrkdwn', text }] };
}

function nameOf(job: Job): string {
  return job.targetName ?? job.target;
}

function shown(value: FieldValue): string {
  if (typeof value !== 'object') return String(value);
  return value.map(param => `${param.name}=${param.value}`).join(', ');
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
