import type { Job } from '../../store/jobs/job.ts';

/** Names the users and groups that may decide, as Slack shows them by name. */
export function mentionDeciders(ids: readonly string[]): string {
  const shown = ids.slice(0, 20).map(id => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`));
  return shown.length === 0 ? 'anybody else who is signed in to the service' : shown.join(', ');
}

/** Puts the names of groups, as Slack shows them, in the place of their ids in a text: of those among `ids`. */
export function withMentions(text: string, ids: readonly string[]): string {
  return text.replace(/\bS[A-Z0-9]{2,30}\b/g, id => (ids.includes(id) ? mentionDeciders([id]) : id));
}

/** Lists those who may decide on a job, without the person who asked: that person never counts, and is not called. */
export function decidersOf(job: Job): readonly string[] {
  return job.approval?.terms.approvers.filter(id => id !== job.person) ?? [];
}
