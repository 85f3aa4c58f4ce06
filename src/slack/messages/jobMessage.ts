import type { Button, SectionBlock } from '@slack/types';
import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import { typedIdentifier, vendorNames } from '../../api/identifiers.ts';
import { mask } from '../../api/secrets/passwords.ts';
import { approvalsIn } from '../../jobs/approval/decisions.ts';
import { operationOf } from '../../jobs/request.ts';
import type { Evidence } from '../../store/jobs/data.ts';
import type { Job } from '../../store/jobs/job.ts';
import type { Listed } from '../../store/jobs/reading.ts';
import { type Content, context, message, mrkdwn, said, section } from '../blocks/blocks.ts';
import { bold, code, cut, limits, moment, plain } from '../blocks/limits.ts';
import { approvalBlocks, approvalButtons, type CardPart, seenRequest } from './approvalCard.ts';
import { decisionLines } from './decisionLines.ts';
import { approvalActions, jobActions } from './jobActions.ts';
import { requestLine } from './requestLine.ts';
import { unreadableLine } from './unreadable.ts';

/** The sign and the word for each state of a job. */
const stateShown = {
  new: [':hourglass_flowing_sand:', 'Not sent yet'],
  awaiting: [':lock:', 'Waits for approval'],
  approved: [':hourglass_flowing_sand:', 'Approved, not sent yet'],
  denied: [':no_entry:', 'Denied'],
  void: [':warning:', 'Approval void'],
  sending: [':outbox_tray:', 'Sending'],
  running: [':hourglass_flowing_sand:', 'Running'],
  succeeded: [':white_check_mark:', 'Confirmed'],
  finished: [':checkered_flag:', 'Finished, result not shown'],
  failed: [':x:', 'Failed'],
  unconfirmed: [':grey_question:', 'Unconfirmed'],
  withdrawn: [':leftwards_arrow_with_hook:', 'Withdrawn'],
  expired: [':leftwards_arrow_with_hook:', 'Expired'],
} as const satisfies Record<Job['state'], readonly [string, string]>;

/**
 * The job's message: a pure function of the job, the same for all readers. The part `approval` is the one in the
 * channel for approvals. `hasGlass` tells whether the policy lets anybody run without approval. `asker` names the
 * requester in mrkdwn without a mention: the card must not notify the person who asked for it.
 */
export function jobCard(job: Job, part: CardPart = 'card', hasGlass = false, asker = code(job.person)): Content {
  const title = operationOf(job).title(job.values);
  const target = nameOf(job);
  const [sign, word] = stateShown[job.state];
  const { evidence } = job;
  const vendor = typedIdentifier(job.target)?.vendor;
  const request = requestLine(job);
  const buttons = jobButtons(job, part, hasGlass);
  const heading = `${sign} *${title} of ${plain(target, 100)}*${vendor ? ` (${vendorNames[vendor]})` : ''} · ${word}`;
  return message(
    [
      section(heading),
      section(`${plain(sentenceOf(job), 1500)}${evidence ? connection(job, evidence) : ''}`),
      ...(evidence ? [facts(job, evidence)] : []),
      ...(request ? [context(cut(request, 1900))] : []),
      ...approvalBlocks(job, part, asker),
      context(
        [
          `Asked by ${asker} ${moment(job.createdAt)}`,
          job.sentAt !== null && !job.inDoubt ? `sent ${moment(job.sentAt, '{time_secs}')}` : undefined,
          job.endedAt === null ? undefined : `ended ${moment(job.endedAt, '{time_secs}')}`,
        ]
          .filter(Boolean)
          .join('  ·  '),
      ),
      ...(buttons.length > 0 ? [{ type: 'actions' as const, block_id: 'job', elements: [...buttons] }] : []),
    ],
    'all',
  );
}

