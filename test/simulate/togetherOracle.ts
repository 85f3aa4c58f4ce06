import { z } from 'zod';
import { minute } from '../../src/ground/durations.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { textOf } from '../person.ts';
import { begin } from './cast.ts';
import { goesBack, mayBeLost } from './faults.ts';
import type { Inbound } from './inbound.ts';
import { endWords, isBatch, type Job, neverSent } from './jobRows.ts';
import { messagesOf } from './messageOracle.ts';
import type { Facts, Found } from './oracles.ts';
import type { ActOf } from './plan.ts';

/*
 * What must hold of what is done together (16): a page makes one batch, each of its targets is asked for once and has an
 * end, and the trouble of a database is told once each time that it begins.
 */

export type TogetherOracle = Readonly<{
  /** Something has come to a bot. */
  clicked(inbound: Inbound): void;
  /** A job has changed its state. */
  moved(job: Job): void;
  /** Whether a database has failed of which a look may still tell. */
  isBusy(): boolean;
  atEnd(): void;
}>;

const invariant = '16 done once, told once';
/** A look comes each five minutes, and needs a while. */
const lookedBy = 7 * minute;
/** What replies say of trouble that was told before. */
const again = /Nobody is on this yet|Still a problem this morning|The snooze is over|has not answered/;

const batchOf = "select id from jobs where id = ? and operation like '%.batch'";
/** The targets of a batch that the service may have done, or that people denied. */
const stepsNotOver =
  "select target from jobs where plan = ? and state not in ('failed', 'void', 'expired', 'withdrawn')";
const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ target }) => String(target));
const Steps = z.array(z.looseObject({ target: z.unknown() }));
const targetsIn = (steps: string) => Steps.parse(JSON.parse(steps)).map(({ target }) => String(target));

/** The batch that somebody asks again for. */
const retryOf = (requestKey: string) => /"retry","([^"]+)"/.exec(requestKey)?.[1];

const isReply = ({ threadTs }: Message) => threadTs !== undefined;

/** Watches the batches and the incidents of a world. */
export function watchTogether(
  {
    plan,
    disk,
    deeds,
    kernel,
    service,
    slack,
  }: Pick<Facts, 'plan' | 'disk' | 'deeds' | 'kernel' | 'service' | 'slack'>,
  { jobs, found }: Readonly<{ jobs(): readonly Job[]; found: Found }>,
): TogetherOracle {
  /** Of each batch that somebody asked again for, the targets that may have been done then. */
  const retried = new Map<string, ReadonlySet<string>>();
  const breaks = plan.acts.filter((act): act is ActOf<'break'> => act.act === 'break');
  const isOn = () => disk.rows("select id from things where kind = 'subscription' and state = 'on'").length > 0;
  return {
    clicked({ kind, name, value }) {
      const [batch] = kind === 'click' && name === 'job.retry' ? disk.rows(batchOf, value) : [];
      if (batch) retried.set(value, new Set(idsOf(disk.rows(stepsNotOver, value))));
    },
    moved(job) {
      if (!isBatch(job.operation) || job.steps === null) return;
      const steps = jobs().filter(({ plan: whole }) => whole === job.id);
      const other = steps.find(({ state }) => state !== 'succeeded');
      if (job.state === 'succeeded' && other)
        found(invariant, `a batch of ${job.target} is told as confirmed, and ${other.target} is ${other.state}`);
      const unsure = retried.get(retryOf(job.request_key) ?? '');
      const twice = targetsIn(job.steps).find(target => unsure?.has(target));
      if (twice) found(invariant, `${twice} is asked for again, and nobody knows that it was not done`);
    },
    isBusy: () => isOn() && breaks.some(({ at }) => kernel.now() < begin + Math.max(at, plan.quietFrom) + lookedBy),
    atEnd() {
      for (const { act, isTaken, beganAt } of deeds())
        if (act.act === 'back up several') checkBatch(act, isTaken && !mayBeLost(plan, beganAt - begin));
      for (const record of new Set(breaks.map(one => one.record))) checkTold(record);
    },
  };

  function checkBatch({ id, records }: ActOf<'back up several'>, isTaken: boolean): void {
    const all = jobs();
    const batches = all.filter(
      ({ operation, target, request_key }) =>
        operation === 'database.backup.batch' && target === service.idOf(records[0] ?? '') && !retryOf(request_key),
    );
    const [batch] = batches;
    if (batches.length > 1) found(invariant, `${id} made ${batches.length} batches`);
    if (isTaken && !batch) found(invariant, `${id} was taken, and there is no batch`);
    for (const record of batch ? records : []) {
      const own = all.filter(({ plan: whole, target }) => whole === batch?.id && target === service.idOf(record));
      const state = own[0]?.state ?? 'not begun';
      if (own.length > 1) found(invariant, `${record} has ${own.length} jobs in the batch ${id}`);
      if (batch && batch.state in endWords && !neverSent.has(batch.state) && !(state in endWords))
        found(invariant, `the batch ${id} is ${batch.state}, and ${record} is ${state}`);
    }
  }

  /** The messages in which trouble of a record begins: those of incidents, and the replies by which it joins one. */
  function beginningsOf(record: string): readonly Message[] {
    // What was there before the alerts is named in one line with all that it is; a late backup is another trouble.
    const isLine = (line: string) =>
      line.includes(`*${record}*`) &&
      /since|failed/.test(line) &&
      !/:white_check_mark:|existing problem|latest backup/.test(line);
    return messagesOf(slack).filter(message => {
      const lines = textOf(message).split('\n');
      return message.onlyFor === undefined && !again.test(lines.join()) && lines.some(isLine);
    });
  }

  function checkTold(record: string): void {
    const many = breaks.filter(one => one.record === record && one.how === 'fail').length;
    const told = beginningsOf(record);
    // What joins an incident stands in its message, too.
    const most = Math.max(told.filter(isReply).length, told.filter(one => !isReply(one)).length);
    if (most > many && !goesBack(plan))
      found(invariant, `${record} failed ${many} times, and that is told ${most} times`);
    const sights = disk.rows('select troubles from sights where record = ?', service.idOf(record));
    const isTold = sights.some(({ troubles }) => /"failed":\{"state":"stands"[^}]*"told":\d/.test(String(troubles)));
    if (isTold && told.length === 0 && isOn())
      found(invariant, `${record} failed, a look has told that, and no message does`);
  }
}
