/* The doors through which somebody may get something done, each with the attack on it (doors.test.ts). */

/** An attack: the file of its test, and the test's title. */
type Attack = readonly [file: string, title: string];
/** Strangers, guests and whoever Slack does not tell about, at every reaction. */
const admission: Attack = ['doors.test.ts', 'a door of which Slack says'];
const colleague: Attack = ['doors.test.ts', 'a colleague'];
const stranger: Attack = [
  'journeys/strangers.test.ts',
  'cannot use what they were shown before they became one: a button, a page, a form, a picker',
];
const decision: Attack = [
  'journeys/attacks.test.ts',
  'cannot approve it: by a click, by another person’s, or from the list',
];
const glass: Attack = [
  'journeys/attacks.test.ts',
  'cannot break a glass that nobody has put up, by a click or by a form',
];
const silent: Attack = [
  'journeys/attacks.test.ts',
  'to deny, whose reason nobody can read, denies nothing, and says so at its field',
];
const unlisted: Attack = [
  'journeys/approval.test.ts',
  'cannot be approved by the one who asked, and not by somebody who is not listed',
];
const othersJob: Attack = ['journeys/twice.test.ts', 'of somebody else’s job does nothing, and says whose it is'];
const othersBatch: Attack = [
  'journeys/batches.test.ts',
  'the message says which and why, and what failed is asked for again by its requester alone, once',
];
const policy: Attack = ['journeys/audit.test.ts', 'what the policy forbids, also where a form was open before it did'];
const trail: Attack = ['journeys/audit.test.ts', 'to nobody who may not read it, even by a button that they still see'];
const presets: Attack = [
  'journeys/presets.test.ts',
  'lists those that a person may use; only those who saved them, and approvers, change them',
];
const leaseActs: Attack = [
  'journeys/leases.test.ts',
  'more than the policy allows is asked of those who approve, and is set when they approve',
];
const leftLease: Attack = [
  'features/leases/workOnLeases.test.ts',
  'a lease whose owner left the workspace goes to those who approve, one of whom takes it over',
];
const unheldLease: Attack = [
  'features/leases/workOnLeases.test.ts',
  'a rule does not stop a clone that Dolly did not make: its owner and approvers are asked',
];
const cutOff: Attack = [
  'journeys/leaseWarnings.test.ts',
  'an owner whom Slack cut off after the warning is warned anew, and has the whole time then',
];
const wishes: Attack = [
  'journeys/leaseWishes.test.ts',
  'a wish that is declined changes nothing, the other person hears of it, and later clicks get a sentence',
];
const scheduleActs: Attack = [
  'features/schedules/workOnSchedules.test.ts',
  'only its owner resumes a schedule, approvers may stop it, and a second click on Pause changes nothing',
];
const alertActs: Attack = [
  'journeys/authority.test.ts',
  'are changed and turned off by whoever turned them on, and by those who approve',
];
const samples: Attack = [
  'features/alerts/incidents.test.ts',
  'a sample of a channel’s alerts rings people at most twice an hour, whoever asks for it',
];
const handedOver: Attack = [
  'features/alerts/incidents.test.ts',
  'an incident is not handed over to somebody of whom Slack says “%s”, and one sentence says why',
];
const tookBack: Attack = [
  'features/secondLooks/secondLooks.test.ts',
  'a job’s end is left alone once the sign-in that it ran with is another user’s',
];
const objected: Attack = ['journeys/objections.test.ts', 'somebody else, who does not approve, changes nothing'];
const asksWhy: Attack = ['journeys/objections.test.ts', 'anybody who sees it asks why, and changes nothing'];
const alertCalls: Attack = [
  'features/alerts/incidents.test.ts',
  'only those who may change the alerts of a channel choose whom they call',
];
const ownWay: Attack = ['journeys/notify.test.ts', 'nobody chooses for anybody else'];
const brake: Attack = [
  'journeys/brake.test.ts',
  'is pulled by those who approve, holds what is due, and lets it go on',
];
const maintenance: Attack = [
  'journeys/maintenance.test.ts',
  'those who approve declare it, nobody is called for what is excused, and the end tells what is left',
];
const passwords: Attack = [
  'journeys/talkAttacks.test.ts',
  'a password in a message is in nothing that Dolly says, and in no button',
];
const stateWord: Attack = [
  'journeys/stateDoubt.test.ts',
  'is asked about in one message, and its requester answers for the job alone',
];
const statedTwice: Attack = ['journeys/stateDoubt.test.ts', 'of one person is asked about again, since one says it'];
const stateOfAll: Attack = [
  'journeys/stateDoubt.test.ts',
  'a word in which a record stands is asked about in the doctor, of those who approve',
];
const signInLink: Attack = [
  'journeys/strangers.test.ts',
  'cannot use a sign-in link or form that they were given before',
];
const whole: Attack = [
  'slack/messages/requestPages.test.ts',
  'a request is approved on the last of its pages alone, and all of it stands on them',
];