/** The reply in the thread when a job ends. It mentions the person, since edits notify nobody. */
export function jobReply(job: Job): Content {
  const [sign, word] = stateShown[job.state];
  const title = `${operationOf(job).title(job.values)} of ${plain(nameOf(job), 100)}`;
  const { evidence } = job;
  const took =
    job.endedAt !== null && job.sentAt !== null ? ` after ${formatDistanceStrict(job.endedAt, job.sentAt)}` : '';
  // The person who withdrew it needs no mention.
  const whom = job.state === 'withdrawn' ? '' : `<@${job.person}> `;
  const text = `${sign} ${whom}*${title}*: ${word.toLowerCase()}${took}. ${plain(sentenceOf(job), 1000)}${['', ...decisionLines(job)].join('\n')}`;
  return message([section(evidence ? `${text}${connection(job, evidence)}` : text)]);
}

const connecting = /connect|jdbc|dsn/i;

/** The connection details of a new record, if it shows any. */
function connection(job: Job, { id, extras }: Evidence): string {
  const found = id === job.target ? undefined : extras.find(({ path }) => connecting.test(path));
  if (!found) return '';
  const hint = found.value.includes(mask)
    ? ' People who may read the record see its password with `show`, visible to them alone.'
    : '';
  return `\n${code(found.value)}${hint}`;
}

/** Says why an unsent job has to wait for another try. */
function putOff({ reason }: Job): string {
  const why = (reason ?? 'The service asks to wait.').replace(/ Nothing was sent\./, '');
  return `${why} Nothing was sent yet; I try again by myself.`;
}

/** The job's situation in a sentence or two: plain text. */
export function sentenceOf(job: Job): string {
  const seen = job.evidence;
  const reason = job.reason ?? '';
  switch (job.state) {
    case 'new':
      if (job.hold === 'sign-in')
        return 'Your sign-in is missing or no longer valid. Nothing was sent; it goes on as soon as you sign in.';
      if (job.hold === 'busy') return putOff(job);
      return 'I look at the records first, then I send it.';
    case 'awaiting':
      return `${warningOf(job)}It waits for approval by ${waitsFor(job)}. Nothing is sent before that.`;
    case 'approved':
      if (job.hold === 'sign-in')
        return 'Your sign-in is missing or no longer valid. Nothing was sent; it goes on as soon as you sign in.';
      if (job.hold === 'busy') return putOff(job);
      return 'I look at the records once more, then I send it.';
    case 'sending':
      return 'I am sending it to the service.';
    case 'running':
      if (job.hold === 'sign-in')
        return 'I cannot look at the records any more: please sign in again, and I go on looking.';
      if (job.inDoubt)
        return `${reason} It may have been accepted or not. I am looking at the records, and send nothing twice.`;
      if (reason) return reason;
      return seen ? underWay(job, seen) : accepted;
    case 'succeeded':
    case 'finished':
      return reason;
    case 'failed':
      // A conclusion of Dolly's is not quoted as the service's word.
      return seen && seen.error === reason ? `The service reports for ${seen.name ?? seen.id}: ${reason}` : reason;
    case 'unconfirmed':
      if (job.inDoubt)
        return `${reason} I found nothing in the records that shows it. It may never have begun; look there before you ask again.`;
      return `${reason || 'The service accepted it, but its records have not shown it in the time I looked.'} I cannot say whether it is done.`;
    case 'denied':
    case 'void':
    case 'withdrawn':
    case 'expired':
      return reason;
  }
}

const accepted =
  'The service accepted it, which does not mean that it is done. I look at the records until they show it.';

/** The records' evidence of a job that is not yet proved. That a record exists is news only of a new record. */
function underWay(job: Job, seen: Evidence): string {
  const isNew = seen.id !== job.target && operationOf(job).proof.type === 'appears';
  if (isNew) return `Its record is there; its state is ${seen.state ?? 'not shown'}. I tell you when it is done.`;
  if (seen.gone) return 'The records do not show it any more. I look once more before I say that it is gone.';
  if (seen.stateClass === 'busy') return `Its record says ${seen.state}. I tell you when it is done.`;
  return accepted;
}

