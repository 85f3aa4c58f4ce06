import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { cloneAt, environmentAt, isVisible, jobAt, manyAt, recordOf, recordsOf, tokenAt } from './estate.ts';
import { newSlackStub } from './slackStub.ts';

/*
 * The service and the Slack of a crowd, in a process of its own, so that one clock tells how long it took from the moment at
 * which a record was final to the moment at which Slack was told of it.
 *   POST /crowd/end?count=n&every=ms  ends so many jobs, one each time
 *   GET  /crowd/report?within=ms      what was read and told since the last report, and how many people were read lately
 *   GET  /crowd/replies               how often each job's end stands in Slack
 */
const {
  PEOPLE = '0',
  JOBS_EACH = '0',
  VISIBLE = '',
  REPORTED = '',
  RECORDS = '0',
  LIVE = '0',
  SNAPSHOTS = '',
  MOVING = '',
} = process.env;
const [people, jobsEach] = [Number(PEOPLE), Number(JOBS_EACH)];
const areVisible = VISIBLE !== '';
/** The time of the reports on the clones that are finished. */
const reportedAt = REPORTED === '' ? undefined : new Date().toISOString();

/** The answers, ready to be sent: the stub shares the processor with what it measures. */
const lists = new Map<number, Buffer>();
const done = new Set<string>();
const endedAt = new Map<string, number>();
/** The time of the last look at each person's records. */
const lookedAt = new Map<number, number>();
let report = noReport();

const asBytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const isDoneFor = (person: number) => (job: number) => done.has(jobAt(person, job));

/** Every list is the same to all where there is no crowd: as many records as are wanted. */
const huge =
  Number(RECORDS) > 0
    ? asBytes(
        Array.from({ length: Number(RECORDS) }, (_, index) =>
          recordOf(
            manyAt(index, Number(LIVE)),
            index % 10 === 0 ? 'STOPPED' : 'RUNNING',
            3_306 + index,
            environmentAt(0),
            // Where the average is no whole number, some have one more.
            ...(SNAPSHOTS === ''
              ? []
              : [Math.floor((index + 1) * Number(SNAPSHOTS)) - Math.floor(index * Number(SNAPSHOTS))]),
          ),
        ),
      )
    : undefined;
const environments = asBytes(
  Array.from({ length: 20 }, (_, index) => ({
    id: environmentAt(index),
    objectType: 'HOST_ENVIRONMENT',
    name: `lab-${index}`,
    state: 'AVAILABLE',
  })),
);

const listFor = (person: number) => {
  const known =
    lists.get(person) ?? asBytes(recordsOf(person, jobsEach, isDoneFor(person), { areVisible, reportedAt }));
  lists.set(person, known);
  return known;
};
for (let person = 0; person < people; person++) listFor(person);

/**
 * The order in which jobs end: people take turns. Clones that are being made come first, since a clone that is there all of a
 * sudden has to stand for a while before Dolly believes it.
 */
const order = Array.from(
  { length: people * jobsEach },
  (_, index) => [index % people, Math.floor(index / people)] as const,
).toSorted((a, b) => Number(isVisible(...b, areVisible)) - Number(isVisible(...a, areVisible)));

/** Makes the next job's record final. */
function endNext(): void {
  const [person, job] = order[done.size] ?? [0, 0];
  done.add(jobAt(person, job));
  lists.delete(person);
  listFor(person);
  endedAt.set(jobAt(person, job), performance.now());
}

const Metadata = z.object({ event_payload: z.object({ job: z.string(), part: z.string() }) });

type Post = Readonly<{ ts: string; thread: string | null; metadata: unknown; reply: string | undefined }>;
/** What stands in each channel, so that a post whose answer was lost is found. */
const posts = new Map<string, Post[]>();

