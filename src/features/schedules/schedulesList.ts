import type { KnownBlock } from '@slack/types';
import { counted, hasWords } from '../../ground/wording.ts';
import { actionsRow, context, section } from '../../slack/blocks/blocks.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, message } from '../../slack/blocks/message.ts';
import { code, plain } from '../../slack/blocks/mrkdwn.ts';
import type { CommandNames } from '../../slack/desk/interaction.ts';
import { isChannel } from '../../slack/desk/placeKinds.ts';
import { scheduleTimes } from '../../slack/messages/scheduleTimes.ts';
import { meantButtons } from '../../slack/words/meantButtons.ts';
import type { Schedule } from './schedule.ts';
import { scheduleActions } from './scheduleActions.ts';
import {
  lastRun,
  type ScheduleReader,
  scheduleButtons,
  scheduleLine,
  scheduleStanding,
  scheduleTitle,
} from './scheduleLines.ts';

/** Max schedules in one list, with two blocks each. */
export const mostShown = 20;

/** The reader of a list, the words that they typed, and the addresses of the messages of the last runs, by job. */
type ListReader = ScheduleReader &
  Readonly<{ words: readonly string[]; names: CommandNames; links: ReadonlyMap<string, string> }>;

/** Schedules, each with its next run in the reader’s own time, its last outcome, its owner and its buttons. */
export function schedulesList(schedules: readonly Schedule[], reader: ListReader): Content {
  const { words, names } = reader;
  const fitting = fittingSchedules(schedules, words);
  const matching = words.length > 0 ? ` with ${plain(words.join(' '), 100)}` : '';
  const anew = scheduleActions.new.button('New schedule…', null);
  const meant = fitting.length > 0 ? [] : meantButtons({ command: ['schedules'], words }, schedules.flatMap(namesOf));
  if (fitting.length === 0)
    return message([
      section(
        `You can see no schedule${matching} here.${meant.length > 0 ? ' Did you mean one of these?' : ''} To make one, use ${code(`${names.db} schedule backup shop every=day at=02:00`)}.`,
      ),
      ...actionsRow([...meant, anew]),
    ]);
  const left = fitting.length - mostShown;
  return message([
    section(`*${counted(fitting.length, 'schedule')}*${matching}`),
    ...fitting.slice(0, mostShown).flatMap(schedule => scheduleBlocks(schedule, reader)),
    ...(left > 0 ? [context(`… and ${left} more: ${code(`${names.db} schedules <words>`)} finds them.`)] : []),
    ...actionsRow([anew], 'schedule:new'),
  ]);
}

/** A schedule as a row of a list: two lines, and its buttons. */
export function scheduleBlocks(
  schedule: Schedule,
  reader: ScheduleReader & Pick<ListReader, 'links'>,
): readonly KnownBlock[] {
  const { id, person, channel, lastJob, runsAs, tells } = schedule;
  const link = lastJob === null ? undefined : reader.links.get(lastJob);
  const facts = [
    lastRun(schedule, link),
    person === reader.person ? 'yours' : `${mentionOf(person)}’s`,
    isChannel(channel) ? `in ${mentionOf(channel)}` : 'in Messages',
    tells === 'failures' ? 'tells failures only' : undefined,
    runsAs === 'service' ? 'with the service account' : undefined,
  ];
  const text = [scheduleLine(schedule), `${scheduleStanding(schedule)} · ${facts.filter(Boolean).join(' · ')}`].join(
    '\n',
  );
  const buttons = actionsRow(scheduleButtons(schedule, reader), `schedule:${id}:buttons`);
  return [{ ...section(text), block_id: `schedule:${id}` }, ...buttons];
}

/** The names by which people look for a schedule. */
function namesOf({ kind, values, targetName, target }: Schedule): readonly string[] {
  const about = kind === 'report' ? values.words : (targetName ?? target);
  return typeof about === 'string' && about !== '' ? [about] : [];
}

/** The schedules that have all of the words. */
export function fittingSchedules(schedules: readonly Schedule[], words: readonly string[]): readonly Schedule[] {
  return schedules.filter(schedule => fits(schedule, words));
}

/** Whether a schedule has all of the words in its title, its times, its operation or its state. */
function fits(schedule: Schedule, words: readonly string[]): boolean {
  const { operation, target, state, zone, labels } = schedule;
  const own = [operation, target, state, zone, ...Object.values(labels)];
  return hasWords([scheduleTitle(schedule), scheduleTimes(schedule), ...own], words);
}