function warningOf(job: Job): string {
  const warning = operationOf(job).warning?.(cut(nameOf(job), 100), job.values);
  return warning === undefined ? '' : `${warning} `;
}

function waitsFor(job: Job): string {
  const needed = job.approval?.terms.approvals ?? 1;
  const given = approvalsIn(job).length;
  return needed === 1 ? 'another person' : `${needed} other people${given > 0 ? `, and has ${given}` : ''}`;
}

/** The facts of the record, one by one. */
function facts(job: Job, seen: Evidence): SectionBlock {
  // A known record shows only facts that the job is about.
  const isNew = seen.id !== job.target;
  // A record may show only the identifier of a thing that was chosen by name.
  const labels: Readonly<Record<string, string>> = { ...job.labels, [job.target]: nameOf(job) };
  const named = (text: string | undefined) => (text === undefined ? '' : plain(labels[text] ?? text, 80));
  const rows: [string, string][] = [
    ['Record', code(seen.id)],
    ['State', seen.gone ? 'gone' : seen.state === undefined ? 'not shown' : plain(seen.state, 60)],
    ['Environment', named(seen.environment)],
    ['Source', named(seen.source)],
    ['Port', isNew ? (seen.port?.toString() ?? '') : ''],
    ['Seen', moment(seen.seenAt, '{time_secs}')],
    ...seen.extras
      .filter(({ path }) => (isNew ? !connecting.test(path) : /simulated/i.test(path)))
      .map(({ path, value }): [string, string] => [plain(path, 40), plain(value, 150)]),
  ];
  const told = rows.filter(([, value]) => value !== '').slice(0, limits.fields);
  return { type: 'section', fields: told.map(([label, value]) => mrkdwn(`*${label}*\n${value}`)) };
}

/** The buttons of a job for the people who see this part of its messages. */
export function jobButtons(job: Job, part: CardPart, hasGlass: boolean): readonly Button[] {
  const look = jobActions.look.button('Look again', job.id);
  const again = jobActions.again.button('Change and ask again', job.id);
  const anew = !job.approval ? [] : [approvalActions.anew.button('Ask anew', seenRequest(job), { style: 'primary' })];
  const signIn = job.hold === 'sign-in' ? [jobActions.signIn.button('Sign in', job.id, { style: 'primary' })] : [];
  const buttons: Record<Job['state'], readonly Button[]> = {
    new: [...signIn, ...(job.hold ? [jobActions.withdraw.button('Withdraw', job.id)] : [])],
    awaiting: approvalButtons(job, part, hasGlass),
    approved: [...signIn, jobActions.withdraw.button('Withdraw', job.id)],
    denied: [again],
    void: [...anew, again],
    sending: [],
    running: job.hold === 'sign-in' ? signIn : [look, jobActions.stop.button('Stop looking', job.id)],
    succeeded: [],
    failed: [again],
    finished: [look, again],
    unconfirmed: [look, again],
    withdrawn: [again],
    expired: [...anew, again],
  };
  return buttons[job.state];
}

/** A person's recent jobs. */
export function jobList(jobs: readonly Listed[]): Content {
  if (jobs.length === 0) return said('You have no jobs yet.');
  return message([section('*Your latest jobs*'), section(cut(jobs.map(jobLine).join('\n'), limits.sectionText))]);
}

/** A job in one line: its operation, its state, and the place of its message. */
export function jobLine(job: Listed): string {
  if (job.state === 'unreadable') return unreadableLine(job);
  const [sign, word] = stateShown[job.state];
  // Slack has no name to show for a direct message.
  const where = job.place === null ? '' : job.place.startsWith('D') ? ' · in Messages' : ` · <#${job.place}>`;
  return `${sign} ${operationOf(job).title(job.values)} of ${bold(nameOf(job), 80)} · ${word} · ${moment(job.createdAt)}${where}`;
}

function nameOf(job: Job): string {
  return job.targetName ?? job.target;
}
