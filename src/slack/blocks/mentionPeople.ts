import { code } from './mrkdwn.ts';

/* The one home of mentions. An id may come from a form that somebody forged: `!channel` in its place would ring everybody. */

const idOfPerson = /^[UW][A-Z0-9]{1,30}$/;
const idOfGroup = /^S[A-Z0-9]{1,30}$/;

/** What an id of Slack’s own looks like, by what it names, and how it is mentioned. */
const mentions: readonly (readonly [form: RegExp, write: (id: string) => string])[] = [
  [idOfPerson, id => `<@${id}>`],
  [idOfGroup, id => `<!subteam^${id}>`],
  [/^[CGD][A-Z0-9]{1,30}$/, id => `<#${id}>`],
];

/** Mentions a person, a user group or a channel, as Slack shows it by name; what is no id of Slack’s stands as text. */
export function mentionOf(id: string): string {
  return mentions.find(([form]) => form.test(id))?.[1](id) ?? code(id, 40);
}

/** Whether something looks like Slack’s id of a person. */
export function isPersonId(id: string): boolean {
  return idOfPerson.test(id);
}

/** Whether something looks like Slack’s id of a user group. */
export function isGroupId(id: string): boolean {
  return idOfGroup.test(id);
}

const personMention = /<@([UW][A-Z0-9]{1,30})>/g;

/** The people whom a text mentions. */
export function mentionedIn(text: string): readonly string[] {
  return [...new Set(text.matchAll(personMention).map(([, id = '']) => id))];
}

/** Puts the names of people in the place of their mentions; those without one stay mentioned. */
export function namedInstead(text: string, names: ReadonlyMap<string, string>): string {
  return text.replace(personMention, (mention, id: string) => names.get(id) ?? mention);
}

/** Mentions users and user groups. */
export function mentioned(ids: readonly string[]): string {
  return ids.slice(0, 20).map(mentionOf).join(', ');
}

/** Names the users and groups that may decide. */
export function mentionDeciders(ids: readonly string[]): string {
  return mentioned(ids) || 'anybody else who is signed in to the service';
}

/** Replaces the ids of groups in a text by mentions, which Slack shows as names; only groups among `ids`. */
export function withMentions(text: string, ids: readonly string[]): string {
  return text.replace(/\bS[A-Z0-9]{2,30}\b/g, id => (ids.includes(id) ? mentioned([id]) : id));
}
