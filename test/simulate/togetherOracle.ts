import { minute } from '../../src/ground/durations.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { textOf } from '../person.ts';
import { begin } from './cast.ts';
import { goesBack, mayBeLost } from './faults.ts';
import { endWords, type Job } from './jobRows.ts';
import { messagesOf } from './messageOracle.ts';
import type { Facts, Found } from './oracles.ts';
import type { ActOf } from './plan.ts';

/*
 * What must hold of what is done together (16): a page makes one batch, each of its targets is asked for once and has an
 * end, and the trouble of a database is told once each time that it begins.
 */

export type TogetherOracle = Readonly<{
  /** Whether a database has failed of which a look may still tell. */
  isBusy(): boolean;
  atEnd(): void;
}>;

const invariant = '16 done once, told once';
/** A look comes each five minutes, and needs a while. */
const lookedBy = 7 * minute;
/** What replies say of trouble that was told before. */
const again = /Nobody is on this yet|Still so this morning|The snooze is over|does not answer/;

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
  const breaks = plan.acts.filter((act): act is ActOf<'break'> => act.act === 'break');
  const isOn = () => disk.rows("select id from things where kind = 'subscription' and state = 'on'").length > 0;
  return {
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
      ({ operation, target }) => operation === 'database.backup.batch' && target === service.idOf(records[0] ?? ''),
    );
    const [batch] = batches;
    if (batches.length > 1) found(invariant, `${id} made ${batches.length} batches`);
    if (isTaken && !batch) found(invariant, `${id} was taken, and there is no batch`);
    for (const record of batch ? records : []) {
      const own = all.filter(({ plan: whole, target }) => whole === batch?.id && target === service.idOf(record));
      const state = own[0]?.state ?? 'not begun';
      if (own.length > 1) found(invariant, `${record} has ${own.length} jobs in the batch ${id}`);
      if (batch?.state && batch.state in endWords && batch.state !== 'withdrawn' && !(state in endWords))
        found(invariant, `the batch ${id} is ${batch.state}, and ${record} is ${state}`);
    }
  }

  /** The messages in which trouble of a record begins: those of incidents, and the replies by which it joins one. */
  function beginningsOf(record: string): readonly Message[] {
    // What was there before the alerts is named in one line with all that it is.
    const isLine = (line: string) =>
      line.includes(`*${record}*`) && /since|failed/.test(line) && !/:white_check_mark:|existing problem/.test(line);
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
