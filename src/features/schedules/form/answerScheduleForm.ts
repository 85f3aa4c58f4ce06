import { Failure, sentence } from '../../../ground/failure.ts';
import { readZone, zoneOrUtc } from '../../../ground/zone.ts';
import { check } from '../../../jobs/newJob.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import { faultIn } from '../../../operations/fields.ts';
import { namesAmong } from '../../../operations/plans/plan.ts';
import { notice } from '../../../slack/blocks/blocks.ts';
import { plain } from '../../../slack/blocks/mrkdwn.ts';
import { mustBeAdmitted, mustBeAllowed } from '../../../slack/desk/admission.ts';
import { channelFault } from '../../../slack/desk/channelFault.ts';
import type { Desk, Doorkeeper, Voice } from '../../../slack/desk/desk.ts';
import type { Offering, UseInForm } from '../../../slack/desk/reaction.ts';
import { faultAt, formOfAnotherRelease, keep, onSubmit } from '../../../slack/desk/submission.ts';
import { openView, replaceView } from '../../../slack/desk/views.ts';
import { whoIn } from '../../../slack/desk/who.ts';
import { scheduleInForm } from '../../../slack/forms/formModal.ts';
import { readView, type SeenForm } from '../../../slack/forms/formState.ts';
import { type ChoiceReader, choices, optionsInTime, unfilled } from '../../../slack/forms/pickers.ts';
import type { Owner } from '../../../store/vault.ts';
import { scheduleFault } from '../scheduleRules.ts';
import { scheduleDraft, signInShown } from './openSchedule.ts';
import { rhythmInFields } from './rhythmFields.ts';
import {
  draftIn,
  readScheduleForm,
  redrawnDraft,
  rhythmAction,
  type ScheduleDraft,
  scheduleModal,
  targetAction,
} from './scheduleDraft.ts';
import { scheduleForm } from './scheduleForm.ts';
import { scheduleByForm } from './setSchedule.ts';

/** The picker of targets inside the form of schedules. */
export const scheduledTarget: Offering<Voice & Desk<'people' | 'records'>> = {
  id: targetAction,
  async offer(desk, body) {
    const draft = readScheduleForm(body.view);
    const owner = whoIn(body);
    const options = mustBeAdmitted(desk, owner).then(() => targetsFor(desk, { owner, draft, typed: body.value }));
    const shown = options.catch((error: unknown) => {
      desk.log.info({ error }, 'a picker could not be filled');
      return unfilled(error);
    });
    return { options: await optionsInTime(desk.clock, shown) };
  },
};

/** The menu that draws the form of schedules anew, and the button inside other forms that leads to it. */
export const scheduleInForms: readonly UseInForm<TopOpener>[] = [
  {
    id: rhythmAction,
    use(desk, body) {
      const draft = readScheduleForm(body.view);
      if (!draft || !body.view) return undefined;
      const { team } = whoIn(body);
      const { id, hash } = body.view;
      return replaceView(desk, { team, id, hash }, scheduleForm(redrawnDraft(draft), desk.clock.now()));
    },
  },
  {
    id: scheduleInForm.id,
    use(desk, body) {
      const form = readView(body.view);
      return form && openOnTop(desk, whoIn(body), body.trigger_id, form);
    },
  },
];

/** Opens a form on top of another one. */
type TopOpener = Voice & Doorkeeper & Desk<'account'>;

/** Opens the form of a schedule for the values of an open form, on top of it: that one stays, with all that was typed. */
async function openOnTop(desk: TopOpener, owner: Owner, trigger: string, form: SeenForm): Promise<void> {
  const view = await viewOf(desk, owner, form).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return notice('On a schedule', plain(sentence(error), 500));
  });
  await openView(desk, { team: owner.team, trigger, isInForm: true }, view);
}

async function viewOf(desk: TopOpener, owner: Owner, { operation: name, metadata, inputs, labels }: SeenForm) {
  const operation = jobOperation(name);
  if (!operation) throw new Failure('input', formOfAnotherRelease);
  const { channel } = metadata;
  await mustBeAdmitted(desk, owner);
  await mustBeAllowed(desk, { ...owner, channel }, operation);
  const unfit = scheduleFault(desk.policy, operation);
  if (unfit !== undefined) throw new Failure('input', unfit);
  const checked = check(operation, inputs, metadata.needed);
  if (!checked.ok)
    throw new Failure('input', `Fill in the form first. ${Object.values(checked.faults).slice(0, 3).join(' ')}`);
  const zone = zoneOrUtc(await desk.people.zoneOf(owner));
  const known = { ...metadata.labels, ...labels };
  const named = namesAmong(inputs, known);
  const signIn = await signInShown(desk, owner);
  const draft = scheduleDraft(desk, channel, { work: { o: name, i: { ...inputs }, l: named }, zone, signIn });
  return scheduleForm(draft, desk.clock.now());
}

/** Keeps the schedule that the form asks for. */
export const scheduleSubmission = onSubmit(
  scheduleModal,
  async (desk: Desk<'clock' | 'log' | 'slack'>, { team, person, carried, fields }) => {
    const asked = askedIn(draftIn({ carried, fields }), person, desk.clock.now());
    if ('fault' in asked) return faultAt(asked.block, asked.fault);
    const closed = await channelFault(desk, team, asked.channel);
    return closed === undefined ? keep(scheduleByForm, asked) : faultAt('channel', closed);
  },
);

/** The schedule that a form asks for, or the block and the sentence of what is wrong. */
function askedIn(draft: ScheduleDraft, person: string, now: number) {
  const { tells, runsAs, channel = person, operation, target } = draft;
  const known = readZone(draft.zone);
  if ('fault' in known) return { block: 'zone', fault: known.fault.replaceAll('zone=', '') };
  const { zone } = known;
  const read = rhythmInFields(draft.rhythm, { zone, now });
  if ('fault' in read) return read;
  const times = { rhythm: read.rhythm, zone, tells, runsAs, channel };
  if (draft.work !== null) return { work: draft.work, ...times };
  const chosen = jobOperation(operation ?? '');
  const field = chosen?.fields.find(({ name }) => name === chosen.target);
  if (!chosen || !target || !field) return { block: 'target', fault: 'Choose one.' };
  const wrong = faultIn(field, target.id);
  if (wrong !== undefined) return { block: 'target', fault: wrong };
  return { work: { o: chosen.name, i: { [chosen.target]: target.id }, l: { [target.id]: target.label } }, ...times };
}

/** What somebody typed in the picker of a form. */
type TypedTarget = Readonly<{ owner: ReturnType<typeof whoIn>; draft: ScheduleDraft | undefined; typed: string }>;

/** The records that the chosen operation can be about. */
async function targetsFor(desk: ChoiceReader, { owner, draft, typed }: TypedTarget) {
  const operation = jobOperation(draft?.operation ?? '');
  const field = operation?.fields.find(({ name }) => name === operation.target);
  if (!operation || !field) return [];
  return choices(desk, { owner, operation, field, chosen: {}, typed });
}