const pastOfOthers: Attack = [
  'journeys/past.test.ts',
  'those who had nothing to do with it read it in the channel of its message alone, and are told why',
];
const againstOthers: Attack = ['journeys/holders.test.ts', 'only whoever holds it objects, and once'];

/** The doors by kind, with their attacks. Those that only show something or open a form are open to whoever is admitted. */
export const rows: Readonly<Record<string, readonly [doors: string, attack: Attack][]>> = {
  reaction: [
    ['command command.run operation', policy],
    ['list.page message.changed text.tooLong installed ask shortcut.status', admission],
    ['home.refresh home.steps home.page login.form login.link', stranger],
    ['job.look job.stop job.withdraw job.onward job.takeback', othersJob],
    ['job.retry', othersBatch],
    ['job.again job.signin', admission],
    ['approval.approve approval.withdraw approval.anew', decision],
    ['approve', unlisted],
    ['approval.object', againstOthers],
    ['approval.read', whole],
    ['approval.glass glass', glass],
    ['approval.deny deny', silent],
    ['kept.forget', ['journeys/kept.test.ts', 'is given up at a press of its own person alone, and is not done then']],
    ['audit.page audit.export:csv audit.export:jsonl', trail],
    ['preset.use preset.menu preset.save', presets],
    ['lesson.forget', colleague],
    ['job.answer', stateWord],
    ['state.explain', stateOfAll],
    ['records.draft', ['journeys/recordsDraft.test.ts', 'is for those who approve alone, by whichever way they come']],
    [
      'state.takeback',
      ['journeys/stateDoubt.test.ts', 'is told by the word of whoever approves from then on, until that is taken back'],
    ],
    ['lease.keep lease.more lease.ask lease.signin', admission],
    ['lease.extend lease.endless lease.back lease.set lease.setMany', leaseActs],
    [
      'lease.take',
      [
        'features/leases/workOnLeases.test.ts',
        'a clone that Dolly did not make is held by the approver who takes it over, and by nobody else',
      ],
    ],
    ['lease.grant lease.decline lease.request', wishes],
    [
      'lease.withdraw',
      [
        'features/leases/setLease.test.ts',
        'only whoever wished an end for a clone can withdraw the wish, and only once',
      ],
    ],
    ['schedule.run schedule.pause schedule.resume schedule.delete schedule.take', colleague],
    [
      'schedule.leaveOut schedule.include',
      [
        'journeys/environmentNights.test.ts',
        'each night backs up all that stands on the environment; one that fails or hangs holds up none of the others',
      ],
    ],
    ['schedule.change schedule.job schedule.new schedule.signin schedule.set', scheduleActs],
    ['alert.take alert.rest alert.over alert.choose', alertActs],
    ['alert.hand alert.handed', handedOver],
    ['alert.called', alertCalls],
    ['job.object job.objected', objected],
    ['job.why', asksWhy],
    ['consent.allow consent.refuse consent.revoke', colleague],
    ['consent.signin consent.all', admission],
  ],
  modal: [
    ['deny', silent],
    ['glass', glass],
    ['request', whole],
    ['preset preset-deletion', presets],
    ['ask', ['journeys/shortcuts.test.ts', 'shows a person only what the service shows them']],
    ['login', ['journeys/strangers.test.ts', 'cannot open the sign-in form in Slack']],
    ['lease leaseWhy', leaseActs],
    ['schedule', scheduleActs],
    ['alertHand', handedOver],
    ['jobObject', objected],
    ['alertCall', alertCalls],
    [
      'batch',
      ['journeys/batches.test.ts', 'a page with another operation, or another kind of record, asks for nothing'],
    ],
  ],
  command: [
    ['brake', brake],
    ['maintenance', maintenance],
    ['lease leases', leaseActs],
    ['schedule schedules', scheduleActs],
    [
      'report',
      [
        'features/protection/runReport.test.ts',
        'a scheduled report reads with the service account only while its subscriber is an approver',
      ],
    ],
    ['alerts', alertActs],
    ['login', passwords],
    ['audit', trail],
    ['history who', pastOfOthers],
    ['notify', ownWay],
    ['approvals', decision],
    ['presets', presets],
    [
      'several',
      [
        'journeys/batches.test.ts',
        'is never one of deletions of live databases, and of nothing for people who are not signed in',
      ],
    ],
    ['status jobs logout whoami stats why doctor help', admission],
  ],
  thing: [
    [
      'history',
      [
        'features/protection/lastWeek.test.ts',
        'what was protected a week ago is told to the sign-in that read all of it on that day, and to no other',
      ],
    ],
    ['maintenance', maintenance],
    ['brake', brake],
    ['lease', leftLease],
    ['contact', cutOff],
    ['secondLook', tookBack],
    ['schedule', ['features/schedules/approvalEnds.test.ts', 'is void once its owner signs in as another user']],
    [
      'incident subscription',
      [
        'features/alerts/workOnAlerts.test.ts',
        'the service account looks for alerts only of an approver, and stops once they are none',
      ],
    ],
    ['execution', ['journeys/workflows.test.ts', 'gives away nothing of the records before its person has allowed it']],
    ['ringWay', ownWay],
    ['consent', ['journeys/workflows.test.ts', 'is over after its time, and once its person signs in as another user']],
  ],
  loop: [
    ['protection', maintenance],
    ['leases', leftLease],
    ['contact', cutOff],
    ['secondLooks', tookBack],
    ['schedules', ['journeys/accountAttacks.test.ts', 'another name of the target pauses it before anything is sent']],
    [
      'alerts',
      [
        'features/alerts/workOnAlerts.test.ts',
        'the service account looks for alerts only of an approver, and stops once they are none',
      ],
    ],
    ['steps', ['journeys/workflows.test.ts', 'stops looking when the consent is taken back, or its person has left']],
  ],
  step: [
    [
      'back_up refresh clone renew wait_until',
      ['journeys/workflows.test.ts', 'asks anew for each change of it, and fails in a sentence'],
    ],
  ],
};

