import { day } from '../../ground/durations.ts';
import { counted } from '../../ground/wording.ts';
import { type Deciders, type Hindrance, silence } from '../../jobs/approval/people/whoCanNow.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import { mentioned, mentionOf } from '../blocks/mentionPeople.ts';
import { type Content, said } from '../blocks/message.ts';
import { momentAfter } from '../blocks/moments.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { describeJob } from './jobWords.ts';

/** What keeps people from deciding, one and several, and the order in which it is told: what can be mended comes first. */
const hindrances: readonly (readonly [why: Hindrance, one: string, several: string])[] = [
  ['signed out', 'has to sign in to the service first', 'have to sign in to the service first'],
  ['asked', 'is the same service user as the requester', 'are the same service user as the requester'],
  ['guest', 'is a guest here', 'are guests here'],
  [
    'outsider',
    'is not (or is no longer) a member of this workspace',
    'are not (or are no longer) members of this workspace',
  ],
];

/** Tells whoever asked that nobody can decide on their request now, or only people who seem to be away. */
export function outlookMessage(job: JobIn<'awaiting'>, outlook: Deciders): Content {
  const { needed, can, cannot, away } = outlook;
  const title = `*${describeJob(job).title}*`;
  const who = mentioned(can);
  const lead =
    can.length === 0
      ? `Nobody can decide on ${title} now.`
      : can.length < needed
        ? `${title} needs ${counted(needed, 'approval')}, and only ${who} can decide on it now.`
        : `Only ${who} can decide on ${title} now.`;
  const absent = [...away].map(([person, words]) =>
    words === undefined
      ? `${mentionOf(person)} has done nothing here for ${counted(silence / day, 'day')}.`
      : `${mentionOf(person)} says in Slack: “${plain(words, 100)}”.`,
  );
  const kept = hindrances.flatMap(([why, one, several]) => {
    const people = [...cannot].flatMap(([person, is]) => (is === why && person !== job.person ? [person] : []));
    return people.length === 0 ? [] : [`${mentioned(people)} ${people.length === 1 ? one : several}.`];
  });
  const mend = can.length < needed ? ' Ask somebody to sign in, or ask whoever runs me to name other approvers.' : '';
  const rest = `It waits ${momentAfter('until', job.approval.expiresAt)}.${mend}`;
  return said(`:hourglass: ${[lead, ...absent, ...kept, rest].join(' ')}`);
}
