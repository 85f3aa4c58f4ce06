import { parseIdentifier } from '../../api/identifiers.ts';
import { digestOfPermitted } from '../../jobs/approval/facts/digest.ts';
import { inspect } from '../../jobs/approval/facts/inspection.ts';
import { faultByPolicy } from '../../jobs/approval/policy/fieldRules.ts';
import { doesHarm, marksOfName } from '../../jobs/approval/sameAsShown.ts';
import { lapseOfApproval } from '../../jobs/approval/standingApproval.ts';
import { check, leftOut, newJob } from '../../jobs/newJob.ts';
import type { FactReader, Judge, Mover } from '../../jobs/parts.ts';
import type { Field, JobOperation, Values } from '../../operations/operation.ts';
import { workflowRequest } from '../../operations/requests/workflowRequest.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { filledUnseen } from '../../slack/forms/fill/fillForm.ts';
import { fitChoices, recordInputs } from '../../slack/forms/fill/inputsInWords.ts';
import { stepsByValues } from '../../slack/forms/plans/formSteps.ts';
import { fillOpen } from '../../slack/forms/presets/fillFromPreset.ts';
import { openFields } from '../../slack/forms/presets/presetWords.ts';
import type { NewJob } from '../../store/jobs/rows/job.ts';
import { type Consent, calledOtherwise, consentOf, consents } from './consent/consent.ts';
import { endConsent, faultOfPace, timeOfConsent } from './consent/consentLapse.ts';
import { type Execution, executions } from './execution.ts';
import type { ExecutionSight } from './nextOfExecution.ts';
import { accountIsOut, type PreparedStep, prepareStep, type StepPreparer, type StepWork } from './prepareStep.ts';

/** Asks for the consent of a step, and makes its work ready. */
export type StepAsker = FactReader & Mover & Desk<'things' | 'fieldRules'> & Readonly<{ steps: StepPreparer }>;

/** Prepares an execution, and looks whether its consent is given; where it is, its work is made ready. */
export async function lookAtAsked(desk: StepAsker, execution: Execution): Promise<ExecutionSight> {
  const { things } = desk;
  const prepared = await prepareStep(desk.steps, execution);
  if (typeof prepared === 'string') return { saw: 'end', result: { error: prepared } };
  const { owner, asked, work } = prepared;
  const { needed, consent } = await findConsent(desk, prepared);
  switch (consent?.state) {
    case 'given': {
      const now = desk.clock.now();
      const { isOver, renewal } = timeOfConsent(desk.policy, consent, now);
      if (isOver) {
        await endConsent(desk, consent, 'its time ran out');
        return { saw: 'end', result: { error: await notAllowed(desk, prepared) } };
      }
      const { workflow } = asked;
      if (work.type === 'wait') return { saw: 'wait', consent, renewal, workflow, hours: work.hours };
      const working = await things.list(executions, { waitsFor: consentOf(consent.id) });
      const pace = faultOfPace(consent, working, now);
      if (pace !== undefined) return { saw: 'end', result: { error: `${pace} Nothing was sent.` } };
      const job = await jobOfStep(desk, execution, { ...prepared, work }, consent);
      if (typeof job === 'string') return { saw: 'end', result: { error: job } };
      return { saw: 'job', consent, renewal, job };
    }
    case 'refused':
    case 'revoked':
      return { saw: 'end', result: { error: await notAllowed(desk, prepared) } };
    default: {
      const never = work.type === 'job' ? faultOfWords(asked.typed, work) : undefined;
      if (never !== undefined) return { saw: 'end', result: { error: never } };
      const { team, person } = owner;
      const all = await things.list(consents, { team, person, withOver: true });
      const open = all.filter(({ state }) => state === 'asked').length;
      return { saw: 'no consent', needed, before: consent, open };
    }
  }
}

/** Finds the consent for a step. One that showed records by other names does not cover those of now: these need their own. */
async function findConsent({ things }: Desk<'things'>, { needed }: PreparedStep) {
  const consent = await things.find(consents, needed.id);
  const others = calledOtherwise(consent?.about, needed.about);
  if (others.length === 0) return { needed, consent };
  const own = { ...needed, id: digestOfPermitted([needed.id, others]) };
  return { needed: own, consent: await things.find(consents, own.id) };
}

/**
 * Says what is wrong with the words of a step, so that it can never run and nobody is asked for it. What only the records
 * tell stays untold until its person has consented: whoever builds workflows would learn from it what that person sees.
 */
