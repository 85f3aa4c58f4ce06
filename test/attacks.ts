/* The doors through which somebody may get something done, each with the attack on it (doors.test.ts). */

/** An attack: the file of its test, and the test's title. */
type Attack = readonly [file: string, title: string];
/** Strangers, guests and whoever Slack does not tell about, at every reaction. */
const admission: Attack = ['doors.test.ts', 'a door of which Slack says'];
const colleague: Attack = ['doors.test.ts', 'a colleague'];
const stranger: Attack = [
  'journeys/strangers.test.ts',
  'a guest cannot use a form, a picker or a list that they were shown before they became one',
];
const decision: Attack = [
  'journeys/attacks.test.ts',
  'a requester cannot approve their own deletion by a click, by a forged click or from the list',
];
const glass: Attack = [
  'journeys/attacks.test.ts',
  'a requester cannot break glass by a forged click where the policy has no break glass',
];
const silent: Attack = [
  'journeys/attacks.test.ts',
  'a denial with a reason that nobody can read is refused at the field, and denies nothing',
];
const unlisted: Attack = [
  'journeys/approval.test.ts',
  'a deletion can be approved neither by the person who asked nor by somebody who is no approver',
];
const othersJob: Attack = [
  'journeys/twice.test.ts',
  'a button of somebody else’s job does nothing, and says whose job it is',
];
const othersBatch: Attack = [
  'journeys/batches.test.ts',
  'a batch says which one failed and why, and its requester alone can ask for that one again, once',
];
const policy: Attack = [
  'journeys/audit.test.ts',
  'the audit trail shows what the policy forbade, also where the form was open before the rule came',
];
const trail: Attack = [
  'journeys/audit.test.ts',
  'a person who may no longer read the audit trail cannot export it by a button that they still see',
];
const presets: Attack = [
  'journeys/presets.test.ts',
  '“/db presets” lists what a person may use, and offers changes only to the saver and to approvers',
];
const leaseActs: Attack = [
  'journeys/leases.test.ts',
  'a lease longer than the policy allows needs approval, and is set once an approver approves it',
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
  'a clone’s owner whom Slack cut off after the warning is warned anew, and gets the grace time anew',
];
const wishes: Attack = [
  'journeys/leaseWishes.test.ts',
  'a wished lease end that is declined changes nothing, its asker hears of it, and a later click is too late',
];
const scheduleActs: Attack = [
  'features/schedules/workOnSchedules.test.ts',
  'only its owner resumes a schedule, approvers may stop it, and a second click on Pause changes nothing',
];
const alertActs: Attack = [
  'journeys/authority.test.ts',
  'alerts of a channel are changed and turned off by whoever turned them on and by approvers alone',
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
const objected: Attack = [
  'journeys/objections.test.ts',
  'a person who neither asked for a job nor approves cannot object to its end',
];
const asksWhy: Attack = [
  'journeys/objections.test.ts',
  '“Why?” on a job’s message tells anybody what decided its end, and changes nothing',
];
const alertCalls: Attack = [
  'features/alerts/incidents.test.ts',
  'only those who may change the alerts of a channel choose whom they call',
];
const ownWay: Attack = ['journeys/notify.test.ts', '“/db notify” changes nothing for other people'];
const brake: Attack = [
  'journeys/brake.test.ts',
  'the emergency brake is turned on and off by approvers, and holds what is due in between',
];
const maintenance: Attack = [
  'journeys/maintenance.test.ts',
  'maintenance is declared by approvers alone, excuses failures until its end, and then tells what still fails',
];
const passwords: Attack = [
  'journeys/talkAttacks.test.ts',
  'a password in a mention stands in nothing that Dolly says, and in no button',
];
const stateWord: Attack = [
  'journeys/stateDoubt.test.ts',
  'a new clone in an unknown state word is asked about in one message, and its requester can answer for that job',
];
const statedTwice: Attack = ['journeys/stateDoubt.test.ts', 'is asked about again if they are one person'];
const stateOfAll: Attack = [
  'journeys/stateDoubt.test.ts',
  '“/db doctor” asks what an unknown state word means, and takes the answer from approvers alone',
];
const signInLink: Attack = [
  'journeys/strangers.test.ts',
  'a guest cannot use a sign-in link that they were given before they became one',
];
const whole: Attack = [
  'slack/messages/requestPages.test.ts',
  'a request on several pages is approved on the last one alone, and all of it stands on them',
];

const pastOfOthers: Attack = [
  'journeys/past.test.ts',
  'a person with no part in a deleted clone’s past reads it only in the channel of its message',
];
const againstOthers: Attack = [
  'journeys/holders.test.ts',
  'only a clone’s holder can object to its deletion, once, and the objection does not stop it',
];

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
    [
      'kept.forget',
      [
        'journeys/kept.test.ts',
        'a kept command is dropped at “Forget it” by its own person alone, and is then not done',
      ],
    ],
    ['audit.page audit.export:csv audit.export:jsonl', trail],
    ['preset.use preset.menu preset.save', presets],
    ['lesson.forget', colleague],
    ['job.answer', stateWord],
    ['state.explain', stateOfAll],
    [
      'records.draft',
      [
        'journeys/recordsDraft.test.ts',
        'a records file is drafted for approvers alone, and a forged click of somebody else is refused',
      ],
    ],
    [
      'state.takeback',
      [
        'journeys/stateDoubt.test.ts',
        'an approver’s answer about a state word holds for later clones, until it is taken back',
      ],
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
        'an environment’s nightly schedule backs up its databases, also new ones, whatever fails or hangs among them',
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
    ['login', ['journeys/strangers.test.ts', 'a guest can neither send nor open the sign-in form in Slack']],
    ['lease leaseWhy', leaseActs],
    ['schedule', scheduleActs],
    ['alertHand', handedOver],
    ['jobObject', objected],
    ['alertCall', alertCalls],
    [
      'batch',
      [
        'journeys/batches.test.ts',
        'a batch page forged with another operation or another kind of record asks for nothing',
      ],
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
        'a batch never deletes or disables live databases, and people who are not signed in get no batch page',
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
    [
      'execution',
      ['journeys/workflows.test.ts', 'a workflow’s step tells nothing of the records before its person has allowed it'],
    ],
    ['ringWay', ownWay],
    [
      'consent',
      ['journeys/workflows.test.ts', 'a consent ends after its time, and once its person signs in as another user'],
    ],
  ],
  loop: [
    ['protection', maintenance],
    ['leases', leftLease],
    ['contact', cutOff],
    ['secondLooks', tookBack],
    [
      'schedules',
      ['journeys/accountAttacks.test.ts', 'a schedule whose target was renamed is paused before anything is sent'],
    ],
    [
      'alerts',
      [
        'features/alerts/workOnAlerts.test.ts',
        'the service account looks for alerts only of an approver, and stops once they are none',
      ],
    ],
    [
      'steps',
      [
        'journeys/workflows.test.ts',
        'a workflow’s step that waits for a record fails once its consent is revoked or its person has left',
      ],
    ],
  ],
  step: [
    [
      'back_up refresh clone renew wait_until',
      [
        'journeys/workflows.test.ts',
        'a workflow’s step asks anew after each change, and fails with a sentence where its person does not allow it',
      ],
    ],
  ],
};

/** The doors that no list of the house has. */
export const others: readonly (readonly [door: string, attack: Attack])[] = [
  [
    'a mention',
    [
      'journeys/talkAttacks.test.ts',
      'a mention by a person of another workspace gets one sentence, for them alone, and does nothing',
    ],
  ],
  ['a direct message', passwords],
  [
    'a slash command',
    [
      'journeys/strangers.test.ts',
      'a guest who types %s is told in one sentence that Dolly is not for them, and nothing is done',
    ],
  ],
  [
    'a shortcut',
    [
      'journeys/shortcuts.test.ts',
      'a shortcut tells a guest in one sentence that Dolly is not for them, and does nothing',
    ],
  ],
  ['a form of an operation', policy],
  ['a step of a plan', ['journeys/planObstacles.test.ts', 'a step that the policy forbids']],
  [
    'the begin of an approved plan',
    ['journeys/changedPlans.test.ts', 'an approved teardown deletes nothing, and says why, where meanwhile'],
  ],
  ['the sign-in page', signInLink],
  ['a form of another site', ['journeys/signInPage.test.ts', 'the sign-in page takes no form of another site (%o)']],
  [
    'a restored store',
    [
      'journeys/restored.test.ts',
      'after its store was restored, Dolly sends no waiting request, warns of leases anew, and tells approvers',
    ],
  ],
  ['a request that Slack has not signed', ['journeys/twice.test.ts', 'a form with a wrong signature is refused']],
  ['a click of another team', ['journeys/attacks.test.ts', 'from another team decides nothing']],
  [
    'a button of another release',
    ['journeys/attacks.test.ts', 'on a button of another release on a job’s message does nothing'],
  ],
  [
    'an interaction that Slack sends twice',
    [
      'journeys/talkAttacks.test.ts',
      'a mention that Slack delivers several times is done once, also later and after a restart',
    ],
  ],
  [
    'approvers of whom nobody can act',
    [
      'journeys/whoDecides.test.ts',
      'a requester on whose deletion nobody can decide is told so at once, with the reason for each approver',
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
    [
      'journeys/attacks.test.ts',
      'a requester cannot approve their own deletion from another Slack account with the same sign-in',
    ],
  ],
];

/** Why somebody gains nothing at a door: then no attack on it can be told from what is right. */
const harmless = {
  account: 'It asks for the very account in Slack, so a second one is another person.',
  rest: 'It ends or holds something that was asked for, and sends nothing.',
  asksAgain: 'what it leads to asks for a sign-in itself, and waits until there is one.',
  once: 'It is done once: a second time finds nothing left to do.',
  quiet: 'It rings nobody, and of two the last one counts.',
  all: 'It holds for everybody here, and is undone by the same people.',
  own: 'It is about what the person asks for by themselves.',
} as const;

const sameUser: Attack = [
  'journeys/attacks.test.ts',
  'a requester cannot approve their own deletion from another Slack account with the same sign-in',
];
const signsInFirst: Attack = [
  'journeys/approval.test.ts',
  'an approver who had to sign in first is then shown just the deletion on which they had clicked',
];
const second: Attack = ['doors.test.ts', 'a second account in Slack of hers'];
const out: Attack = ['doors.test.ts', 'a signed-out owner’s click on lease.%s does nothing'];
const stateOut: Attack = [
  'journeys/stateDoubt.test.ts',
  'a person who is signed out cannot say what a state word means',
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
  'a person who signs in and presses “Go on” is in the form with all that they had typed',
];
const flood: Attack = [
  'faults/floods.test.ts',
  'a flood of 3,000 commands by one person has sixty carried out, is told once, and delays nobody else',
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
