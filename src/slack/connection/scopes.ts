/**
 * The rights that Dolly uses, each with its purpose; manifest.yml asks for them. Private channels have rights of their
 * own.
 */
export const scopes = {
  commands: 'slash commands and shortcuts',
  'chat:write': 'the messages of jobs',
  'chat:write.public': 'messages in public channels that I am not in',
  'im:write': 'writing to people where I may not post',
  'channels:history': 'finding a message again after its answer was lost',
  'groups:history': 'finding it again in a private channel',
  'im:history': 'finding it again in a direct message, and reading what people write to me',
  'channels:read': 'telling whether I am in the channel for approvals',
  'groups:read': 'telling whether I am in it where it is private',
  'users:read': 'naming people, and telling members from guests',
  'usergroups:read': 'approvers that are user groups, and whom alerts notify',
  'files:write': 'the export of the audit trail',
  'app_mentions:read': 'answering where somebody mentions me',
} as const;

/**
 * The events that Dolly listens to, as the manifest subscribes to them, with the purpose of each
 * (docs.slack.dev/reference/events). `message.im` reaches listeners under the name `message`.
 */
export const events = {
  app_home_opened: 'publish Home when a person opens it',
  app_uninstalled: 'drop the token of a workspace that uninstalled me',
  tokens_revoked: 'the same where only the token was revoked',
  app_mention: 'do what a mention asks for',
  function_executed: 'run the steps of workflows',
  'message.im': 'do what a direct message asks for',
} as const satisfies Record<string, string>;
