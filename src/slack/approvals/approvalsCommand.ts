import type { Owner } from '../../store/vault.ts';
import { type Content, said } from '../blocks/message.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { approvalList } from '../messages/approval/approvalList.ts';
import { type WaitingReader, waitingFor } from './waitingFor.ts';

/** Max requests in one list. */
const maxListed = 5;

/** Lists what waits for a person, with links. */
type ApprovalLister = WaitingReader & Desk<'workspace'>;

/**
 * Answers `approvals`: the requests that wait for this person's decision, or the one with this job's id as long as it
 * waits for them. @throws {Failure} `signed-out`
 */
export async function listApprovals(desk: ApprovalLister, owner: Owner, id?: string): Promise<Content> {
  await mustBeSignedIn(desk, owner);
  const { jobs, isPart } = await waitingFor(desk, owner);
  const wanted = jobs.filter(job => job.id === id);
  const some = wanted.length > 0 ? wanted : jobs;
  if (isPart && jobs.length === 0)
    return said('I could not check everything that waits for approval now. Nothing that I saw waits for yours.');
  return approvalList(some.slice(0, maxListed), some.length, await desk.workspace(owner.team));
}
