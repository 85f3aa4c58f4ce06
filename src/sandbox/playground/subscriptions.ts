/** The events to which an app can subscribe here (in its manifest: settings.event_subscriptions.bot_events). */
export const subscriptions = [
  'app_home_opened',
  'app_mention',
  'app_uninstalled',
  'message.im',
  'tokens_revoked',
] as const;
