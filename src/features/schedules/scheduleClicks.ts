import { zoneOrUtc } from '../../ground/zone.ts';
import { surelyApproves } from '../../jobs/approval/people/hasSay.ts';
import type { Judge } from '../../jobs/parts.ts';
import { operationOf } from '../../jobs/request.ts';
import type { Action } from '../../slack/blocks/action.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import { mustBeAllowed, mustBeSignedIn } from '../../slack/desk/admission.ts';
import type { Desk, Doorkeeper, Voice } from '../../slack/desk/desk.ts';
import type { Interaction, Speaker } from '../../slack/desk/interaction.ts';
import { reactTo, reactToForm } from '../../slack/desk/reaction.ts';
import { onJob } from '../../slack/messages/jobClicks.ts';
import { offerSignIn } from '../../slack/signIn/signIn.ts';
import type { Command } from '../../slack/words/commandText.ts';
import { type FormShower, openForJob, openScheduleForm, openToChange } from './form/openSchedule.ts';
import { linksToRuns, type ScheduleActor, scheduleByForm, setSchedule, tellOutcome } from './form/setSchedule.ts';
import type { ScheduleAct, ScheduleOutcome } from './mayAct.ts';
import { includeMore } from './run/askForMore.ts';
import { byNextRun, schedules } from './schedule.ts';
import { type SeenSchedule, scheduleActions } from './scheduleActions.ts';
import {
  deleteSchedule,
  leaveMemberOut,
  pauseSchedule,
  resumeSchedule,
  runNow,
  takeOverSchedule,
} from './scheduleActs.ts';
import { scheduleFault } from './scheduleRules.ts';
import { fittingSchedules, mostShown, schedulesList } from './schedulesList.ts';

const unknown = 'I can’t find this schedule: it was deleted.';

/** Reacts to the buttons of schedules, and to their form. */
export const scheduleReactions = [
  onSeen(scheduleActions.runNow, (sets, act, { id }) => runNow(sets, act, id)),
  onSeen(scheduleActions.pause, pauseSchedule),
  onSeen(scheduleActions.resume, resumeSchedule),
  onSeen(scheduleActions.delete, deleteSchedule),
  onSeen(scheduleActions.takeOver, takeOverSchedule),
  acting(scheduleActions.leaveOut, (sets, act, { d }) => leaveMemberOut(sets, act, d)),
  acting(scheduleActions.include, (sets, act, { n: most }) => includeMore(sets, act, most)),
  reactTo(scheduleActions.change, { perform: openChange }),
  reactTo(scheduleActions.ofJob, { perform: openOfJob }),
  reactTo(scheduleActions.new, {
    async perform(desk: Voice & Desk<'credentials' | 'account' | 'people'>, interaction) {
      await mustBeSignedIn(desk, interaction);
      const zone = zoneOrUtc(await desk.people.zoneOf(interaction));
      return openScheduleForm(desk, interaction, { work: null, zone });
    },
  }),
  reactTo(scheduleActions.signIn, { perform: offerSignIn }),
  reactToForm(scheduleByForm, { perform: setSchedule }),
];

/** A click that changes a schedule: it is stored before Slack hears that it was taken, and done once. */
function acting<Carried extends Readonly<{ s: string }>>(action: Action<Carried>, act: ActOn<Carried>) {
  return reactTo(action, {
    acts: () => true,
    async perform(desk: ScheduleActor, interaction, carried) {
      const { team, person, channel } = interaction;
      const done = await act(desk.sets, { team, person, channel, id: carried.s }, carried, interaction);
      return tellOutcome(desk, interaction, carried.s, done);
    },
  });
}

type ActOn<Carried> = (
  ...by: [sets: ScheduleActor['sets'], who: ScheduleAct, carried: Carried, interaction: Interaction]
) => Promise<ScheduleOutcome>;

/** A click on a schedule as the person saw it. */
function onSeen(action: Action<SeenSchedule>, act: ActOn<Interaction>) {
  return acting(action, (sets, who, { n: revision }, by) => act(sets, { ...who, revision }, by, by));
}

/** `schedules`: a person’s own ones and those of the channel; for those who approve, all of the workspace. */
export async function listSchedules(
  desk: Judge & Desk<'jobs' | 'things' | 'names' | 'workspace'>,
  interaction: Speaker,
  { words: [, ...words] }: Pick<Command, 'words'>,
): Promise<Content> {
  const { team, person, channel, names } = { ...interaction, names: desk.names };
  const isApprover = await surelyApproves(desk, { team, person });
  const all = await desk.things.list(schedules, { team });
  const seen = all
    .filter(schedule => isApprover || schedule.person === person || schedule.channel === channel)
    .toSorted(byNextRun);
  const links = await linksToRuns(desk, fittingSchedules(seen, words).slice(0, mostShown));
  return schedulesList(seen, { person, isApprover, words, names, links });
}

async function openChange(
  desk: FormShower & Desk<'things'>,
  interaction: Interaction,
  { s: id, n }: SeenSchedule,
): Promise<Content | undefined> {
  const schedule = await desk.things.find(schedules, id);
  if (schedule?.team !== interaction.team || schedule.state === 'deleted') return said(unknown);
  if (schedule.person !== interaction.person)
    return said(`Only its owner ${mentionOf(schedule.person)} can change this schedule.`);
  if (schedule.revision !== n) desk.log.info({ schedule: id }, 'a schedule is changed from an older message');
  return openToChange(desk, interaction, schedule);
}

function openOfJob(desk: Voice & Doorkeeper & Desk<'jobs' | 'account'>, interaction: Interaction, id: string) {
  return onJob(desk, interaction, id, async job => {
    const operation = operationOf(job);
    const unfit = scheduleFault(desk.policy, operation);
    if (unfit !== undefined) return said(plain(unfit, 500));
    await mustBeSignedIn(desk, interaction);
    await mustBeAllowed(desk, interaction, operation);
    return openForJob(desk, interaction, job);
  });
}
