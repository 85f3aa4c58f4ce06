/** The subjects of Dolly's own commands, in the order of the help. */
export const ownSubjects = [
  'Protection',
  'Leases',
  'Schedules and presets',
  'Approvals and audit',
  'You and Dolly',
] as const;

/** The commands that are about Dolly itself rather than an operation of the service. */
export const ownCommands = [
  { word: 'login', subject: 'You and Dolly', usage: 'login', summary: 'Sign in to the service' },
  { word: 'logout', subject: 'You and Dolly', usage: 'logout', summary: 'Forget your sign-in' },
  { word: 'whoami', subject: 'You and Dolly', usage: 'whoami', summary: 'Show whether and as whom you are signed in' },
  {
    word: 'lease',
    subject: 'Leases',
    usage: 'lease <clone> 3d | until=2026-12-24 | none',
    summary: 'Set how long a clone is kept, or show it',
  },
  {
    word: 'leases',
    subject: 'Leases',
    usage: 'leases [words]',
    summary: 'Show when clones end, and which of them have no end',
  },
  {
    word: 'status',
    subject: 'Protection',
    usage: 'status [words]',
    summary: 'Show what is backed up and what is not, what failed, and how old clones are',
  },
  {
    word: 'stats',
    subject: 'Protection',
    usage: 'stats [words]',
    summary: 'Show how long jobs take: the median and 95 % of each operation, by environment and by week',
  },
  {
    word: 'report',
    subject: 'Protection',
    usage: 'report daily | weekly at=08:30 [only=wrong] [words] | off',
    summary: 'Bring the status to a channel each day or week',
  },
  {
    word: 'alerts',
    subject: 'Protection',
    usage: 'alerts on [failed late vanished lease disabled] | off',
    summary: 'Tell this channel what changes for the worse, whoever did it',
  },
  { word: 'jobs', subject: 'You and Dolly', usage: 'jobs', summary: 'Show your latest jobs' },
  {
    word: 'presets',
    subject: 'Schedules and presets',
    usage: 'presets [words]',
    summary: 'Show, change, share and delete presets, which fill forms',
  },
  {
    word: 'schedule',
    subject: 'Schedules and presets',
    usage: 'schedule <command …> every=day at=02:00',
    summary: 'Let a backup, a refresh, a start, a stop or a renewal run by itself',
  },
  {
    word: 'schedules',
    subject: 'Schedules and presets',
    usage: 'schedules [words]',
    summary: 'Show, run, pause, change and delete schedules',
  },
  {
    word: 'approvals',
    subject: 'Approvals and audit',
    usage: 'approvals [job]',
    summary: 'Show what waits for your approval',
  },
  {
    word: 'why',
    subject: 'Approvals and audit',
    usage: 'why <command …>',
    summary: 'Say whether a command would be sent, and what stands in its way; nothing is sent',
  },
  {
    word: 'audit',
    subject: 'Approvals and audit',
    usage: 'audit [words] [since=7d] [until=2026-11-30] [by=…]',
    summary: 'Show and export who did what, for those who approve',
  },
  {
    word: 'doctor',
    subject: 'You and Dolly',
    usage: 'doctor',
    summary: 'Check the set-up, and show what is understood of the service’s records',
  },
  { word: 'help', subject: 'You and Dolly', usage: 'help [words]', summary: 'Show what you can ask' },
] as const;

export type OwnCommand = (typeof ownCommands)[number];
