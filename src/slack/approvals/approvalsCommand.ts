import type { Owner } from '../../store/vault.ts';
import type { Content } from '../blocks/blocks.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { approvalList } from '../messages/approvalList.ts';
import { waitingFor } from './waitingFor.ts';

/** Max requests in one list. */
const maxListed = 5;

/** Answers `approvals`: the requests that wait for this person's decision. @throws {Failure} `signed-out` */
export async function listApprovals(desk: Desk, owner: Owner): Promise<Content> {
  await mustBeSignedIn(desk, owner);
  const all = await waitingFor(desk, owner);
  return approvalList(all.slice(0, maxListed), all.length, await desk.workspace());
}
