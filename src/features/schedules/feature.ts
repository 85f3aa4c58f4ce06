import { counted } from '../../ground/wording.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { countedByTeam, type Feature } from '../../slack/feature.ts';
import { scheduledTarget, scheduleInForms, scheduleSubmission } from './form/answerScheduleForm.ts';
import { scheduleHook, scheduleReopenHook } from './run/afterRun.ts';
import { endApprovalsOfOthers } from './run/scheduleLapse.ts';
import { startOf } from './run/scheduleStart.ts';
import { standingOfRuns } from './run/standingOfRuns.ts';
import { type ScheduleLooker, workOnSchedules } from './run/workOnSchedules.ts';
import { type Schedule, schedules } from './schedule.ts';
import { offerSchedule } from './scheduleActions.ts';
import { listSchedules, scheduleReactions } from './scheduleClicks.ts';
import { scheduleOf, schedulesAtOnce } from './scheduleCommand.ts';
import { scheduleMessage } from './scheduleMessages.ts';
import { schedulesInHome } from './schedulesInHome.ts';

/** Work by the calendar. */
export const scheduleFeature = {
  name: 'schedules',
  things: {
    kinds: [schedules],
    work: (worker, desk: ScheduleLooker) => workOnSchedules(worker, desk),
    ends: () => ({ ended: scheduleHook, reopened: scheduleReopenHook }),
    words: { schedule: scheduleMessage },
    async afterRestore({ things }: Desk<'things'>, now) {
      const on = (await things.list(schedules, {})).filter(({ state }) => state === 'on');
      const trail = { event: 'schedule restored' };
      const anew = (one: Schedule | undefined, revision: number) => {
        const start = one?.state === 'on' ? startOf(one, revision, now) : { fault: '' };
        return 'fault' in start || start.job ? undefined : { changes: start.changes, dueAt: start.dueAt, trail };
      };
      for (const { id, revision } of on) await things.act(schedules, id, one => anew(one, revision), now);
      const goOn = (many: number) => `${counted(many, 'schedule goes', 'schedules go')} on with the next time due.`;
      return countedByTeam(on, goOn);
    },
  },
  commands: {
    own: [
      {
        word: 'schedule',
        subject: 'Schedules and presets',
        usage: 'schedule <command …> every=day at=02:00',
        summary: 'Schedule a backup, a refresh, a start, a stop or a renewal',
        takes: 'any',
        acts: schedulesAtOnce,
        answer: scheduleOf,
      },
      {
        word: 'schedules',
        subject: 'Schedules and presets',
        usage: 'schedules [words]',
        summary: 'Show, run, pause, change and delete schedules',
        answer: listSchedules,
      },
    ],
  },
  interactions: {
    reactions: scheduleReactions,
    submissions: [scheduleSubmission],
    inForms: scheduleInForms,
    pickers: [scheduledTarget],
  },
  home: schedulesInHome,
  signIn: {
    begins: endApprovalsOfOthers,
    async usesAccount({ things }: Desk<'things'>, team) {
      const all = await things.list(schedules, { team });
      return counted(all.filter(({ runsAs, state }) => runsAs === 'service' && state === 'on').length, 'schedule');
    },
  },
  about: { standingOf: standingOfRuns },
  offers: [{ isInHome: true, buttonOf: offerSchedule }],
} satisfies Feature<never>;
