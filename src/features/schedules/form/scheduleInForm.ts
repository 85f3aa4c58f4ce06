import { Failure, sentence } from '../../../ground/failure.ts';
import { zoneOrUtc } from '../../../ground/zone.ts';
import { check } from '../../../jobs/newJob.ts';
import { jobOperation } from '../../../operations/catalogue.ts';
import { notice } from '../../../slack/blocks/blocks.ts';
import { plain } from '../../../slack/blocks/limits.ts';
import { mustBeAdmitted, mustBeAllowed } from '../../../slack/desk/admission.ts';
import type { Desk, Doorkeeper, Voice } from '../../../slack/desk/desk.ts';
import { openView } from '../../../slack/desk/views.ts';
import type { SeenForm } from '../../../slack/forms/formState.ts';
import type { Owner } from '../../../store/vault.ts';
import { scheduleFault } from '../scheduleRules.ts';
import { namesAmong } from './openForWork.ts';
import { scheduleDraft } from './openSchedule.ts';
import { scheduleForm } from './scheduleForm.ts';

/** Opens a form on top of another one. */
type TopOpener = Voice & Doorkeeper & Desk<'account'>;

/** Opens the form of a schedule for the values of an open form, on top of it: that one stays, with all that was typed. */
export async function openOnTop(desk: TopOpener, owner: Owner, trigger: string, form: SeenForm): Promise<void> {
  const view = await viewOf(desk, owner, form).catch((error: unknown) => {
    if (!(error instanceof Failure)) throw error;
    return notice('On a schedule', plain(sentence(error), 500));
  });
  await openView(desk, { team: owner.team, trigger, isInForm: true }, view);
}

async function viewOf(desk: TopOpener, owner: Owner, { operation: name, metadata, inputs, labels }: SeenForm) {
  const operation = jobOperation(name);
  if (!operation) throw new Failure('input', 'This form was opened in an older version. Run the command again.');
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
  const draft = scheduleDraft(desk, channel, { work: { o: name, i: { ...inputs }, l: named }, zone });
  return scheduleForm(draft, desk.clock.now());
}
