import { randomUUID } from 'node:crypto';
import { mayNeedApproval } from '../../jobs/approval/policy/verdict.ts';
import { check, type Inputs, leftOut } from '../../jobs/newJob.ts';
import { asksOnlyForTarget, type JobOperation } from '../../operations/operation.ts';
import type { EarlierRequest } from '../../operations/prefill/formFacts.ts';
import type { Complaint } from '../../operations/serviceComplaints.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Owner } from '../../store/vault.ts';
import { plain } from '../blocks/mrkdwn.ts';
import type { Desk } from '../desk/desk.ts';
import { canBeScheduled } from '../house.ts';
import { takeReason } from '../words/commandText.ts';
import { filledInTime, fillPatience, isToFill, recentInTime } from './fill/fillForm.ts';
import { recordInputs } from './fill/inputsInWords.ts';
import { faultsAt, withNeeded } from './fill/needed.ts';
import { settledAlready } from './fill/settled.ts';
import type { FormFiller } from './formDesk.ts';
import type { FormState, Metadata, RecentTarget } from './formState.ts';
import { type AskedInputs, readAsked } from './presets/askedPreset.ts';
import { inputsFound } from './presets/fillFromPreset.ts';
import { signInLead } from './signInLead.ts';
import { type FormToConfirm, type PageFacts, readPageFacts } from './submit/pageFacts.ts';

/** A person's request for a form: the place, and the inputs, with names or identifiers for records. */
export type FormRequest = Owner &
  Readonly<{ channel: string; thread?: string | undefined; trigger: string; isInForm?: boolean; inputs: Inputs }> &
  Readonly<{
    /** The service's complaints, when the same was asked before. */
    complaints?: readonly Complaint[];
    /** The request that is to be made again, with new values where they must be new. */
    like?: EarlierRequest;
    /** Sentences about the inputs, as mrkdwn. */
    notes?: readonly string[];
    /** The preset that fills the form, where the person chose one before. */
    preset?: Preset;
  }>;

/** What a form shows before the names in it are looked up. */
export type FormStart = Pick<AskedInputs, 'preset'> &
  Pick<FormState, 'metadata' | 'inputs' | 'notes'> &
  Readonly<{
    request: FormRequest;
    /** Names by identifier, as the preset keeps them. */
    labels: FormState['labels'];
    recent: readonly RecentTarget[];
  }>;

/** What it shows then: what is left to fill in, its last page if nothing is, or why there is nothing to do. */
export type FormFound =
  | Readonly<{ state: FormState }>
  | Readonly<{ complete: FormToConfirm; facts: PageFacts }>
  | Readonly<{ settled: string }>;

/** Reads what a form shows when it opens. */
export type FormReader = Readonly<{
  /** What the person asks for, and what the store and the policy say of it, soon enough for the trigger. */
  start(operation: JobOperation, request: FormRequest): Promise<FormStart>;
  /** The records of the names in it, and what else the service and earlier requests show. */
  find(operation: JobOperation, start: FormStart): Promise<FormFound>;
}>;

export function readForms(desk: FormFiller & Desk<'credentials' | 'people' | 'presets' | 'run' | 'house'>): FormReader {
  return {
    async start(operation, request) {
      const { why, others } = takeReason(request.inputs);
      const isNamed = recordInputs(operation, others).length > 0;
      const [{ inputs, notes, offer, preset }, recent] = await Promise.all([
        readAsked(desk, operation, { ...request, inputs: others }),
        isNamed ? [] : recentInTime(desk.pages, request, operation),
      ]);
      const metadata: Metadata = {
        ...{ request: randomUUID(), channel: request.channel, thread: request.thread, chosen: {}, labels: {} },
        ...(mayNeedApproval(desk.pages.policy, operation) ? { asksWhy: true } : {}),
        ...(why ? { why } : {}),
        ...(request.complaints?.length ? { faults: faultsAt(request.complaints) } : {}),
        ...(canBeScheduled(desk, operation) ? { schedules: true } : {}),
        ...offer,
      };
      const labels = preset?.labels ?? {};
      return { request, metadata, inputs, notes: [...(request.notes ?? []), ...notes], preset, labels, recent };
    },
    async find(operation, start) {
      const { request, metadata, notes } = start;
      const { team, person, channel, like } = request;
      const owner = { team, person };
      const found = await inputsFound(desk.pages, owner, operation, start);
      const { inputs, labels: names, left } = found;
      const checked = check(operation, inputs);
      if (checked.ok && operation.warning && asksOnlyForTarget(operation)) {
        const labelled = { ...metadata, labels: names };
        const complete = { owner, operation, metadata: labelled, inputs, values: checked.values };
        const settled = await settledAlready(desk.pages, complete);
        return settled === undefined ? { complete, facts: await readPageFacts(desk.pages, complete) } : { settled };
      }
      const unused = leftOut(operation, inputs).map(fault => `${plain(fault)}, so I left it out.`);
      const before: FormState = {
        metadata: { ...metadata, left },
        ...{ inputs, labels: names, resets: {} },
        notes: [...notes, ...found.notes, ...unused],
        lead: found.signedOut ? await signInLead(desk.greeter, request, channel) : [],
      };
      const state = await withNeeded(desk, operation, before, 'said');
      if (found.signedOut || !isToFill(operation, state)) return { state };
      return { state: await filledInTime(desk.pages, { owner, operation, like }, state, fillPatience) };
    },
  };
}