/** The doors that no list of the house has. */
export const others: readonly (readonly [door: string, attack: Attack])[] = [
  [
    'a mention',
    ['journeys/talkAttacks.test.ts', 'a mention by a person of another workspace, but a sentence to them alone'],
  ],
  ['a direct message', passwords],
  ['a slash command', ['journeys/strangers.test.ts', 'who types %s is told in a sentence that it is not for them']],
  [
    'a shortcut',
    ['journeys/shortcuts.test.ts', 'and one on a message tell a guest in a sentence that Dolly is not for them'],
  ],
  ['a form of an operation', policy],
  ['a step of a plan', ['journeys/planObstacles.test.ts', 'a step that the policy forbids']],
  [
    'the begin of an approved plan',
    ['journeys/changedPlans.test.ts', 'an approved teardown deletes nothing, and says why, where meanwhile'],
  ],
  ['the sign-in page', signInLink],
  ['a form of another site', ['journeys/signInPage.test.ts', 'takes no form of another site: %o']],
  ['a restored store', ['journeys/restored.test.ts', 'sends nothing of what waited, warns of each lease once more']],
  [
    'a request that Slack has not signed',
    ['journeys/twice.test.ts', 'with a signature of somebody else is not taken at all'],
  ],
  ['a click of another team', ['journeys/attacks.test.ts', 'from another team decides nothing']],
  [
    'a button of another release',
    ['journeys/attacks.test.ts', 'on a button of another release on a job’s message does nothing'],
  ],
  [
    'an interaction that Slack sends twice',
    ['journeys/talkAttacks.test.ts', 'is done once: at the same moment, later, and after the bot was started anew'],
  ],
  [
    'approvers of whom nobody can act',
    [
      'journeys/whoDecides.test.ts',
      'on which nobody can decide says so to her at once, and why, and calls whom a sign-in helps',
    ],
  ],
  ['a sign-in', signInLink],
  ['an id in a forged form', ['slack/blocks/mentionPeople.test.ts', '“%s” in the place of an id rings nobody']],
  ['a sample of alerts', samples],
  [
    'a wish that is wished again',
    [
      'features/leases/setLease.test.ts',
      'twenty wishes of one person send one message, in which only the last accepted wish can be granted',
    ],
  ],
  ['the end of a clone that Dolly did not make', unheldLease],
  ['another Slack account of one person, which says what a word means', statedTwice],
  [
    'another Slack account of one person',
    ['journeys/attacks.test.ts', 'cannot approve it as somebody else in Slack who is signed in as the same user'],
  ],
];