function faultOfWords(typed: Readonly<Record<string, string>>, { operation, inputs }: JobStep['work']) {
  const checked = check(operation, fitChoices(operation, inputs).inputs);
  if (checked.ok) return undefined;
  const records = recordInputs(operation, typed).map(({ name }) => name);
  const faults = Object.entries(checked.faults).filter(([name]) => name in typed && !records.includes(name));
  return faults.length === 0 ? undefined : plain(faults.map(([, fault]) => fault).join(' '), 1_000);
}

async function notAllowed(desk: Desk<'people'>, { owner }: PreparedStep): Promise<string> {
  const name = (await desk.people.nameOf(owner)) ?? 'The person in whose name it should run';
  return `${plain(name, 100)} has not allowed this step of this workflow. They can allow it in Dolly’s Home.`;
}

/** A prepared step whose work is a job. */
type JobStep = PreparedStep & Readonly<{ work: Extract<StepWork, { type: 'job' }> }>;

/**
 * Makes the job of a step whose consent is given. Gives the sentence that says why there is none, as mrkdwn.
 * @throws {Failure} where the records cannot be read now
 */
async function jobOfStep(
  desk: FactReader & Desk<'fieldRules'>,
  execution: Execution,
  prepared: JobStep,
  consent: Consent,
): Promise<NewJob | string> {
  const { owner, asked, work } = prepared;
  const { operation, faults } = work;
  if (faults.length > 0) return faults.join('\n');
  const { inputs, labels } = await filledIn(desk, prepared);
  const open = openFields(inputs);
  if (work.preset && open.length > 0)
    return plain(`The preset leaves ${open.join(', ')} open. Give a value for it.`, 500);
  const unused = leftOut(operation, inputs);
  if (unused.length > 0) return plain(`${unused.join('. ')}. Leave it empty.`, 500);
  const checked = check(operation, inputs);
  if (!checked.ok) return plain(Object.values(checked.faults).join(' '), 1_000);
  const { values } = checked;
  const now = desk.clock.now();
  const unfit = faultByPolicy(desk, operation, inputs);
  if (unfit) return plain(unfit.sentence, 500);
  const plan = stepsByValues({ owner, operation, inputs, values, metadata: { request: '', channel: '', labels } });
  if (plan.type === 'fault' || plan.type === 'changed')
    return plain(plan.type === 'fault' ? plan.sentence : 'The records have changed.', 500);
  const lapsed = asked.runsAs === null ? undefined : await lapseOf(desk, prepared, consent, values);
  if (lapsed !== undefined) return plain(lapsed, 500);
  const said = `It is a step of the workflow “${asked.workflow}”.`;
  const job = newJob(plan.type === 'plan' ? plan.operation : operation, values, {
    ...{ ...owner, channel: asked.channel, labels, now },
    request: JSON.stringify(['step', execution.id]),
    purpose: asked.why === null ? said : `${asked.why} ${said}`,
    steps: plan.type === 'plan' ? plan.steps : undefined,
    asShown: doesHarm(operation) ? marksOfName(inputs[operation.target], labels) : undefined,
  });
  return { ...job, execution: execution.id, runsAs: asked.runsAs };
}

/** The inputs with what is filled in where nothing is given, as in a form: the next free port, and so on. */
async function filledIn(desk: FactReader & Desk<'fieldRules'>, { runner, work }: JobStep) {
  const { operation, labels, preset } = work;
  const fitted = fitChoices(operation, work.inputs).inputs;
  const before = preset ? fillOpen(operation, fitted, labels) : fitted;
  const form = { owner: runner, operation, inputs: before };
  return filledUnseen(desk, form, { labels, preset }, isFilledBy(operation));
}

/**
 * The fields that are filled in with nobody at the screen: those that must be new, or of which there is one choice. Where
 * a clone goes, and of which kind it is, only people say; a renewal keeps what the clone had.
 */
function isFilledBy(operation: JobOperation): (field: Field) => boolean {
  if (operation.type === 'plan') return () => true;
  return ({ role, fill, widget, seldom }) =>
    role === 'keepFor' || (role === undefined && !seldom && (fill !== undefined || widget.type === 'record'));
}

/** Says why what was approved may not run with the service account any more; `undefined` where it may. */
async function lapseOf(desk: Judge & Desk<'records'>, { runner, work }: JobStep, consent: Consent, values: Values) {
  const session = await desk.records.session(runner);
  if (!session) throw accountIsOut();
  const target = parseIdentifier(work.inputs[work.operation.target] ?? '');
  if (!target) return 'I could not find its target.';
  return lapseOfApproval(desk, consent, await inspect(session.records, target, values), workflowRequest);
}
