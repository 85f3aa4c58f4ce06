import { within } from '../../../ground/within.ts';
import { zoneOrUtc } from '../../../ground/zone.ts';
import { writeValues } from '../../../operations/fields.ts';
import { namesAmong } from '../../../operations/plans/plan.ts';
import { type Content, said } from '../../../slack/blocks/message.ts';
import type { Desk } from '../../../slack/desk/desk.ts';
import type { Interaction } from '../../../slack/desk/interaction.ts';
import { chooser } from '../../../slack/records/chooser.ts';
import type { FoundWork } from '../scheduleActs.ts';
import { type FormShower, openScheduleForm, type ScheduleOpening } from './openSchedule.ts';
import { readWork, type TypedWork, type WorkReader } from './scheduledWork.ts';

/** The longest wait for the names in a request before its form opens, in milliseconds: a trigger lives for 3 s. */
const patience = 1_500;

/** The texts of work for the form, with the names of the identifiers among them. */
function textsOf({ values, labels }: FoundWork): Readonly<{ i: Record<string, string>; l: Record<string, string> }> {
  const texts = writeValues(values);
  return { i: texts, l: namesAmong(texts, labels) };
}

/** Opens the form of a schedule. */
export type ScheduleOpener = FormShower & Desk<'people'> & Readonly<{ work: WorkReader }>;

/**
 * Opens the form for work that was typed or that a preset holds. Its records are looked up before; names that are not
 * found in time are looked up once the form is submitted. Returns the answer where something is wrong.
 * @throws {Failure} `signed-out`, or where the records cannot be read now
 */
export async function openForWork(
  desk: ScheduleOpener,
  interaction: Interaction,
  typed: TypedWork,
  times: Partial<Pick<ScheduleOpening, 'zone' | 'tells' | 'runsAs'>> = {},
): Promise<Content | undefined> {
  const { operation, inputs, preset } = typed;
  const [read, zone] = await Promise.all([
    within(desk.clock, patience, readWork(desk.work, interaction, typed)),
    times.zone ?? desk.people.zoneOf(interaction).then(zoneOrUtc),
  ]);
  if (read?.type === 'fault') return said(read.sentence, chooser(['schedule', ...operation.words], read.near));
  if (!read && preset) return said('The service did not answer in time, so I scheduled nothing. Please ask again.');
  const texts = read ? textsOf(read) : { i: { ...inputs }, l: {} };
  return openScheduleForm(desk, interaction, { ...times, zone, work: { o: operation.name, ...texts } });
}
