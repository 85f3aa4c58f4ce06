/** A shortcut as manifest.yml declares it (docs.slack.dev/reference/app-manifest: a name has at most 24 characters). */
export type Shortcut = Readonly<{ name: string; type: 'global' | 'message'; callback_id: string; description: string }>;

/**
 * The shortcuts that Dolly offers. People find the global ones by Slack's search and on the phone; their `callback_id`
 * is the command that they run. The one of type `message` stands in the menu of each message.
 */
export const shortcuts = [
  {
    name: 'Clone a database',
    type: 'global',
    callback_id: 'clone',
    description: 'Make a virtual or a physical clone from a snapshot',
  },
  {
    name: 'Restore',
    type: 'global',
    callback_id: 'restore',
    description: 'Put a database, or a part of it, back to a snapshot',
  },
  {
    name: 'Protection status',
    type: 'global',
    callback_id: 'status',
    description: 'See what is backed up and what is not, what failed, and how old clones are',
  },
  {
    name: 'Ask Dolly about this',
    type: 'message',
    callback_id: 'ask',
    description: 'Look up the databases that a message names, and see what can be done',
  },
] as const satisfies readonly Shortcut[];
