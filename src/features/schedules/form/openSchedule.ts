import { Rhythm } from '../../../ground/calendar.ts';
import { parseJson } from '../../../ground/json.ts';
import { zoneOrUtc } from '../../../ground/zone.ts';
import { endOfSignIn } from '../../../jobs/approval/people/identity.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import { cut } from '../../../slack/blocks/limits.ts';
import type { Desk, Voice } from '../../../slack/desk/desk.ts';
import type { Interaction } from '../../../slack/desk/interaction.ts';
import { openView } from '../../../slack/desk/views.ts';
import { timesToType } from '../../../slack/messages/scheduleTimes.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Schedule } from '../schedule.ts';
import { scheduleAsks } from '../scheduleLines.ts';
import { rhythmFields } from './rhythmFields.ts';
import type { ScheduleDraft, ScheduledWork } from './scheduleDraft.ts';
import { scheduleForm } from './scheduleForm.ts';

/** The longest sentence on top of the form, in characters: it is carried through Slack with the form. */
const longestHead = 500;

/**
 * What is known of a schedule when its form opens. Without a sentence on top, the form has one about the work; without a
 * channel, the one in which the person asks.
 */
export type ScheduleOpening = Pick<ScheduleDraft, 'work' | 'zone'> &
  Partial<Pick<ScheduleDraft, 'head' | 'channel' | 'tells' | 'runsAs' | 'operation' | 'signIn'>> &
  Readonly<{ rhythm?: Rhythm | undefined }>;

/** Opens forms of schedules. */
export type FormShower = Voice & Desk<'account' | 'credentials'>;

/** The sign-in of a person as the form shows it: as whom, and until when as far as the service tells it. */
export async function signInShown({ credentials, clock }: Desk<'credentials' | 'clock'>, owner: Owner) {
  const credential = await credentials.find(owner);
  return credential && { username: credential.username, until: endOfSignIn(credential, clock.now()) };
}

/** The content of a form that opens. */
export function scheduleDraft(desk: Desk<'account'>, place: string, opening: ScheduleOpening): ScheduleDraft {
  const { work, zone, head = headOf(work), rhythm, operation } = opening;
  const { channel = place, tells = 'all', runsAs = 'owner' } = opening;
  return {
    ...{ place, zone, work, head: cut(head, longestHead), tells, runsAs, channel, operation },
    // What was chosen once stays to be seen.
    offersAccount: desk.account !== undefined || runsAs === 'service',
    signIn: opening.signIn,
    rhythm: rhythmFields(rhythm),
  };
}

/** Opens the form of a schedule. @throws {Failure} with a sentence if Slack did not take it */
export async function openScheduleForm(desk: FormShower, interaction: Interaction, opening: ScheduleOpening) {
  const { team, person, channel } = interaction;
  const signIn = await signInShown(desk, { team, person });
  const draft = scheduleDraft(desk, channel, { ...opening, signIn });
  await openView(desk, interaction, scheduleForm(draft, desk.clock.now()));
  return undefined;
}

/** Opens the form that puts the work of a job on a schedule. */
export async function openForJob(desk: FormShower & Desk<'people'>, interaction: Interaction, job: Job) {
  const head = headFor(scheduleAsks({ kind: 'job', ...job }));
  const zone = zoneOrUtc(await desk.people.zoneOf(interaction));
  return openScheduleForm(desk, interaction, { work: { j: job.id }, zone, head });
}

/** Opens the form that changes when and how a schedule runs. */
export async function openToChange(desk: FormShower, interaction: Interaction, schedule: Schedule) {
  const { id, revision, zone, channel, tells, runsAs } = schedule;
  const anew = runsAs === 'service' ? ' After a change, I ask the approvers again.' : '';
  const head = `Until now: ${scheduleAsks(schedule)} ${timesToType(schedule)}.${anew}`;
  const rhythm = Rhythm.safeParse(parseJson(schedule.rhythm)).data;
  const work = { s: id, n: revision };
  return openScheduleForm(desk, interaction, { work, zone, head, rhythm, channel, tells, runsAs });
}

function headOf(work: ScheduledWork): string {
  const operation = work && 'o' in work ? jobOperation(work.o) : undefined;
  if (!work || !('o' in work) || !operation) return 'What should run by itself, and when?';
  const { o, i: values, l: labels } = work;
  const target = values[operation.target] ?? '';
  return headFor(
    scheduleAsks({ kind: 'job', operation: o, values, labels, target, targetName: labels[target] ?? null }),
  );
}

function headFor(asks: string): string {
  return `When should I ${asks}?`;
}
