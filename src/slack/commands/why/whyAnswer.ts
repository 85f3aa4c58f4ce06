import type { Button } from '@slack/types';
import { counted } from '../../../ground/wording.ts';
import { type Finding, gates, inOrder, type Outlook, outlookOf } from '../../../jobs/approval/facts/findings.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import type { Listed } from '../../../store/jobs/reading.ts';
import { actionsRow, context, foldBlock, section, sectionsOf } from '../../blocks/blocks.ts';
import { cut, limits } from '../../blocks/limits.ts';
import { mentionDeciders, mentionOf } from '../../blocks/mentionPeople.ts';
import { type Content, message } from '../../blocks/message.ts';
import { moment, momentAfter } from '../../blocks/moments.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';

const signs = {
  passed: ':white_check_mark:',
  failed: ':x:',
  hidden: ':grey_question:',
  waits: ':raised_hand:',
} as const satisfies Record<Finding['result'], string>;

/** Max sections of notes: the tree of a teardown is one. */
const mostNotes = 20;

/**
 * Answers `why`: the outlook for the command, a line for each gate, and the next possible steps. `notes` are mrkdwn.
 */
export function whyAnswer(
  line: string,
  findings: readonly Finding[],
  { notes = [], actions = [] }: { notes?: readonly string[]; actions?: readonly Button[] } = {},
): Content {
  const ordered = inOrder(findings);
  const outlook = outlookOf(findings);
  const hasHidden = ordered.some(({ result }) => result === 'hidden');
  const footer = [
    ...(hasHidden ? [`${signs.hidden} marks what I could not see. `] : []),
    'Nothing was sent.',
    ...(outlook.type === 'refused'
      ? []
      : ['The service may still refuse it: it does not say beforehand what it allows.']),
  ];
  const head = section(`${code(line, 300)}\n${outlookLine(outlook)}`);
  const below = [...sectionsOf(notes).slice(0, mostNotes), context(footer.join(' ')), ...actionsRow(actions)];
  // The rule by which something passes is told like what is in its way.
  const isFolded = ({ gate, result }: Finding) => result === 'passed' && gate !== 'policy';
  const passed = ordered.filter(isFolded).map(gateLine);
  const others = ordered.filter(finding => !isFolded(finding)).map(gateLine);
  const seen = [
    head,
    ...sectionsOf(others),
    ...below,
    ...foldBlock(`${counted(passed.length, 'check')} passed`, passed),
  ];
  return message(seen, 'equal', [head, section(ordered.map(gateLine).join('\n')), ...below]);
}

/** Answers `why` about several records: those of the same outlook together. */
export function whySeveral(
  line: string,
  targets: readonly Readonly<{ name: string; findings: readonly Finding[] }>[],
  notes: readonly string[] = [],
) {
  const outlooks = Map.groupBy(targets, ({ findings }) => {
    const policy = findings.find(({ gate, result }) => gate === 'policy' && result === 'passed');
    return `${outlookLine(outlookOf(findings))} ${policy ? plain(policy.sentence, 300) : ''}`;
  });
  const said = [...outlooks].map(
    ([outlook, some]) => `${outlook}\n*${some.length}*: ${some.map(({ name }) => plain(name, 60)).join(', ')}`,
  );
  return message([
    section(`${code(line, 300)}\nI checked each one separately:`),
    ...sectionsOf([...said, ...notes].map(text => cut(text, limits.sectionText))).slice(0, mostNotes),
    context('Nothing was sent. The service may still refuse it: it does not say beforehand what it allows.'),
  ]);
}

function outlookLine({ type, decisive, likely, perhaps }: Outlook): string {
  const obstacle = likely[0] ? ` The service would most likely refuse it: ${plain(likely[0].sentence, 500)}` : '';
  const doubt =
    !obstacle && perhaps[0] ? ' The service may not take it now, because something is already running on it.' : '';
  const lines: Readonly<Record<Outlook['type'], string>> = {
    refused: `*It would be refused.* ${decisive ? refusal(decisive) : ''}`,
    unknown: `*I cannot tell at the moment.* ${decisive ? plain(decisive.sentence, 500) : ''}`,
    asks: `*A form would ask for the target first.*${decisive ? ` Then it would wait for approval ${approval(decisive)}.` : ''}`,
    waits: `*It would wait for approval* ${decisive ? approval(decisive) : ''}.${obstacle}${doubt}`,
    sent: `*It would be sent.*${obstacle}${doubt}`,
  };
  return lines[type];
}

/**
 * Says why Dolly would refuse the command: nobody is asked to approve something that the service would refuse anyway.
 */
function refusal({ gate, sentence }: Finding): string {
  const whose =
    gates[gate].of === 'service' ? 'The service would refuse it, so nobody would be asked to approve it: ' : '';
  return `${whose}${plain(sentence, 500)}`;
}

/** Says who would approve, and until when if the person gave the command now. */
function approval({ terms }: Finding): string {
  return terms ? `by ${mentionDeciders(terms.approvers)}, ${momentAfter('until', terms.until)}` : '';
}

function gateLine(finding: Finding): string {
  const { gate, result, sentence, terms, jobs } = finding;
  const { label, of } = gates[gate];
  const sign = result === 'failed' && of === 'perhaps' ? ':warning:' : signs[result];
  const who = terms
    ? ` If you asked now, ${mentionDeciders(terms.approvers)} could decide ${momentAfter('until', terms.until)}.`
    : '';
  const glass = terms?.mayBreakGlass ? ' In an emergency you may run it without approval.' : '';
  const others = (jobs ?? []).slice(0, 5).map(jobLine).join('');
  return `${sign}  *${label}*  ${plain(sentence, 600)}${who}${glass}${others}`;
}

const stateSaid: Partial<Record<Listed['state'], string>> = {
  new: 'not sent yet',
  awaiting: 'waits for approval',
  approved: 'approved',
  sending: 'being sent',
  running: 'running',
  unreadable: 'which another version of Dolly works on',
};

function jobLine({ operation, person, state, createdAt }: Listed): string {
  const words = writeOperation(operation)?.words.join(' ') ?? operation;
  return `\n        • ${code(words)} by ${mentionOf(person)}, ${stateSaid[state] ?? state}, asked ${moment(createdAt)}`;
}
