import { z } from 'zod';
import { counted } from '../ground/wording.ts';
import { dolly } from '../jobs/actor.ts';
import { advance } from '../jobs/advance.ts';
import { approverPlaces } from '../jobs/approval/people/hasSay.ts';
import { section } from '../slack/blocks/blocks.ts';
import { message, wordsFor } from '../slack/blocks/message.ts';
import { plain } from '../slack/blocks/mrkdwn.ts';
import { countedByTeam, type Feature } from '../slack/feature.ts';
import type { PutBack } from '../store/history/putBack.ts';
import { isPlan, isUnsent, type Job } from '../store/jobs/rows/job.ts';
import type { WholeDesk } from './wholeDesk.ts';

/*
 * A store that was restored from a backup knows nothing of what happened since. What waited then may have been sent, and
 * what was promised may have been changed. So nothing of it is done, and people are asked or told anew. Of a store that went
 * back under running processes, these know what they wrote (store/history): people are told what was put back.
 */

/** The kind of the message that says so in the outbox. */
export const restoredKind = 'restored';

const Restored = z.object({ lines: z.array(z.string()), why: z.string().default('was restored from a backup') });

const unknown =
  'My store was restored from a backup in which this still waited. Nothing was sent since then. Check whether it was done after the backup, before you ask again.';

/** Takes up a store that was restored. What was being sent is settled by the records, as after any start. */
export async function takeUpRestored(desk: WholeDesk, features: readonly Pick<Feature<WholeDesk>, 'things'>[]) {
  const { jobs, inbox, clock } = desk;
  const now = clock.now();
  const open = (await jobs.open()).flatMap(job => (job.state === 'unreadable' ? [] : [job]));
  const ended: Job[] = [];
  for (const job of open) if (await endUnsent(desk, job)) ended.push(job);
  // What people clicked then was done meanwhile, or is wanted no more.
  while ((await inbox.sweep(now + 1)) > 0);
  const ofFeatures = await Promise.all(features.map(feature => feature.things?.afterRestore?.(desk, now)));
  const requests = countedByTeam(ended, many => `${counted(many, 'request')} that waited ended without being sent.`);
  await tellThoseWhoApprove(desk, [requests, ...ofFeatures.flatMap(lines => lines ?? [])], {});
}

const nouns = {
  request: ['request', 'requests'],
  thing: ['lease, schedule or other standing thing', 'leases, schedules and other standing things'],
  message: ['message', 'messages'],
  'sign-in': ['sign-in', 'sign-ins'],
} as const satisfies Record<PutBack['what'], readonly [string, string]>;

/** Tells what was put back into a store that went back while processes worked on it. */
export async function tellPutBack(desk: WholeDesk, put: readonly PutBack[]) {
  const said = Object.entries(nouns).map(([what, [one, several]]) =>
    countedByTeam(
      put.filter(each => each.what === what),
      many => `${counted(many, one, several)} ${many === 1 ? 'stands' : 'stand'} again as before.`,
    ),
  );
  const gone = 'Anything else requested in those seconds may be lost: ask again where no message goes on';
  await tellThoseWhoApprove(desk, said, {
    why: `went back by some seconds, as happens when a standby takes over. ${gone}`,
  });
}

async function tellThoseWhoApprove(
  desk: WholeDesk,
  said: readonly ReadonlyMap<string, string>[],
  data: Readonly<{ why?: string }>,
) {
  const { outbox, clock, log } = desk;
  const now = clock.now();
  for (const team of new Set(said.flatMap(lines => [...lines.keys()]))) {
    const lines = said.flatMap(each => each.get(team) ?? []);
    log.warn({ team, lines, ...data }, 'the store was restored from a backup, or went back');
    const about = { subject: `${restoredKind} ${team}`, team, kind: restoredKind, createdAt: now, isNews: true };
    const places = await approverPlaces(desk, team);
    await outbox.add(
      places.map(({ id, to }) => ({
        ...about,
        data: { lines, ...data },
        id: `${restoredKind} ${team} ${now} ${id}`,
        to,
      })),
    );
  }
}

/** Ends a job that was not sent when the backup was made, and begins nothing further of a plan. */
async function endUnsent(desk: WholeDesk, job: Job): Promise<boolean> {
  if (isUnsent(job)) return (await advance(desk, job, { type: 'expired', reason: unknown })) !== undefined;
  if (job.state !== 'running' || !isPlan(job)) return false;
  return (await advance(desk, job, { type: 'withdrawn', by: dolly, reason: unknown })) !== undefined;
}

/** The message to those who approve. */
export const restoredMessage = wordsFor(Restored, ({ lines, why }) => {
  const said = lines.map(line => `• ${plain(line, 200)}`);
  return message([section([`:warning: My store ${why}.`, ...said].join('\n'))], 'all');
});
