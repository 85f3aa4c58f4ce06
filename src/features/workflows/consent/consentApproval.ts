import { parseIdentifier } from '../../../api/identifiers.ts';
import { showPermission } from '../../../jobs/approval/facts/shownWhole.ts';
import { givenBy } from '../../../jobs/approval/standingApproval.ts';
import { newJob } from '../../../jobs/newJob.ts';
import { workflowRequest } from '../../../operations/requests/workflowRequest.ts';
import { cut } from '../../../slack/blocks/limits.ts';
import type { EndedJob, NewJob } from '../../../store/jobs/rows/job.ts';
import { type EndHook, newsFor } from '../../../store/things/endNews.ts';
import { type Consent, ConsentAbout, type ConsentStep, consents, decided } from './consent.ts';

/*
 * Before a step of a workflow runs with the service account, somebody else than its person approves exactly that. The
 * request for it is a job without steps, like that of a schedule.
 */

/** Max characters of the name of a workflow and of the work in a request. */
const longest = 255;

/** Makes the request that asks those who approve, or gives the sentence that says why there is none. */
export function requestOfConsent(consent: Consent, now: number): NewJob | Readonly<{ fault: string }> {
  const { id, team, person, channel, workflow, revision } = consent;
  const about = ConsentAbout.safeParse(consent.about).data;
  if (!about) return { fault: 'This version of Dolly does not know what it is about.' };
  const { asks, target, targetName, lines } = about;
  if (target === null || !parseIdentifier(target))
    return { fault: 'I could not find its target, so nobody can be asked to approve it.' };
  const shown = showPermission({ Workflow: workflow, Does: asks }, lines);
  if ('fault' in shown) return shown;
  return newJob(
    workflowRequest,
    { [workflowRequest.target]: target, consent: id, workflow, work: asks, ...shown },
    {
      ...{ team, person, channel, now, steps: [] },
      purpose: `The workflow “${cut(workflow, longest)}” should do it by itself.`,
      request: JSON.stringify(['consent', id, revision, 'approve']),
      labels: targetName === null ? {} : { [target]: targetName },
    },
  );
}

/** Says what the end of a job means for a consent: a request that was approved gives it. */
export const consentHook: EndHook = job => {
  const { operation, values } = job;
  if (operation !== workflowRequest.name || typeof values.consent !== 'string') return [];
  return [newsFor(consents, values.consent, consent => consent && stepAfterApproval(consent, job))];
};

/** The step of a consent whose request has ended; `undefined` where it asked anew meanwhile, or was revoked. */
export function stepAfterApproval(consent: Consent, request: EndedJob): ConsentStep | undefined {
  const { id, endedAt: now } = request;
  const { state } = consent;
  if (consent.request !== id || (state !== 'waiting' && state !== 'given')) return undefined;
  const given = givenBy(request, consent.person);
  if ('approvedBy' in given) {
    const { changes, ...step } = decided(consent, 'given', now);
    const { approvedBy } = given;
    return {
      ...step,
      changes: { ...changes, approvedBy, request: null },
      trail: { event: 'consent approved', job: id },
    };
  }
  // What was to be given anew holds until its end where nobody decided; a denial is a word against it.
  if (state === 'given' && request.state !== 'denied') return undefined;
  return {
    ...decided(consent, state === 'given' ? 'revoked' : 'refused', now),
    trail: { event: 'consent refused', job: id, detail: `not approved to run with the service account: ${given.why}` },
  };
}
