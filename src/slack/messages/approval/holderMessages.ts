import { inRow } from '../../../ground/wording.ts';
import type { HeldClone } from '../../../jobs/approval/people/holder.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { type Content, said } from '../../blocks/message.ts';
import { momentAfter } from '../../blocks/moments.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import { approvalActions } from '../jobActions.ts';
import { describeJob, quoteOf, shownOf } from '../jobWords.ts';

/* What whoever holds a clone hears of its deletion: in a direct message, which needs no mention. */

/** Max clones that one message names. */
const maxNamed = 6;

/** Tells somebody that the deletion of what they hold waits for approval. */
export function holderMessage(job: Job, own: readonly HeldClone[], asker: string): Content {
  const { phrase } = describeJob(job, asker);
  const until = job.approval ? ` ${momentAfter('until', job.approval.expiresAt)}` : '';
  const text = [
    `:wave: ${asker} asks to *${phrase('asks')}*. You hold ${namesOf(own)}.`,
    quoteOf(job.purpose ?? ''),
    `It waits for its approvers${until}. If you object, I tell them; your objection alone does not stop it.`,
  ].join('\n');
  const seen = { j: job.id, d: job.approval?.digest ?? null };
  return said(text, [approvalActions.object.button('Object', seen)]);
}

/** Tells somebody how the deletion of what they hold, or held, came out. */
export function holderEnding(job: Job, own: readonly HeldClone[], asker: string): Content {
  const { sign, title, word, decisions } = describeJob(job, asker);
  const gone = own.filter(({ done }) => done?.state === 'succeeded');
  const left = own.filter(one => !gone.includes(one));
  const states = new Set(left.map(({ done }) => (done ? shownOf(done)[1].toLowerCase() : 'not begun')));
  const text = [
    `${sign} *${title}* · ${word.toLowerCase()}. ${asker} asked for it.`,
    gone.length > 0 ? `${namesOf(gone)}, which you held, ${gone.length === 1 ? 'is' : 'are'} deleted.` : '',
    left.length > 0 ? `Deletion of ${namesOf(left)}, which you hold: ${[...states].join(', ')}.` : '',
    ...decisions,
  ];
  return said(text.filter(Boolean).join('\n'));
}

function namesOf(own: readonly HeldClone[]): string {
  return own.length === 0
    ? 'some of it'
    : inRow(
        own.map(({ name }) => `*${plain(name, 80)}*`),
        maxNamed,
      );
}
