import type { ModalView } from '@slack/types';
import type { Click } from '../../jobs/approval/click.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { asJson, defineAction } from '../blocks/action.ts';
import { actionsRow, context, sectionsOf } from '../blocks/blocks.ts';
import { defineModal } from '../blocks/modal.ts';
import { keep, onSubmit } from '../desk/submission.ts';
import { requestHead } from '../messages/approval/requestHead.ts';
import { pagesInFull } from '../messages/approval/shownInFull.ts';
import { approvalActions, SeenPage, SeenRequest } from '../messages/jobActions.ts';
import { describeJob } from '../messages/jobWords.ts';

/*
 * What has no room on the card of a request stands on pages behind its button, whole. Only the last page approves: nobody
 * decides on what was not shown.
 */

const modal = defineModal('request', asJson(SeenPage.extend({ channel: SeenRequest.shape.j })), () => ({}));

/** Under this name an approval on the last page is kept until it is done. */
export const approvedOnPage = defineAction('approve', asJson(SeenRequest));

/** A page of a request, from 0; the last one where there is no such page. */
export function requestPage(job: Job, { channel, digest: d }: Click, wanted: number): ModalView {
  const words = describeJob(job, `<@${job.person}>`);
  const pages = pagesInFull(job);
  const last = Math.max(0, pages.length - 1);
  const p = Math.min(wanted, last);
  const lead = (to: number) =>
    approvalActions.read.button(`Page ${to + 1} of ${pages.length}…`, { j: job.id, d, p: to }, { suffix: String(to) });
  const others = [...(p > 0 ? [lead(p - 1)] : []), ...(p < last ? [lead(p + 1)] : [])];
  return modal.view(
    { j: job.id, d, p, channel },
    {
      title: pages.length > 1 ? `Request, ${p + 1} of ${pages.length}` : 'Request',
      ...(p === last ? { submit: 'Approve' } : {}),
      close: 'Not yet',
      blocks: [
        ...(p === 0 ? sectionsOf(requestHead(job, words)) : []),
        ...(pages[p] ?? []),
        ...(p === last ? [context(`Digest \`${d}\``)] : []),
        ...actionsRow(others),
      ],
    },
  );
}

/** Keeps the approval of whoever has read all pages. */
export const pageSubmission = onSubmit(modal, (_desk, { carried: { j, d } }) => keep(approvedOnPage, { j, d }));
