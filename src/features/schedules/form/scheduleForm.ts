import type { ContextBlock, InputBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { intervals, weekdays } from '../../../ground/calendar.ts';
import { dayNames, sayInterval } from '../../../ground/rhythmWords.ts';
import { sayZone } from '../../../ground/zone.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { inputAction } from '../../../slack/blocks/action.ts';
import { context, input, notice, option, section } from '../../../slack/blocks/blocks.ts';
import { chooseOne, chooseSome, example, searchOne, typeText } from '../../../slack/blocks/inputs.ts';
import { momentAfter } from '../../../slack/blocks/moments.ts';
import { bold, code } from '../../../slack/blocks/mrkdwn.ts';
import { isChannel } from '../../../slack/desk/placeKinds.ts';
import { shortName } from '../../../slack/records/recordBlocks.ts';
import { isSchedulable } from '../scheduleRules.ts';
import type { RhythmKind } from './rhythmFields.ts';
import { carriedOf, rhythmAction, type ScheduleDraft, scheduleModal, targetAction } from './scheduleDraft.ts';

const kindOptions: Readonly<Record<RhythmKind, PlainTextOption>> = {
  days: option('days', 'On days of the week'),
  month: option('month', 'On a day of each month'),
  interval: option('interval', 'Several times a day'),
  cron: option('cron', 'By a cron line'),
};

const dayOptions = weekdays.map(day => option(day, dayNames[day]));

const monthDays = [
  ...Array.from({ length: 30 }, (_, at) => option(String(at + 1), `Day ${at + 1}`)),
  option('last', 'The last day'),
];

const intervalOptions = intervals.map(minutes => option(String(minutes), `Every ${sayInterval(minutes)}`));

const tellsOptions = [
  option('all', 'Each run', 'As for any job: a message, and its end'),
  option('failures', 'What goes wrong', 'Plus one line a day with the number of runs that went well'),
];

const runsOptions = [
  option('owner', 'My own sign-in', 'When it ends, the schedule waits until I sign in again'),
  option('service', 'The service account', 'Needs approval, and again after each change'),
];

/** The form of a schedule: a pure function of its content. A note in its place where Slack cannot carry its values. */
export function scheduleForm(draft: ScheduleDraft, now: number): ModalView {
  const isChange = draft.work !== null && 's' in draft.work;
  const title = isChange ? 'Change schedule' : 'On a schedule';
  const carried = carriedOf(draft);
  if (!scheduleModal.fits(carried))
    return notice(
      title,
      'These values are too long for this form. Ask for the job once, and use the button on its message.',
    );
  const work = draft.work === null ? workInputs(draft) : [];
  const zone = isChange ? zoneInput(draft) : context(`:clock3: Times are in ${bold(sayZone(draft.zone, now), 80)}.`);
  return scheduleModal.view(carried, {
    title,
    submit: isChange ? 'Save' : 'Schedule',
    blocks: [section(draft.head), ...work, ...rhythmInputs(draft), zone, ...messageInputs(draft)],
  });
}

function workInputs({ operation, target }: ScheduleDraft): InputBlock[] {
  const known = catalogue.flatMap(entry => (entry.type !== 'read' && isSchedulable(entry) ? [entry] : []));
  const options = known.map(entry => option(entry.name, choiceLabel(entry), entry.summary));
  const isKnown = options.some(({ value }) => value === operation);
  const chosen = target && option(target.id, target.label);
  return [
    input('operation', 'Action', chooseOne('static_select', options, isKnown ? operation : options[0]?.value)),
    input('target', 'On', { ...searchOne('Database, clone or environment', chosen), action_id: targetAction }),
  ];
}

/** An operation with the kind of its target, since several have the same name: “Refresh (environment)”. */
function choiceLabel(operation: JobOperation): string {
  const target = operation.fields.find(({ name }) => name === operation.target);
  return `${shortName(operation)} (${target?.label.toLowerCase() ?? ''})`;
}

function rhythmInputs({ rhythm: { kind, days, day, interval, cron, at } }: ScheduleDraft): InputBlock[] {
  const kinds = { ...chooseOne('static_select', Object.values(kindOptions), kind), action_id: rhythmAction };
  const line = typeText(cron, { max_length: 100, example: '0 2 * * 1-5' });
  const inputs: Readonly<Record<RhythmKind, readonly InputBlock[]>> = {
    days: [input('days', 'Days', chooseSome('checkboxes', dayOptions, days)), timeInput('At', at)],
    month: [
      input('day', 'Day', chooseOne('static_select', monthDays, day), { hint: 'In a shorter month, on its last day' }),
      timeInput('At', at),
    ],
    interval: [
      input('interval', 'How often', chooseOne('static_select', intervalOptions, interval)),
      { ...timeInput('One of the runs is at', at), optional: true },
    ],
    cron: [input('cron', 'Cron line', line, { hint: 'Minute, hour, day of the month, month, day of the week' })],
  };
  return [input('repeats', 'Repeats', kinds, { dispatch_action: true }), ...inputs[kind]];
}

/** The zone of the times, where they are changed: a new schedule takes it from Slack, or from the command. */
function zoneInput({ zone }: ScheduleDraft): InputBlock {
  return input('zone', 'Time zone of these times', typeText(zone, { max_length: 60 }), {
    hint: 'Such as Europe/Berlin',
  });
}

function timeInput(label: string, at: string): InputBlock {
  const initial = /^\d\d:\d\d$/.test(at) ? { initial_time: at } : {};
  return input('at', label, { type: 'timepicker', action_id: inputAction, ...initial });
}

/** Says with whose sign-in the schedule runs, and until when that lasts as far as the service tells it. */
function signInLine({ signIn, offersAccount }: ScheduleDraft): ContextBlock[] {
  const whose = signIn ? `your sign-in as ${code(signIn.username, 80)}` : 'your sign-in, once you are signed in';
  const lasts = signIn?.until === undefined ? '' : `, which lasts ${momentAfter('until', signIn.until)}`;
  const instead = offersAccount
    ? 'With the service account it goes on without you'
    : 'My operator can set up a service account, so that it goes on without you';
  return [
    context(`:key: It runs with ${whose}${lasts}. When that ends, it waits until you sign in again. ${instead}.`),
  ];
}

function messageInputs(draft: ScheduleDraft): KnownBlock[] {
  const { channel, tells, runsAs, offersAccount } = draft;
  const place = input('channel', 'Messages go to', {
    type: 'conversations_select',
    action_id: inputAction,
    filter: { include: ['public', 'private'], exclude_bot_users: true },
    ...example('Your direct messages with me'),
    // A direct message stands for the owner, and is no channel that the picker knows.
    ...(channel !== undefined && isChannel(channel) ? { initial_conversation: channel } : {}),
  });
  const told = input('tells', 'Tell about', chooseOne('radio_buttons', tellsOptions, tells));
  const runs = input('runs', 'Runs with', chooseOne('radio_buttons', runsOptions, runsAs));
  return [{ ...place, optional: true }, told, ...(offersAccount ? [runs] : []), ...signInLine(draft)];
}
