import { Failure } from '../../ground/failure.ts';
import type { Owner } from '../../store/vault.ts';
import { platformError } from '../connection/slackErrors.ts';
import type { Desk } from './desk.ts';

/** A file for one person; `title` is the message beside it. */
type PersonalFile = Readonly<{ filename: string; title: string; bytes: Buffer }>;

/**
 * Sends a file to somebody's direct messages. Gives the place of these, and Slack's word for it where it takes no files.
 * @throws {Failure} where Slack opens no direct messages, or nobody knows whether it has the file
 */
export async function sendFile(
  { slack, log }: Desk<'log' | 'slack'>,
  { team, person }: Owner,
  { filename, title, bytes }: PersonalFile,
): Promise<Readonly<{ place: string; refusal?: string }>> {
  const { channel } = await slack
    .of(team)
    .conversations.open({ users: person })
    .catch((cause: unknown) => {
      throw new Failure('input', 'I cannot write to you directly, so I made no file.', { cause });
    });
  const place = channel?.id ?? person;
  try {
    const file = { channel_id: place, filename, title: filename, file: bytes, initial_comment: title };
    await slack.of(team).files.uploadV2(file);
    return { place };
  } catch (error) {
    const refusal = platformError(error);
    log.warn({ error, person, team }, 'Slack did not take a file');
    if (refusal === undefined)
      throw new Failure('unclear', 'Slack did not answer in time, so the file may be missing. Please ask again.');
    return { place, refusal };
  }
}
