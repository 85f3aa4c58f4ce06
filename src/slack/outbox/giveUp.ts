import type { Notice } from '../../store/tables/outbox.ts';
import type { Desk } from '../desk/desk.ts';

/** The event of the trail by which the doctor finds messages that nobody took. */
export const givenUp = 'message given up';

/** What was given up: the kind of thing that it is about, and whom it was for. */
type GivenUp = Pick<Notice, 'team' | 'person' | 'channel' | 'kind'> & Partial<Pick<Notice, 'job'>>;

/**
 * Notes that a message reached nobody, and is not tried any more: in the log, the metrics and the trail, whose readers
 * can still tell the person.
 */
export async function giveUp(
  { log, meter, audit, clock }: Desk<'log' | 'meter' | 'audit' | 'clock'>,
  { team, person, channel, kind, job }: GivenUp,
  error: unknown,
): Promise<void> {
  log.error({ team, person, channel, kind, job, error }, 'nobody takes this message, so it is given up');
  meter.count('messagesGivenUp', { kind });
  const detail = `a message about a ${kind}: neither its channel nor its person takes it`;
  const entry = { team, person, channel, job: job ?? null, at: clock.now(), actor: 'dolly', event: givenUp, detail };
  await audit.add(entry);
}
