import { createServer, type ServerResponse } from 'node:http';
import { performance } from 'node:perf_hooks';
import { z } from 'zod';
import { environmentAt, jobAt, recordOf, recordsOf, tokenAt } from './estate.ts';
import { newSlackStub } from './slackStub.ts';

/*
 * The service and the Slack of a crowd, in a process of its own, so that one clock tells how long it took from the moment at
 * which a record was final to the moment at which Slack was told of it.
 *   POST /crowd/end?count=n&every=ms  ends so many jobs, one each time
 *   GET  /crowd/report                what was read and told since the last report
 */
const { PEOPLE = '0', JOBS_EACH = '0', RECORDS = '0' } = process.env;
const [people, jobsEach] = [Number(PEOPLE), Number(JOBS_EACH)];

const lists = new Map<string, string>();
const done = new Set<string>();
const endedAt = new Map<string, number>();
let report = { lists: 0, singles: 0, posts: 0, updates: 0, lags: Array.of<number>() };

/** Every list is the same to all where there is no crowd: as many records as are wanted. */
const huge =
  Number(RECORDS) > 0
    ? JSON.stringify(
        Array.from({ length: Number(RECORDS) }, (_, index) =>
          recordOf(`MYSQL_LIVE_SERVER-${index + 1}`, 'RUNNING', 3_306 + index, environmentAt(0)),
        ),
      )
    : undefined;

const listFor = (person: number) => {
  const known =
    lists.get(tokenAt(person)) ?? JSON.stringify(recordsOf(person, jobsEach, job => done.has(jobAt(person, job))));
  lists.set(tokenAt(person), known);
  return known;
};

/** Makes the next job's record final: people take turns. */
function endNext(): void {
  const index = done.size;
  const [person, job] = [index % people, Math.floor(index / people)];
  done.add(jobAt(person, job));
  lists.delete(tokenAt(person));
  listFor(person);
  endedAt.set(jobAt(person, job), performance.now());
}

const Metadata = z.object({ event_payload: z.object({ job: z.string(), part: z.string() }) });

const slack = newSlackStub((method, parameters) => {
  if (method === 'chat.update') report.updates += 1;
  if (method !== 'chat.postMessage') return undefined;
  report.posts += 1;
  const metadata = Metadata.safeParse(JSON.parse(parameters.get('metadata') ?? 'null'));
  const told = metadata.success && metadata.data.event_payload;
  const ended = told && told.part === 'reply' ? endedAt.get(told.job) : undefined;
  if (ended !== undefined) report.lags.push(performance.now() - ended);
  return undefined;
});

function serve(path: string, token: string, answer: ServerResponse): void {
  const person = Number(token.slice(tokenAt(0).length - 1));
  answer.setHeader('Content-Type', 'application/json');
  if (path.endsWith('/list')) {
    report.lists += 1;
    if (path !== '/service/database/list') answer.end('[]');
    else answer.end(huge ?? listFor(person));
    return;
  }
  report.singles += 1;
  const id = path.slice(path.lastIndexOf('/') + 1);
  const record = recordsOf(person, jobsEach, job => done.has(jobAt(person, job))).find(
    one => 'id' in one && one.id === id,
  );
  answer.statusCode = record ? 200 : 404;
  answer.end(JSON.stringify(record ?? { message: 'not found' }));
}

const server = createServer((request, answer) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
  if (pathname.startsWith('/service/')) serve(pathname, (request.headers.authorization ?? '').slice(7), answer);
  else if (pathname === '/crowd/report') {
    answer.end(JSON.stringify(report));
    report = { lists: 0, singles: 0, posts: 0, updates: 0, lags: [] };
  } else if (pathname === '/crowd/end') {
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
