import { second } from '../../src/ground/durations.ts';
import { logins } from './cast.ts';
import { odd } from './oddWord.ts';
import type { Act, PersonName } from './plan.ts';
import { all, dbas, deletion, picksOf, type Step, type Way } from './wayParts.ts';

/* Ways in which people look things up, and treat requests: read them, decide on them, change what they said. */

/** Words that show something, and a button that stands there, as far as it is one of its own. */
const questions: readonly (readonly [words: string, press?: string])[] = [
  ...([['/db jobs'], ['/db status'], ['/db doctor'], ['/db stats'], ['/db whoami'], ['/db approvals']] as const),
  ...([['/db leases'], ['/db schedules'], ['/db presets'], ['/db alerts'], ['/db why backup shop']] as const),
  ...([['/db show shop'], ['/db report'], ['/db maintenance'], ['/db brake'], ['/clone shop'], ['/restore']] as const),
  ...([
    ['/db audit', 'audit.page'],
    ['/db list', 'list.page'],
    ['/db help', 'command.run'],
  ] as const),
  ...([['/db several shop'], ['home', 'home.refresh'], ['home', 'home.page']] as const),
  ...([['@dolly status'], ['@dolly what is shop?'], ['@dolly backup shop'], ['dm list']] as const),
  ...([['dm back up shop'], ['shortcut status'], ['shortcut clone'], ['ask', 'submit']] as const),
  ...([['/db list', 'list.page'], ['/db whoami'], ['shortcut status']] as const),
];

/** More parameters than a card has room for. */
const many = Array.from({ length: 150 }, (_, number) => `parameter_of_this_server_${number}=${number}`).join('\n');

