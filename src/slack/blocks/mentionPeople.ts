/** Mentions users and user groups, as Slack shows them by name. */
export function mentioned(ids: readonly string[]): string {
  return ids
    .slice(0, 20)
    .map(id => (id.startsWith('S') ? `<!subteam^${id}>` : `<@${id}>`))
    .join(', ');
}

/** Names the users and groups that may decide. */
export function mentionDeciders(ids: readonly string[]): string {
  return mentioned(ids) || 'anybody else who is signed in to the service';
}

/** Replaces the ids of groups in a text by mentions, which Slack shows as names; only groups among `ids`. */
export function withMentions(text: string, ids: readonly string[]): string {
  return text.replace(/\bS[A-Z0-9]{2,30}\b/g, id => (ids.includes(id) ? mentioned([id]) : id));
}
