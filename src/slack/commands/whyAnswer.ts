import type { Button } from '@slack/types';
import { type Conclusion, concluded, type Finding, gates } from '../../jobs/approval/findings.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { Job } from '../../store/tables/job.ts';
import { type Content, context, message, section } from '../blocks/blocks.ts';
import { code, moment, plain } from '../blocks/limits.ts';
import { mentionDeciders } from '../messages/deciders.ts';

const signs = {
  passed: ':white_check_mark:',
  failed: ':x:',
  hidden: ':grey_question:',
  waits: ':raised_hand:',
} as const satisfies Record<Finding['result'], string>;

/**
 * The answer to `why`: what would come of the command, a line for each gate, and what may be done. `notes` are mrkdwn.
 */
export function answerTo(
  line: string,
  findings: readonly Finding[],
  { notes = [], actions = [] }: { notes?: readonly string[]; actions?: readonly Button[] } = {},
): Content {
  const conclusion = concluded(findings);
  const text = conclusionLine(conclusion);
  const footer = conclusion.type === 'refused' ? 'Nothing was sent.' : `Nothing was sent. ${maybe}`;
  return message([
    section(`${code(line, 300)}\n${text}`),
    section(findings.map(gateLine).join('\n')),
    ...(notes.length > 0 ? [section(notes.join('\n'))] : []),
    context(`${legend(findings)}${footer}`),
    ...(actions.length > 0 ? [{ type: 'actions' as const, elements: [...actions] }] : []),
  ]);
}

const maybe = 'The service may still refuse it: it does not say beforehand what it allows to whom.';

function legend(findings: readonly Finding[]): string {
  return findings.some(({ result }) => result === 'hidden') ? `${signs.hidden} is what I could not see.  ` : '';
}

function conclusionLine({ type, why, rules, perhaps }: Conclusion): string {
  const stop = why === undefined ? '' : plain(why.sentence, 500);
  const obstacle = rules[0] ? ` The service would most likely refuse it: ${plain(rules[0].sentence, 500)}` : '';
  const doubt = !obstacle && perhaps[0] ? ' The service may not take it now, since something is under way on it.' : '';
  switch (type) {
    case 'refused':
      return `*It would be refused.* ${stop}`;
    case 'unknown':
      return `*I cannot tell at the moment.* ${stop}`;
    case 'asks':
      return `*A form would ask for the target first.*${why ? ` Then it would wait for approval ${approval(why)}.` : ''}`;
    case 'waits':
      return `*It would wait for approval* ${why ? approval(why) : ''}.${obstacle}${doubt}`;
    case 'sent':
      return `*It would be sent.*${obstacle}${doubt}`;
  }
}

/** By whom, and until when if it were asked now. */
function approval({ terms }: Finding): string {
  return terms ? `by ${mentionDeciders(terms.approvers)}, until ${moment(terms.until)}` : '';
}

function gateLine(finding: Finding): string {
  const { gate, result, sentence, terms, jobs } = finding;
  const { label, stops } = gates[gate];
  const sign = result === 'failed' && stops === 'perhaps' ? ':warning:' : signs[result];
  const who = terms
    ? ` By ${mentionDeciders(terms.approvers)}, until ${moment(terms.until)} if it were asked now.`
    : '';
  const glass = terms?.mayBreakGlass ? ' You may run it without in an emergency.' : '';
  const others = (jobs ?? []).slice(0, 5).map(jobLine).join('');
  return `${sign}  *${label}*  ${plain(sentence, 600)}${who}${glass}${others}`;
}

const stateSaid: Partial<Record<Job['state'], string>> = {
  new: 'not sent yet',
  awaiting: 'waits for approval',
  approved: 'approved',
  sending: 'being sent',
  running: 'running',
};

function jobLine({ operation, person, state, createdAt }: Job): string {
  const words = writeOperation(operation)?.words.join(' ') ?? operation;
  return `\n        • ${code(words)} by <@${person}>, ${stateSaid[state] ?? state}, asked ${moment(createdAt)}`;
}
