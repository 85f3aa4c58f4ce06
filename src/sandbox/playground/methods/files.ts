import { sharedFile } from '../files.ts';
import { recordsOf, stringOf } from '../json.ts';
import { limits } from '../limits.ts';
import type { Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';
import { contentOf, structured } from './content.ts';
import { badArguments, type Method, numberOf, required } from './method.ts';
import { ownChannel, threadOf } from './reach.ts';
import { wireFile } from './wire.ts';

/** @throws SlackError missing_scope */
function demandScope({ settings }: Slack): void {
  if (!settings.files) throw new SlackError('missing_scope', { needed: 'files:write', provided: 'chat:write' });
}

const getUploadURLExternal: Method = (args, slack) => {
  demandScope(slack);
  const name = required(args, 'filename');
  const length = numberOf(args.length, 0);
  if (!Number.isInteger(length) || length < 1) throw badArguments('must be greater than 0 [json-pointer:/length]');
  if (length > limits.fileBytes) throw new SlackError('file_upload_size_restricted');
  const { id, ticket } = slack.files.promise(name, length);
  return { upload_url: `${slack.url()}/upload/v1/${ticket}`, file_id: id };
};

/** Unlike chat.postMessage this takes ids of conversations only: no names, and no person for a direct message. */
const conversation = /^[CGDZ][A-Z0-9]{8,}$/;

const completeUploadExternal: Method = (args, slack) => {
  demandScope(slack);
  const wanted = recordsOf(structured(args, 'files'));
  if (wanted.length === 0) throw badArguments('missing required field: files');
  const id = stringOf(args.channel_id);
  if (id !== '' && !conversation.test(id)) {
    throw badArguments(`input must match regex pattern: ${conversation.source} [json-pointer:/channel_id]`);
  }
  // The scope chat:write.public is about messages: who shares a file must be a member.
  const channel = id === '' ? undefined : ownChannel(slack, id);
  const thread = channel && threadOf(slack, channel.id, args.thread_ts);
  const text = stringOf(args.initial_comment);
  // A comment goes before blocks, and a file needs neither: its name speaks for it.
  const given = text === '' ? { blocks: args.blocks, text: 'a file' } : { text };
  const content = text === '' && args.blocks === undefined ? { text } : { ...contentOf(slack, given), text };
  const files = wanted.map(({ id: file }) => slack.files.uploaded(stringOf(file)));
  for (const [index, file] of files.entries()) {
    file.title = stringOf(wanted[index]?.title) || file.name;
    file.isComplete = true;
  }
  if (channel !== undefined) {
    const user = slack.workspace.app.botUser;
    slack.messages.post({ channel: channel.id, user, ...content, ...thread, files: files.map(sharedFile) });
  }
  // Slack shares the files a little later, so its answer cannot say in which message.
  return { files: files.map(file => wireFile(slack, sharedFile(file))) };
};

/** The files.* methods that `files.uploadV2` of Slack's library is made of. */
export const fileMethods: Record<string, Method> = {
  'files.getUploadURLExternal': getUploadURLExternal,
  'files.completeUploadExternal': completeUploadExternal,
};
