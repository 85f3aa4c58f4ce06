import { LogLevel, WebClient } from '@slack/web-api';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../../src/sandbox/playground/server.ts';
import { person, type Someone, textOf } from '../../person.ts';
import { commands, tokens } from './bolt.ts';

const dev = 'C0DEV00001';
const csv = 'id,state\n1,RUNNING\n2,Überfällig\n';

let playground: Playground;
let client: WebClient;
let ana: Someone;

beforeEach(async () => {
  playground = await startPlayground({ port: 0, ...tokens, commands });
  const options = { slackApiUrl: playground.apiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR };
  client = new WebClient(tokens.botToken, options);
  ana = await person(playground.url, 'Ana');
});
afterEach(async () => {
  ana.leaves();
  await playground.close();
});

const refused = (work: Promise<unknown>, code: string) => expect(work).rejects.toThrow(`: ${code}`);
const upload = (channel_id: string, more: object = {}) =>
  client.files.uploadV2({ channel_id, filename: 'jobs.csv', content: csv, ...more });
/** Gets as far as the bytes, without Slack's library. */
async function uploaded(body: BodyInit, length: number) {
  const { upload_url = '', file_id = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length });
  return { id: file_id, response: await fetch(upload_url, { method: 'POST', body }) };
}

describe('a file that Slack’s own library uploads', () => {
  test('an uploaded file stands in a message with its comment, and people can download it', async () => {
    await upload(dev, { title: 'All jobs', initial_comment: 'Here they are.' });
    const message = await ana.reads('#dev', 'Here they are.');
    const size = Buffer.byteLength(csv);
    expect(message.files).toMatchObject([{ name: 'jobs.csv', title: 'All jobs', size, mimetype: 'text/csv' }]);
    expect(textOf(message)).toBe('Here they are.\nAll jobs');
    expect(await ana.downloads(message)).toBe(csv);
    expect(playground.slack.violations()).toEqual([]);
  });

  test('several files can be uploaded at once into a thread, without a comment', async () => {
    const { ts: thread_ts = '' } = await client.chat.postMessage({ channel: dev, text: 'A job' });
    const file_uploads = [
      { filename: 'one.txt', content: 'one' },
      { filename: 'two.sql', file: Buffer.from('two') },
    ];
    await client.files.uploadV2({ channel_id: dev, thread_ts, file_uploads });
    const reply = await ana.reads('#dev', 'two.sql');
    expect(reply).toMatchObject({ threadTs: thread_ts, text: '', files: [{ name: 'one.txt' }, { name: 'two.sql' }] });
    expect(await ana.downloads(reply)).toBe('one');
  });

  test('the history of a channel tells the bot of an uploaded file, and where to download it', async () => {
    await upload(dev);
    const { messages = [] } = await client.conversations.history({ channel: dev });
    expect(messages).toMatchObject([{ files: [{ name: 'jobs.csv', title: 'jobs.csv', filetype: 'csv' }] }]);
    const url = messages[0]?.files?.[0]?.url_private_download ?? '';
    const download = await fetch(url);
    expect(await download.text()).toBe(csv);
    expect(download.headers.get('content-disposition')).toContain('attachment');
  });

  test('a file is uploaded to a direct message by the id of its channel only, not of its person', async () => {
    await upload('D0ANA00001');
    expect(await ana.downloads(await ana.reads('@dolly', 'jobs.csv'))).toBe(csv);
    await expect(upload(ana.id)).rejects.toMatchObject({
      data: {
        error: 'invalid_arguments',
        response_metadata: {
          messages: ['[ERROR] input must match regex pattern: ^[CGDZ][A-Z0-9]{8,}$ [json-pointer:/channel_id]'],
        },
      },
    });
  });

  test('a file is refused in a channel where the bot is no member, though it may post there', async () => {
    await refused(upload('C0RANDOM01'), 'not_in_channel');
    await refused(upload('C0PRIVATE1'), 'channel_not_found');
    await refused(upload('C0NOWHERE1'), 'channel_not_found');
    await refused(upload(dev, { thread_ts: '1.000001' }), 'thread_not_found');
  });

  test('a file is refused without the scope files:write', async () => {
    playground.slack.settings.files = false;
    await expect(upload(dev)).rejects.toMatchObject({ data: { error: 'missing_scope', needed: 'files:write' } });
    expect(playground.slack.violations()).toEqual([]);
  });
});

describe('the bytes', () => {
  test('the bytes of an uploaded file may come as they are, or in a form', async () => {
    const form = new FormData();
    form.append('filename', new Blob(['abc']), 'a.txt');
    for (const body of ['abc', form]) {
      const { id, response } = await uploaded(body, 3);
      expect([response.status, await response.text()]).toEqual([200, 'OK - 3']);
      await client.files.completeUploadExternal({ files: [{ id }], channel_id: dev });
    }
    const messages = await ana.until(() => ana.messages('#dev').length === 2 && ana.messages('#dev'), 'two files');
    expect(await Promise.all(messages.map(ana.downloads))).toEqual(['abc', 'abc']);
  });

  test('the bytes of an uploaded file must be as many as promised, and at most 20 MB', async () => {
    expect((await uploaded('abcd', 3)).response.status).toBe(400);
    expect((await uploaded('', 3)).response.status).toBe(400);
    const length = 20 * 1024 * 1024 + 1;
    await refused(client.files.getUploadURLExternal({ filename: 'a', length }), 'file_upload_size_restricted');
    await refused(client.files.getUploadURLExternal({ filename: 'a', length: 0 }), 'invalid_arguments');
  });

  test('the bytes of an uploaded file can be made to get lost on the way', async () => {
    playground.slack.faults.add({ method: 'upload', kind: 'error' });
    await expect(upload(dev)).rejects.toThrow();
    expect(ana.messages('#dev')).toEqual([]);
  });
});

test('the upload of a file is completed once, and not before its bytes are there', async () => {
  const { file_id: early = '' } = await client.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
  const { id } = await uploaded('abc', 3);
  const complete = (...ids: string[]) =>
    client.apiCall('files.completeUploadExternal', { files: ids.map(one => ({ id: one })), channel_id: dev });
  await refused(complete(id, early), 'file_not_found');
  await complete(id);
  await refused(complete(id), 'file_not_found');
  expect(playground.slack.messages(dev)).toHaveLength(1);
  expect((await fetch(`${playground.url}/play/files/${early}/a.txt`)).status).toBe(404);
});
