import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { isNoneOf } from '../../lists.ts';

/** The limits on the messages that may be sent at the moment. */
export type Busy = Readonly<{
  /** Channels in which nothing may be posted, except the replies to jobs that ended up to `endedBefore`. */
  places?: readonly string[];
  /** Those of these channels in which such late replies wait, too; for the others, they are told elsewhere by now. */
  resting?: readonly string[];
  /** Milliseconds since the epoch. */
  endedBefore?: number;
  /** Teams in which no message may be changed. */
  teams?: readonly string[];
  /** Teams in which none may be changed for the news of jobs that run: the message of an end is to change with its reply. */
  calmTeams?: readonly string[];
  /** Jobs that are left alone. */
  jobs?: readonly string[];
}>;

/**
 * The room that the next message of a job waits for. The first message is a post into its channel, and so is the reply at
 * the end, which may also be told elsewhere; the card for those who decide has a channel of its own, and everything else
 * changes a message of the team. An index has it as it stands here (migrations.ts), and is used only then.
 */
export const roomSql = `(case when message_ts is null then coalesce(place, channel)
  when ended_at is not null and reply_ts is null then coalesce(place, channel) || ' end'
  when state = 'awaiting' and card_place is not null and card_ts is null then ''
  else team end)`;
export const room = sql<string>`${sql.raw(roomSql)}`;

/** The rooms in which nothing may be sent. */
export function shutRooms({ places = [], resting = [], teams = [] }: Busy): readonly string[] {
  return [...places, ...resting.map(roomOfEnds), ...teams];
}

/** Whether the message of a job may be sent. */
export function mayBeSent(busy: Busy): RawBuilder<SqlBool> {
  const { places = [], endedBefore = 0, calmTeams = [] } = busy;
  return sql`${isNoneOf(room, shutRooms(busy))} and (state <> 'running' or ${isNoneOf(room, calmTeams)})
    and (ended_at is null or ended_at <= ${endedBefore} or ${isNoneOf(room, places.map(roomOfEnds))})`;
}

function roomOfEnds(place: string): string {
  return `${place} end`;
}
