import { within } from '../../ground/remembered.ts';
import { zoneOrUtc } from '../../jobs/schedules/zone.ts';
import { writeValues } from '../../operations/fields.ts';
import { type Content, said } from '../blocks/blocks.ts';
import type { Desk } from '../desk/desk.ts';
import type { Use } from '../desk/use.ts';
import { chooser } from '../records/chooser.ts';
import { openScheduleForm, type ScheduleOpening } from './openSchedule.ts';
import { readWork, type TypedWork } from './scheduledWork.ts';

/** The longest wait for the names in a request before its form opens, in milliseconds: a trigger lives for 3 s. */
const patience = 1_500;

/**
 * Opens the form for work that was typed or that a preset holds. Its records are looked up before; names that are not
 * found in time are looked up once the form is submitted. Returns the answer where something is wrong.
 * @throws {Failure} `signed-out`, or where the records cannot be read now
 */
export async function openForWork(
  desk: Desk,
  use: Use,
  typed: TypedWork,
  times: Partial<Pick<ScheduleOpening, 'zone' | 'tells' | 'runsAs'>> = {},
): Promise<Content | undefined> {
  const { operation, inputs, preset } = typed;
  const [read, zone] = await Promise.all([
    within(desk.clock, patience, readWork(desk, use, typed)),
    times.zone ?? desk.people.zoneOf(use).then(zoneOrUtc),
  ]);
  if (read?.type === 'fault') return said(read.sentence, chooser(['schedule', ...operation.words], read.near));
  if (!read && preset) return said('The service has not answered in time, so nothing was scheduled. Please ask again.');
  const texts = read ? { i: writeValues(read.values), l: { ...read.labels } } : { i: { ...inputs }, l: {} };
  return openScheduleForm(desk, use, { ...times, zone, work: { o: operation.name, ...texts } });
}