export const requestWays = {
  looks(random) {
    const who = random.one(all);
    const questionsOf = Array.from({ length: random.whole(1, 4) }, (_, number): Step => {
      const [words, press] = random.one(questions);
      const picks = press !== undefined && random.chance(0.7) ? [press, 'submit'] : picksOf(random, 3);
      return { who, after: number === 0 ? 0 : 6 * second, words, picks };
    });
    return questionsOf;
  },
  pages(random) {
    const picks = [`databaseParams=${many}`, 'submit'];
    const asked: Step = { who: 'Ana', words: '/clone billing', picks };
    const who = random.chance(0.8) ? 'Dev' : random.one(all);
    const reads: Step = { who, after: 12 * second, picks: ['approval.read', 'submit', 'submit', 'submit', 'submit'] };
    return [asked, reads];
  },
  glass(random) {
    const who = random.chance(0.8) ? 'Ana' : random.one(all);
    return [deletion(random), { who, after: 12 * second, picks: ['approval.glass', 'submit'] }];
  },
  back(random) {
    const record = `back-${random.whole(0, 99)}`;
    const restored: Act = { at: 0, id: '', act: 'restore', who: 'Ana', record, twice: false, first: true };
    return [
      { who: 'Ana', act: restored },
      { who: 'Ana', after: 40 * second, picks: ['job.takeback'] },
    ];
  },
  audit: random => [
    {
      who: random.chance(0.8) ? random.one(dbas) : 'Ben',
      words: '/db audit',
      picks: [random.one(['audit.page'])],
    },
  ],
  approvals: random => [
    {
      who: random.one(all),
      words: '/db approvals',
      picks: [random.one(['approval.read', 'approval.deny', 'approval.withdraw']), 'submit', 'submit'],
    },
  ],
  talk: random => [
    {
      who: random.one(all),
      words: random.one([
        '@dolly backup shop',
        '@dolly who deleted shop?',
        'dm backup shop',
        '@dolly clone shop',
        'dm status',
      ]),
      picks: picksOf(random, 2),
    },
  ],
  edits(random) {
    const who = random.one(dbas);
    const changed = random.one(['backup orders', 'status', 'backup crm']);
    return [
      { who, words: 'dm backup shop' },
      {
        who,
        after: random.whole(8, 40) * second,
        words: `edit ${changed}`,
        picks: random.chance(0.4) ? ['message.changed'] : [],
      },
    ];
  },
  elsewhere(random) {
    const place = random.chance(0.5) ? 'random ' : '';
    return [
      { who: 'Ana', words: `${place}/db backup shop` },
      { who: 'Dev', after: random.whole(0, 3 * second), words: `${place}/db backup orders` },
      { who: 'Ben', after: random.whole(0, 6 * second), words: `${place}/db jobs` },
    ];
  },
  /** Two approve, at the same moment or one after the other; one of them may be signed in as the other. */
  pairs(random) {
    const as = random.chance(0.45) ? logins.Dev : logins.Eve;
    const approves = (who: PersonName, after: number): Step => ({ who, after, picks: ['approval.approve'] });
    return [
      deletion(random),
      { who: 'Eve', after: 2 * second, act: { at: 0, id: '', act: 'sign in', who: 'Eve', as } },
      approves('Dev', 12 * second),
      approves('Eve', random.one([0, 0, 1, 4 * second])),
    ];
  },
  forgets: random => [
    { who: 'Ana', words: random.one(['/db backup shop', '/db backup orders']) },
    { who: random.chance(0.8) ? 'Ana' : random.one(all), after: 5 * second, picks: ['kept.forget'] },
  ],
  /** Two people make clones that stand in a word of which nobody knows what it means; some say it, and an approver takes it back. */
  answers(random) {
    const [one, other_] = random.one([
      ['Ben', 'Chi'],
      ['Ben', 'Dev'],
      ['Chi', 'Ben'],
      ['Ana', 'Ben'],
    ] as const);
    const port = 6_700 + 2 * random.whole(0, 49);
    const made = (who: PersonName, number: number): Step => {
      const asked: Act = { at: 0, id: '', act: 'clone', who, port: port + number, word: odd.made, twice: false };
      return { who, after: 2 * second, act: asked };
    };
    const says = (who: PersonName): Step => ({
      ...{ who, picks: [random.one(['job.answer', 'job.answer#first', 'job.answer#first'])], patience: 90 * second },
    });
    const record = `stands-${odd.stood}`;
    const stands: Step = { who: one, act: { at: 0, id: '', act: 'change', record, how: 'snapshot' } };
    const doctor = (pick: string): Step => ({
      who: random.chance(0.8) ? 'Dev' : random.one(all),
      words: '/db doctor',
      picks: [pick],
    });
    return [
      made(one, 0),
      made(other_, 1),
      ...(random.chance(0.5) ? [stands, { ...doctor('state.explain'), after: 30 * second }] : []),
      says(random.chance(0.8) ? one : random.one(all)),
      ...(random.chance(0.5) ? [says(other_)] : []),
      ...(random.chance(0.6) ? [{ ...doctor('state.takeback'), after: 50 * second }] : []),
    ];
  },
  home: random => [
    {
      who: random.one(all),
      words: 'home',
      picks: [random.one(['home.refresh', 'home.steps', 'home.page', 'command.run', 'operation']), random.next()],
    },
  ],
  signedOut(random) {
    const who = random.one(['Ana', 'Ben', 'Dev'] as const);
    const asks = random.one(['/db backup shop', '/db backup orders']);
    const sees: Step = {
      who,
      after: 6 * second,
      words: random.one(['/db schedules', '/db leases', '/db jobs', 'home']),
    };
    const signIns = ['job.signin', 'lease.signin', 'schedule.signin', 'consent.signin'];
    return [
      { who, words: asks },
      { who, words: '/db logout' },
      { ...sees, picks: [random.next()] },
      { who, after: 4 * second, picks: [random.one(signIns)] },
      { who, after: 4 * second, picks: [random.one(signIns)] },
      { who, after: 6 * second, act: { at: 0, id: '', act: 'sign in', who, as: logins[who] } },
    ];
  },
  /** More is typed than is read. */
  long: random => [{ who: random.one(all), words: `/db ${'long '.repeat(900)}` }],
  /** A plan is stopped after a step, and goes on from there. */
  onward(random) {
    const record = `on-${random.whole(0, 99)}`;
    const restored: Act = { at: 0, id: '', act: 'restore', who: 'Ana', record, twice: false, first: true };
    const goesOn: Step = { who: 'Ana', after: 12 * second, picks: ['job.onward'] };
    return [{ who: 'Ana', act: restored }, { who: 'Ana', after: 4 * second, picks: ['job.withdraw'] }, goesOn];
  },
  /** What is to be deleted changes while others are asked: its approval is void, and it is asked for anew. */
  anew(random) {
    const asked = deletion(random);
    const record = asked.act && 'record' in asked.act ? asked.act.record : '';
    const change: Act = { at: 0, id: '', act: 'change', record, how: 'move' };
    return [
      asked,
      { who: 'Dev', after: 8 * second, act: change },
      {
        who: 'Dev',
        after: 2 * second,
        act: idOf => ({ at: 0, id: '', act: 'decide', who: 'Dev', of: idOf(0), how: 'approve', twice: false }),
      },
      { who: 'Ana', after: 10 * second, picks: ['approval.anew', 'submit'], patience: 20 * second },
    ];
  },
  /** Somebody asks about a message. */
  asks: random => [{ who: random.one(all), words: 'ask', picks: ['submit', 'submit'] }],
} satisfies Readonly<Record<string, Way>>;
