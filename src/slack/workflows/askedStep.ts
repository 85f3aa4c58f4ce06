import { hour, minute } from '../../ground/durations.ts';
import { type GrantNotice, grantNoticeKind } from '../../jobs/workflows/grantAbout.ts';
import type { Execution } from '../../store/tables/executionRows.ts';
import type { NewNotice } from '../../store/tables/notices.ts';
import { plain } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import { type JobStep, jobOfStep } from './beginStep.ts';
import { endWith, type NextStep, stepPause } from './nextStep.ts';
import { type PreparedStep, prepareStep } from './prepareStep.ts';
import { readStepInputs } from './stepInputs.ts';

/** Max questions that one person is asked at a time: whoever builds workflows could ask them for ever. */
const mostOpen = 5;

/** Prepares an execution, asks for the leave that it needs, or begins its work. */
export async function nextOfAsked(desk: Desk, execution: Execution): Promise<NextStep> {
  const { clock, grants } = desk;
  const prepared = await prepareStep(desk, execution);
  if (typeof prepared === 'string') return endWith(desk, { error: prepared });
  const grant = await grants.find(prepared.grant.id);
  switch (grant?.state) {
    case 'given': {
      const { work } = prepared;
      const begun = { ...prepared, work };
      if (!isJobStep(begun)) return beginWaiting(desk, begun);
      const job = await jobOfStep(desk, execution, begun, grant);
      if (typeof job === 'string') return endWith(desk, { error: job });
      return {
        changes: {
          state: 'running',
          hold: null,
          grantId: grant.id,
          job: job.id,
          dueAt: clock.now() + stepPause,
          tries: 0,
        },
        ...{ job, grant: grant.id, outcome: 'It goes on.' },
      };
    }
    case 'refused':
    case 'revoked':
      return endWith(desk, { error: await notAllowed(desk, prepared) });
    default:
      return askLeave(desk, execution, prepared, grant === undefined);
  }
}

function isJobStep(prepared: PreparedStep): prepared is JobStep {
  return prepared.work.type === 'job';
}

async function notAllowed(desk: Desk, { owner }: PreparedStep): Promise<string> {
  const name = (await desk.people.nameOf(owner)) ?? 'The person in whose name it is to run';
  return `${plain(name, 100)} has not allowed this step of this workflow. They can allow it in Dolly’s Home.`;
}

async function askLeave(desk: Desk, execution: Execution, prepared: PreparedStep, isNew: boolean): Promise<NextStep> {
  const { clock, grants, executions } = desk;
  const { owner, grant: asked } = prepared;
  const now = clock.now();
  if (now >= execution.deadlineAt)
    return endWith(desk, {
      error: 'Nobody allowed this step of the workflow in time. Run the workflow again once it is allowed.',
    });
  if (isNew && (await grants.openOf(owner)) >= mostOpen)
    return endWith(desk, { error: 'The person in whose name it is to run has too many questions of workflows open.' });
  const { id, team, person, workflow, channel, runsAs, about } = asked;
  const data = { what: 'asks', grant: id, revision: 1, workflow, channel, runsAs, about };
  const notice: NewNotice = {
    id: `grant ${id}`,
    subject: id,
    team,
    kind: grantNoticeKind,
    createdAt: now,
    data,
    to: { person },
  };
  const meanwhile = { dueAt: execution.deadlineAt };
  const grant = await executions.askLeave(execution, { grant: asked, notice, meanwhile }, now);
  if (isNew) desk.tell();
  // Another release knows what it says.
  if (!grant) return { pause: minute };
  // Where it was decided at this moment, what follows is seen at the next turn.
  return grant.state === 'asked' || grant.state === 'waiting' ? undefined : { pause: 0 };
}

function beginWaiting(desk: Desk, { asked, grant, work }: PreparedStep): NextStep {
  const now = desk.clock.now();
  const hours = work.type === 'wait' ? work.hours : 0;
  const waits = { state: 'running', hold: null, grantId: grant.id, deadlineAt: now + hours * hour } as const;
  return {
    changes: { ...waits, dueAt: now, tries: 0 },
    ...{ grant: grant.id, outcome: 'It goes on.' },
    trail: { event: 'step begun', detail: `in the workflow ${asked.workflow}` },
  };
}

/** Lets an execution wait for the sign-in of its person, who is told once. */
export async function waitForSignIn(desk: Desk, execution: Execution): Promise<NextStep> {
  const { id, team, person, step, deadlineAt, hold } = execution;
  const asked = readStepInputs(execution);
  const now = desk.clock.now();
  // A process that was killed may have kept a sign-in and woken nothing.
  const dueAt = Math.min(now + stepPause, deadlineAt);
  if (hold === 'sign-in' || person === null || typeof asked === 'string') return { pause: dueAt - now };
  const data: GrantNotice = { what: 'signed out', workflow: asked.workflow, title: asked.title };
  const notice = { id: `${id} sign-in ${execution.revision}`, subject: id, team, kind: grantNoticeKind };
  return {
    changes: { hold: 'sign-in', dueAt },
    trail: { event: 'step waits', detail: `${step}: for the sign-in of its person` },
    notices: [{ ...notice, createdAt: now, data, to: { person } }],
  };
}
