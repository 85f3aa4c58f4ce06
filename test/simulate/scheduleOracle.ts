import { minute, second } from '../../src/ground/durations.ts';
import { textOf } from '../person.ts';
import { begin } from './cast.ts';
import type { Facts } from './oracles.ts';
import type { ActOf } from './plan.ts';

/*
 * What must hold of schedules (18): a time by the calendar is run once at most, and none after the schedule was paused or
 * deleted; and a time that was not run is told.
 */

/** A run as it first stood in the store, and the time by the calendar of then that it is for. */
type Run = Readonly<{ target: string; time: number }>;

/** What the owner of a schedule was told of it: that it runs, with the minute of its first time, or that it does not. */
type Told = Readonly<{ at: number; offset: number | undefined }>;

export type ScheduleOracle = Readonly<{
  /** The run of a schedule has just been stored. */
  begun(run: Readonly<{ id: string; target: string; created_at: number; runs_as: string | null }>): void;
  /** Whether a time is waited for. */
  isBusy(): boolean;
  atEnd(): void;
}>;

const interval = 15 * minute;
/** A run is begun within this time, where nothing is in the way. */
const promptly = 2 * minute;
/** A time that is over for longer is left out. It may take a while from there to the store. */
const latest = interval / 2 + minute;

/** Watches the schedules of a world. */
export function watchSchedules(
  {
    plan,
    disk,
    kernel,
    network,
    service,
    slack,
  }: Pick<Facts, 'plan' | 'disk' | 'kernel' | 'network' | 'service' | 'slack'>,
  found: (invariant: string, what: string) => void,
): ScheduleOracle {
  const runs: Run[] = [];
  const asked = plan.acts.filter((act): act is ActOf<'schedule'> => act.act === 'schedule');
  const messages = () =>
    slack.slack.workspace.channels
      .flatMap(({ id }) => slack.slack.messages.list(id))
      .map(message => ({
        at: Number(message.ts) * 1_000,
        text: textOf(message),
        isAnswer: message.onlyFor !== undefined,
        isDirect: message.channel.startsWith('D'),
      }));

  /** What was answered about a schedule, the oldest first. */
  const toldOf = ({ record }: ActOf<'schedule'>): Told[] =>
    messages()
      .filter(({ isAnswer, isDirect }) => isAnswer || isDirect)
      .flatMap(({ at, text }) => {
        const [, how = ''] =
          new RegExp(`\\*Backup of ${record}\\* (runs every|may run every|is paused|does not run)`).exec(text) ?? [];
        const [, minutes = '00'] = /every 15 minutes[^\n]*?00:(\d\d)/.exec(text) ?? [];
        if (how === '') return [];
        return [{ at, offset: how.endsWith('every') ? Number(minutes) * minute : undefined }];
      })
      .toSorted((one, other) => one.at - other.at);

  /** What Slack said that nobody reads: the account of whoever was to be told is closed, so it is told to no one. */
  const undeliverable = ({ record }: ActOf<'schedule'>) =>
    network.exchanges
      .filter(({ url, answer }) => url.pathname.endsWith('/chat.postMessage') && answer?.body.includes('user_disabled'))
      .map(({ sentAt, body }) => ({ at: sentAt, text: [...new URLSearchParams(body).values()].join(' ') }))
      .filter(({ text }) => text.includes(`Backup of ${record}`));

  /** When all bots rest for long: the first one's rests, which all have. */
  const rests = plan.faults.flatMap(fault =>
    fault.fault === 'restart' && fault.bot === 0 && fault.down > interval
      ? [{ from: begin + fault.at, to: begin + fault.at + fault.down }]
      : [],
  );

  /** The last time of a calendar up to a moment. */
  const timeBefore = (moment: number, offset: number) =>
    begin + offset + Math.floor((moment - begin - offset) / interval) * interval;

  /** The first time once nothing breaks any more: it must be run. */
  const lastTime = (offset: number) => timeBefore(begin + plan.quietFrom + minute, offset) + interval;

  /** Whether it is on, whatever people heard of their last act: an answer may be lost. */
  const isOn = (target: string) =>
    disk.rows("select id from things where kind = 'schedule' and state = 'on' and subject = ?", target).length > 0;

  /** When such an entry about it was last written; 0: never. */
  const lastEntry = (event: 'schedule approved' | 'schedule resumed', target: string) =>
    Number(disk.rows('select max(at) as at from audit where event = ? and target = ?', event, target)[0]?.at ?? 0);

  /** Whether a run waits for a sign-in: its own message tells that, and those after it are left out. */
  const waitsForSignIn = (target: string) =>
    disk.rows("select id from jobs where hold = 'sign-in' and target = ?", target).length > 0;

  return {
    begun({ id, target, created_at, runs_as }) {
      const byHand = disk.rows("select actor from audit where job = ? and event = 'asked' and actor like 'U%'", id);
      if (byHand.length > 0) {
        if (runs_as !== null) found('20 by leave', `${target} is run at somebody's press, with the service account`);
        return;
      }
      const schedule = asked.find(({ record }) => service.idOf(record) === target);
      if (!schedule) return;
      const told = toldOf(schedule).at(-1);
      const offset = told?.offset ?? 0;
      const time = timeBefore(created_at, offset);
      // The answer to whoever let it go on may be on its way.
      if (told && told.offset === undefined && lastEntry('schedule resumed', target) < told.at)
        found('18 by the calendar', `${schedule.record} is run, and its owner was told that it is not`);
      if (runs.some(one => one.target === target && one.time === time))
        found('18 by the calendar', `${schedule.record} is run twice for ${new Date(time).toISOString()}`);
      else if (created_at - time > latest)
        found('18 by the calendar', `${schedule.record} is run ${(created_at - time) / minute} minutes late`);
      runs.push({ target, time });
    },
    isBusy: () =>
      asked.some(act => {
        const offset = toldOf(act).at(-1)?.offset;
        return offset !== undefined && kernel.now() < lastTime(offset) + promptly;
      }),
    atEnd() {
      for (const act of asked) {
        const told = toldOf(act);
        const last = told.at(-1);
        if (!last || last.offset === undefined || !isOn(service.idOf(act.record))) continue;
        const about = messages().filter(({ text, isAnswer }) => !isAnswer && text.includes(`Backup of ${act.record}`));
        const isSaid = (from: number) =>
          [...about, ...undeliverable(act)].some(
            ({ at, text }) => at >= from && /skipped|waits|paused|goes on/.test(text),
          );
        // A sign-in names what it came too late for, in the message that says that it is missing.
        const isReplaced = (time: number) =>
          about.some(({ text }) => {
            const [, before = 0] = /I skipped what was due .*?<!date\^(\d+)\^/.exec(text) ?? [];
            return time < Number(before) * second;
          });
        // Alerts tell it within their looks, and trouble that stands once; a message says then that it is over, and since when.
        const isTrouble = (time: number) =>
          messages().some(({ at, text, isAnswer }) => {
            if (isAnswer || !text.includes(`*${act.record}*`) || !/scheduled runs/i.test(text)) return false;
            const [, over = Number.POSITIVE_INFINITY] = /is run by its schedule again<!date\^(\d+)\^/.exec(text) ?? [];
            return at <= time + interval && time < Number(over) * second;
          });
        const isRun = (time: number) => runs.some(run => run.time === time && run.target === service.idOf(act.record));
        const person = slack.slack.workspace.people.find(({ name }) => name === act.who.toLowerCase())?.id ?? '';
        const isSignedIn = disk.rows('select person from credentials where person = ?', person).length > 0;
        const times = [];
        // It runs from its approval on, where it needs one.
        const since = Math.max(last.at, lastEntry('schedule approved', service.idOf(act.record)));
        for (let time = lastTime(last.offset); time > since + minute; time -= interval) times.push(time);
        // While all rest for days, the next run is for all times since.
        const isRunSince = (time: number) =>
          rests.some(({ from, to }) => time >= from && time <= to && runs.some(run => isNext(run, time, to)));
        const isNext = (run: Run, time: number, to: number) =>
          run.target === service.idOf(act.record) && run.time > time && run.time <= to + 2 * interval;
        // Of several times that a clock leapt over, one is run.
        const isLeapt = plan.faults.some(({ fault }) => fault === 'clock');
        for (const time of times.slice(0, isLeapt ? 1 : undefined).filter(one => one + promptly <= kernel.now())) {
          // Whoever was told of one time that waits is not told of the next one.
          const from = isSignedIn ? time : 0;
          if (waitsForSignIn(service.idOf(act.record))) continue;
          if (!isRun(time) && !isRunSince(time) && !isReplaced(time) && !isTrouble(time) && !isSaid(from - second))
            found(
              '18 by the calendar',
              `${act.record} was not run at ${new Date(time).toISOString()}, and nobody was told`,
            );
        }
      }
    },
  };
}