const slack = newSlackStub((method, parameters) => {
  const [channel, thread] = [parameters.get('channel') ?? '', parameters.get('thread_ts')];
  if (method === 'chat.update') report.updates += 1;
  if (method === 'conversations.open') return { ok: true, channel: { id: `D${parameters.get('users')}` } };
  if (method === 'conversations.history') return standing(channel, null);
  if (method === 'conversations.replies') return standing(channel, parameters.get('ts'));
  if (method !== 'chat.postMessage') return undefined;
  report.posts += 1;
  const metadata: unknown = JSON.parse(parameters.get('metadata') ?? 'null');
  const told = Metadata.safeParse(metadata).data?.event_payload;
  const reply = told?.part === 'reply' ? told.job : undefined;
  const ended = reply === undefined ? undefined : endedAt.get(reply);
  if (ended !== undefined) report.lags.push(performance.now() - ended);
  postCount += 1;
  const ts = `${Math.floor(Date.now() / 1_000)}.${String(postCount % 1_000_000).padStart(6, '0')}`;
  posts.set(channel, [...(posts.get(channel) ?? []), { ts, thread, metadata, reply }]);
  return { ok: true, channel, ts };
});
let postCount = 0;

function standing(channel: string, thread: string | null): object {
  const messages = (posts.get(channel) ?? []).filter(post => post.thread === thread).toReversed();
  return { ok: true, messages: messages.map(({ ts, metadata }) => ({ ts, metadata })) };
}

/** How many jobs have their end told, and those that have it more than once. */
function replies(): object {
  const all = [...posts.values()].flat().flatMap(({ reply }) => reply ?? []);
  const once = new Set(all);
  return { told: once.size, more: all.length - once.size };
}

function noReport() {
  return { lists: 0, singles: 0, writes: 0, posts: 0, updates: 0, lags: Array.of<number>() };
}

function serve(request: IncomingMessage, path: string, answer: ServerResponse): void {
  const person = Number((request.headers.authorization ?? '').slice('Bearer '.length + tokenAt(0).length - 1));
  answer.setHeader('Content-Type', 'application/json');
  if (request.method !== 'GET') {
    report.writes += 1;
    request.resume().once('end', () => answer.end('{}'));
    return;
  }
  if (path === '/service/database/list') {
    report.lists += 1;
    lookedAt.set(person, performance.now());
    answer.end(huge ?? (MOVING === '' ? listFor(person) : moved(listFor(person))));
    return;
  }
  if (path.endsWith('/list')) {
    answer.end(path === '/service/environment/list' ? environments : '[]');
    return;
  }
  report.singles += 1;
  lookedAt.set(person, performance.now());
  const record = recordNamed(path.slice(path.lastIndexOf('/') + 1), person);
  answer.statusCode = record ? 200 : 404;
  answer.end(JSON.stringify(record ?? { message: 'not found' }));
}

/** The same list with the time of this answer in its last record: no answer is then like the one before. */
function moved(list: Buffer): Buffer {
  return Buffer.concat([list.subarray(0, -2), Buffer.from(`,"lastSeenAt":"${new Date().toISOString()}"}]`)]);
}

function recordNamed(id: string, person: number): object | undefined {
  const own = Array.from({ length: jobsEach }, (_, job) => job).find(job => cloneAt(person, job) === id);
  const records = recordsOf(person, own === undefined ? 0 : own + 1, isDoneFor(person), {
    areVisible,
    reportedAt,
  });
  return records.findLast(record => 'id' in record && record.id === id);
}

function reported(within: number): object {
  const since = performance.now() - within;
  return { ...report, fresh: [...lookedAt.values()].filter(at => at >= since).length };
}

const server = createServer((request, answer) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname.startsWith('/service/')) serve(request, pathname, answer);
  else if (pathname === '/crowd/report') {
    answer.end(JSON.stringify(reported(Number(searchParams.get('within')))));
    report = noReport();
  } else if (pathname === '/crowd/replies') answer.end(JSON.stringify(replies()));
  else if (pathname === '/crowd/end') {
    let left = Number(searchParams.get('count'));
    const every = Number(searchParams.get('every'));
    if (every === 0) for (; left > 0; left--) endNext();
    const timer = setInterval(() => {
      if (left-- > 0) endNext();
      else clearInterval(timer);
    }, every);
    answer.end();
  } else slack(request, answer);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`ready http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`);
});
process.once('SIGTERM', () => process.exit(0));
