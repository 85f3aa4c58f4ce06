import { readRhythm } from '../../ground/rhythmWords.ts';
import { readZone, zoneOrUtc } from '../../ground/zone.ts';
import { catalogue, findOperation, jobOperation } from '../../operations/catalogue.ts';
import { isBackup } from '../../operations/databases.ts';
import { type Operation, targetNouns } from '../../operations/operation.ts';
import { environmentBatchNameOf, isForBatches } from '../../operations/plans/batch.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { code, plain } from '../../slack/blocks/mrkdwn.ts';
import { unknown } from '../../slack/commands/unknown.ts';
import { mustBeAllowed, mustBeSignedIn } from '../../slack/desk/admission.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { isChannel } from '../../slack/desk/placeKinds.ts';
import { namedIn, namedTwice } from '../../slack/forms/fill/inputsInWords.ts';
import { presetBlock } from '../../slack/forms/presets/presetWords.ts';
import { commandButton } from '../../slack/words/commandActions.ts';
import { type Command, takeInput } from '../../slack/words/commandText.ts';
import { openForWork, type ScheduleOpener } from './form/openForWork.ts';
import { openScheduleForm } from './form/openSchedule.ts';
import type { TypedWork } from './form/scheduledWork.ts';
import { type ScheduleSetter, setSchedule } from './form/setSchedule.ts';
import { faultToType } from './scheduleLines.ts';
import { isSchedulable, scheduleFault } from './scheduleRules.ts';
import { hasRhythm, readScheduleWords, type ScheduleWords } from './scheduleWords.ts';

/** Whether a command makes a schedule at once, and opens no form: it says the times. */
export function schedulesAtOnce(command: Command): boolean {
  const read = readScheduleWords(command);
  return !('fault' in read) && hasRhythm(read);
}

/**
 * Answers `schedule <command …>`: makes the schedule where the command says its times, else opens the form.
 * @throws {Failure} `signed-out`, `forbidden`, or where the records cannot be read now
 */
export async function scheduleOf(
  desk: ScheduleSetter & ScheduleOpener & Desk<'names' | 'house'>,
  interaction: Interaction,
  typed: Command,
): Promise<Content | undefined> {
  const { db } = desk.work.names;
  if (typed.words[1]?.toLowerCase() === 'report')
    return said(`${code(`${db} report daily at=08:30`)} puts a report on a schedule.`);
  const read = readScheduleWords(typed);
  if ('fault' in read) {
    const { fault, meant } = read;
    return said(faultToType(fault), meant ? [commandButton(db, ['schedule', ...meant.words], meant.inputs)] : []);
  }
  await mustBeSignedIn(desk.sets, interaction);
  const { command } = read;
  if (command.words.length === 0) return openFor(desk, interaction, read, undefined);
  const found = findOperation(command.words);
  if (!found) return unknown(desk, { ...typed, words: command.words }, ['schedule']);
  const { operation, rest } = ofEnvironment(found);
  if (operation.type === 'read' || !isSchedulable(operation)) return said(cannotBe(db, operation.words));
  const unfit = scheduleFault(desk.sets.policy, operation);
  if (unfit !== undefined) return said(plain(unfit, 500));
  await mustBeAllowed(desk.sets, interaction, operation);
  const twice = namedTwice(operation, rest, command.inputs);
  if (twice !== undefined) return said(twice);
  if (rest.length === 1 && rest[0]?.toLowerCase() === 'late' && isBackup(operation)) {
    const called = await desk.work.records.of(interaction).find('late', targetNouns(operation));
    if (called.type === 'none') return said(lateOnSchedule(db, operation.words));
  }
  const work = { operation, inputs: { ...namedIn(operation, rest), ...command.inputs } };
  return hasRhythm(read) ? makeAtOnce(desk, interaction, read, work) : openFor(desk, interaction, read, work);
}

/** Reads `backup env:mysql-prod` as the backup of all that stands on that environment. */
function ofEnvironment({ operation, rest }: { operation: Operation; rest: readonly string[] }) {
  const [, environment] = /^env:(.+)$/is.exec(rest.join(' ')) ?? [];
  const name = environment !== undefined && isForBatches(operation) ? environmentBatchNameOf(operation) : undefined;
  const batch = name === undefined ? undefined : jobOperation(name);
  return environment !== undefined && batch ? { operation: batch, rest: [environment] } : { operation, rest };
}

async function makeAtOnce(desk: ScheduleSetter, interaction: Interaction, words: ScheduleWords, work: TypedWork) {
  const { operation, inputs } = work;
  if (!namesTarget(work))
    return said(
      `Say which one: ${code(`${desk.work.names.db} schedule ${operation.words.join(' ')} <name or identifier> …`)}.`,
    );
  const times = await timesIn(desk.work, interaction, words);
  if ('fault' in times) return said(faultToType(times.fault));
  const rhythm = readRhythm(words.rhythm, { zone: times.zone, now: desk.clock.now() });
  if ('fault' in rhythm) return said(faultToType(rhythm.fault));
  const channel = isChannel(interaction.channel) ? interaction.channel : interaction.person;
  const asked = { o: operation.name, i: { ...inputs }, l: {} };
  return setSchedule(desk, interaction, { ...times, rhythm: rhythm.rhythm, channel, work: asked });
}

/** The form for a command without times. */
async function openFor(
  desk: ScheduleOpener,
  interaction: Interaction,
  words: ScheduleWords,
  work: TypedWork | undefined,
): Promise<Content | undefined> {
  const times = await timesIn(desk, interaction, words);
  if ('fault' in times) return said(faultToType(times.fault));
  if (!work || !namesTarget(work))
    return openScheduleForm(desk, interaction, { work: null, operation: work?.operation.name, ...times });
  return openForWork(desk, interaction, work, times);
}

/** Whether a command names its target, itself or by a preset. */
function namesTarget({ operation, inputs }: TypedWork): boolean {
  return inputs[operation.target] !== undefined || takeInput(inputs, presetBlock).text !== undefined;
}

/** The zone and the other words of a command that its form or its schedule takes, or one sentence. */
async function timesIn(
  desk: Desk<'people'>,
  interaction: Interaction,
  { zone: typed, tells = 'all', runsAs = 'owner' }: ScheduleWords,
) {
  const read = typed === undefined ? { zone: zoneOrUtc(await desk.people.zoneOf(interaction)) } : readZone(typed);
  return 'fault' in read ? read : { zone: read.zone, tells, runsAs };
}

/** Says why what is late is nothing for a schedule, and what does that work. */
function lateOnSchedule(db: string, words: readonly string[]): string {
  const command = `schedule ${words.join(' ')} env:mysql-prod every=day at=02:00`;
  return `Which databases are late changes from day to day, so that can’t be scheduled. ${code(`${db} ${command}`)} keeps a whole environment from being late.`;
}

/** Says that an operation is nothing for a schedule, and which ones are. */
function cannotBe(db: string, words: readonly string[]): string {
  const known = catalogue.filter(entry => entry.type !== 'read' && isSchedulable(entry));
  const commands = known.map(one => code(one.words.join(' '))).join(', ');
  return `${code(`${db} ${words.join(' ')}`)} cannot be put on a schedule. These can: ${commands}.`;
}