/** Why somebody gains nothing at a door: then no attack on it can be told from what is right. */
const harmless = {
  account: 'It asks for the very account in Slack, so a second one is another person.',
  rest: 'It ends or holds something that was asked for, and sends nothing.',
  asksAgain: 'What it leads to asks for a sign-in itself, and waits until there is one.',
  once: 'It is done once: a second time finds nothing left to do.',
  quiet: 'It rings nobody, and of two the last one counts.',
  all: 'It holds for everybody here, and is undone by the same people.',
  own: 'It is about what the person asks for by themselves.',
} as const;

const sameUser: Attack = [
  'journeys/attacks.test.ts',
  'cannot approve it as somebody else in Slack who is signed in as the same user',
];
const signsInFirst: Attack = [
  'journeys/approval.test.ts',
  'is shown alone to an approver who pressed a button and had to sign in first',
];
const second: Attack = ['doors.test.ts', 'a second account in Slack of hers'];
const out: Attack = ['doors.test.ts', 'a signed-out owner’s click on lease.%s does nothing'];
const stateOut: Attack = [
  'journeys/stateDoubt.test.ts',
  'whoever is signed out says nothing of a word: by their sign-in they would see the record',
];
const wishedOften: Attack = [
  'features/leases/setLease.test.ts',
  'twenty wishes of one person send one message, in which only the last accepted wish can be granted',
];
const handedOften: Attack = [
  'features/alerts/incidents.test.ts',
  'one person hands an alert over at most ten times an hour, even with two Slack accounts',
];
const shutDoors: Attack = [
  'journeys/signIn.test.ts',
  'signs in, presses “Go on”, and is in the form with all that they had typed',
];
const flood: Attack = [
  'faults/floods.test.ts',
  'of 3,000 commands has sixty carried out, is told once so, and keeps nobody else waiting',
];

/** Whoever may try an act who is no owner of it: a row for each of them. Guests and strangers meet `admission` at each. */
type Tries = Readonly<Record<'another' | 'second' | 'out' | 'often', Attack | string>>;

/** Each act of people, with what comes of a try by each of them. */
export const acts: readonly (readonly [doors: string, tries: Tries])[] = [
  ['command command.run operation', { another: policy, second: harmless.own, out: shutDoors, often: flood }],
  [
    'job.look job.stop job.withdraw job.retry job.onward',
    { another: othersJob, second: harmless.account, out: harmless.asksAgain, often: harmless.once },
  ],
  ['job.answer', { another: stateWord, second: statedTwice, out: stateOut, often: harmless.quiet }],
  ['job.objected', { another: objected, second: harmless.account, out: harmless.asksAgain, often: harmless.once }],
  ['approval.approve approve', { another: unlisted, second: sameUser, out: signsInFirst, often: decision }],
  ['deny', { another: unlisted, second: sameUser, out: signsInFirst, often: harmless.once }],
  ['approval.object', { another: againstOthers, second: harmless.account, out: harmless.rest, often: againstOthers }],
  [
    'approval.withdraw approval.anew',
    { another: decision, second: harmless.account, out: harmless.rest, often: harmless.once },
  ],
  ['glass', { another: glass, second: harmless.account, out: glass, often: harmless.once }],
  ['lesson.forget', { another: colleague, second: harmless.all, out: harmless.all, often: harmless.quiet }],
  [
    'state.explain state.takeback',
    { another: stateOfAll, second: harmless.all, out: harmless.all, often: harmless.quiet },
  ],
  ['kept.forget installed', { another: admission, second: harmless.account, out: harmless.rest, often: harmless.once }],
  ['lease.extend lease.endless lease.set lease.setMany', { another: wishes, second, out, often: wishedOften }],
  ['lease.back lease.take lease.grant', { another: colleague, second, out, often: harmless.once }],
  ['lease.decline lease.withdraw', { another: colleague, second, out: harmless.rest, often: harmless.once }],
  ['lease.request', { another: leaseActs, second: sameUser, out: harmless.asksAgain, often: harmless.once }],
  [
    'schedule.run schedule.pause schedule.resume schedule.delete schedule.take',
    { another: colleague, second, out: harmless.asksAgain, often: harmless.once },
  ],
  [
    'schedule.leaveOut schedule.include schedule.set',
    { another: scheduleActs, second: harmless.account, out: harmless.asksAgain, often: harmless.quiet },
  ],
  ['alert.take alert.rest', { another: harmless.all, second: harmless.all, out: harmless.all, often: harmless.quiet }],
  ['alert.handed', { another: handedOver, second: harmless.all, out: harmless.all, often: handedOften }],
  ['alert.over alert.called', { another: alertCalls, second, out: harmless.quiet, often: samples }],
  [
    'consent.allow consent.refuse consent.revoke',
    { another: colleague, second, out: harmless.asksAgain, often: harmless.once },
  ],
];
