import type { FactReader } from '../../jobs/parts.ts';
import { plain } from '../../slack/blocks/limits.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { jobOfStep } from './beginStep.ts';
import { consents } from './consent.ts';
import type { Execution } from './execution.ts';
import type { ExecutionSight } from './nextOfExecution.ts';
import { type PreparedStep, prepareStep, type StepPreparer } from './prepareStep.ts';

/** Asks for the leave of a step, and makes its work ready. */
export type StepAsker = FactReader & Desk<'things' | 'fieldRules'> & Readonly<{ steps: StepPreparer }>;

/** Prepares an execution, and looks whether its leave is given; where it is, its work is made ready. */
export async function lookAtAsked(desk: StepAsker, execution: Execution): Promise<ExecutionSight> {
  const { things } = desk;
  const prepared = await prepareStep(desk.steps, execution);
  if (typeof prepared === 'string') return { saw: 'end', result: { error: prepared } };
  const { owner, asked, work, needed } = prepared;
  const consent = await things.find(consents, needed.id);
  switch (consent?.state) {
    case 'given': {
      const { workflow } = asked;
      if (work.type === 'wait') return { saw: 'wait', consent: consent.id, workflow, hours: work.hours };
      const job = await jobOfStep(desk, execution, { ...prepared, work }, consent);
      if (typeof job === 'string') return { saw: 'end', result: { error: job } };
      return { saw: 'job', consent: consent.id, job };
    }
    case 'refused':
    case 'revoked':
      return { saw: 'end', result: { error: await notAllowed(desk, prepared) } };
    default: {
      const { team, person } = owner;
      const all = await things.list(consents, { team, person, withOver: true });
      const open = all.filter(({ state }) => state === 'asked').length;
      return { saw: 'no leave', needed, isNew: !consent, open };
    }
  }
}

async function notAllowed(desk: Desk<'people'>, { owner }: PreparedStep): Promise<string> {
  const name = (await desk.people.nameOf(owner)) ?? 'The person in whose name it is to run';
  return `${plain(name, 100)} has not allowed this step of this workflow. They can allow it in Dolly’s Home.`;
}
