/**
 * The rights that Dolly uses, each with its purpose; manifest.yml asks for them. Private channels have rights of their
 * own.
 */
export const scopes = {
  commands: 'slash commands and shortcuts',
  'chat:write': 'the messages of jobs',
  'chat:write.public': 'messages in public channels that I am not in',
  'im:write': 'writing to people where I may not post',
  'channels:history': 'finding a message again whose answer was lost',
  'groups:history': 'finding it again in a private channel',
  'im:history': 'finding it again in a direct message, and reading what people write to me',
  'channels:read': 'telling whether I am in the channel for approvals',
  'groups:read': 'telling whether I am in it where it is private',
  'users:read': 'naming people, and telling members from guests',
  'usergroups:read': 'approvers that are user groups, and whom alerts call',
  'files:write': 'the export of the audit trail',
  'app_mentions:read': 'answering where somebody mentions me',
} as const;

export type Scope = keyof typeof scopes;

const histories = ['channels:history', 'groups:history', 'im:history'] as const;

/** The rights that each Slack method called by Dolly needs (docs.slack.dev/reference/methods). */
export const methods = {
  'auth.revoke': [],
  'auth.teams.list': [],
  'auth.test': [],
  'chat.delete': ['chat:write'],
  'chat.postEphemeral': ['chat:write'],
  'chat.postMessage': ['chat:write', 'chat:write.public'],
  'chat.update': ['chat:write'],
  'conversations.history': histories,
  'conversations.info': ['channels:read', 'groups:read'],
  'conversations.open': ['im:write'],
  'conversations.replies': histories,
  'files.uploadV2': ['files:write'],
  'functions.completeError': [],
  'functions.completeSuccess': [],
  'oauth.v2.access': [],
  'usergroups.list': ['usergroups:read'],
  'usergroups.users.list': ['usergroups:read'],
  'users.info': ['users:read'],
  'views.open': [],
  'views.publish': [],
  'views.push': [],
  'views.update': [],
} as const satisfies Record<string, readonly Scope[]>;

/**
 * The events that Dolly listens to, as the manifest subscribes to them, with the right that each needs and its purpose
 * (docs.slack.dev/reference/events). `message.im` reaches listeners under the name `message`.
 */
export const events = {
  app_home_opened: { scope: null, purpose: 'publish Home when a person opens it' },
  app_uninstalled: { scope: null, purpose: 'drop the token of a workspace that uninstalled me' },
  tokens_revoked: { scope: null, purpose: 'the same where only the token was revoked' },
  app_mention: { scope: 'app_mentions:read', purpose: 'do what a mention asks for' },
  function_executed: { scope: null, purpose: 'run the steps of workflows' },
  'message.im': { scope: 'im:history', purpose: 'do what a direct message asks for' },
} as const satisfies Record<string, Readonly<{ scope: Scope | null; purpose: string }>>;
