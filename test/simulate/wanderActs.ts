import { minute, second } from '../../src/ground/durations.ts';
import { logins, other } from './cast.ts';
import { odd } from './oddWord.ts';
import type { Act, ActOf, Fault, PersonName, Plan } from './plan.ts';
import type { Random } from './random.ts';
import type { Scene } from './sceneParts.ts';

/*
 * What people do beside asking for clones, backups and deletions: they look things up, save presets, report, stop all that
 * goes by itself, and press whatever they see. Each way is a few steps of one or two people.
 */

/** A step: who takes it, how long after the one before, what they type, and what they press then. */
type Step = Readonly<{
  who: PersonName;
  after?: number;
  words?: string;
  picks?: ActOf<'wander'>['picks'];
  patience?: number;
  /** Another act in its place, whose time and identifier are of no account; or how to make it. `idOf` names the act of a step. */
  act?: Act | ((idOf: (step: number) => string) => Act);
}>;

/** How many ways a plan has. */
const counts = [0, 1, 1, 2, 2, 3];

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
  [`/db ${'long '.repeat(900)}`],
  ...([['/db list', 'list.page'], ['/db whoami'], ['shortcut status']] as const),
];

/** Draws what people do beside the acts of a plan. */
export function drawWanderings(random: Random, acts: readonly Act[]): Scene {
  const last = Math.max(...acts.map(({ at }) => at));
  const drawn = Array.from({ length: random.one(counts) }, (_, number) => {
    const name = random.weighted(weights);
    // The brake is pulled while something is decided, or is under way.
    const weak = name === 'brake' ? acts.filter(({ act }) => weakTo.has(act)) : [];
    const before =
      weak.length > 0 && random.chance(0.7) ? random.one(weak).at - random.whole(0, 12 * second) : undefined;
    const at = Math.max(8 * second, before ?? random.whole(8 * second, Math.max(20 * second, last)));
    return drawWay(random, name, { at, number });
  });
  return { acts: drawn.flat(), faults: [] };
}

/** Dolly is no member of the channel in which people ask. */
const notInChannel = {
  fault: 'refuse',
  word: 'not_in_channel',
  method: 'chat.postMessage',
  skip: 0,
  times: 3,
} as const;

/** Draws a tour: one way after the other, from a time on. */
export function drawTour(random: Random, from: number, kind: Plan['tour']): Scene {
  const acts: Act[] = [];
  const faults: Fault[] = [];
  const many = random.whole(8, 12);
  for (let number = 0; number < many; number++) {
    const at = Math.max(from, ...acts.map(one => one.at)) + random.whole(5, 20) * second;
    const name = kind === 'pairs' && number % 3 === 1 ? 'pairs' : random.weighted(weights);
    acts.push(...drawWay(random, name, { at, number }));
    if (name === 'forgets') faults.push({ at: at - second, fault: 'away', to: 'service', lasts: 20 * second });
    if (name === 'elsewhere') faults.push({ at: at - second, ...notInChannel });
  }
  return { acts, faults };
}

function drawWay(
  random: Random,
  name: keyof typeof weights,
  { at: from, number }: Readonly<{ at: number; number: number }>,
): Act[] {
  let at = from;
  const idOf = (step: number) => `v${number}.${step}`;
  return ways[name](random).map(({ who, after = 0, words, picks = [], patience, act }, index): Act => {
    at += after;
    const id = idOf(index);
    if (act !== undefined) return { ...(typeof act === 'function' ? act(idOf) : act), at, id };
    const port = 6_500 + 10 * number + index;
    const more = { ...(words ? { words } : {}), ...(patience ? { patience } : {}) };
    return { ...{ at, id, act: 'wander', who, picks: [...picks], port }, ...more };
  });
}

/** What goes by itself once it was asked for, or may be sent only later. */
const weakTo: ReadonlySet<Act['act']> = new Set(['decide', 'back up several', 'tear down', 'restore']);
/** More parameters than a card has room for. */
const many = Array.from({ length: 150 }, (_, number) => `parameter_of_this_server_${number}=${number}`).join('\n');
const dbas = ['Ana', 'Dev'] as const;
const all = ['Ana', 'Ben', 'Chi', 'Dev', 'Eve'] as const;
const picksOf = (random: Random, most: number) => Array.from({ length: random.whole(1, most) }, () => random.next());
const weights = {
  ...{ looks: 40, brake: 12, maintenance: 9, presets: 10, reports: 5, schedules: 14, nights: 5, leases: 14 },
  ...{ alerts: 12, audit: 3, approvals: 5, pages: 6, glass: 6, talk: 8, edits: 7, elsewhere: 8, home: 10 },
  ...{ signedOut: 10, answers: 14, back: 5, forgets: 6, works: 9, blind: 8, pairs: 0, takes: 8, flows: 5 },
};

/** Ana asks for the deletion of a clone of its own. */
function deletion(random: Random): Step {
  const record = `gone-${random.whole(0, 999)}`;
  return { who: 'Ana', act: { at: 0, id: '', act: 'delete', who: 'Ana', record, twice: false } };
}

/** What people do in each way. */
const ways: Readonly<Record<keyof typeof weights, (random: Random) => readonly Step[]>> = {
  looks(random) {
    const who = random.one(all);
    const questionsOf = Array.from({ length: random.whole(1, 4) }, (_, number): Step => {
      const [words, press] = random.one(questions);
      const picks = press !== undefined && random.chance(0.7) ? [press, 'submit'] : picksOf(random, 3);
      return { who, after: number === 0 ? 0 : 6 * second, words, picks };
    });
    return questionsOf;
  },
  brake(random) {
    const who = random.chance(0.8) ? random.one(dbas) : random.one(all);
    const pulls: Step = { who, words: '/db brake Something is wrong.' };
    const off: Step = { who: random.chance(0.8) ? other(who) : random.one(all), words: '/db brake off' };
    const begun: Step = { who: 'Ana', after: 3 * second, words: '/db backup shop, orders', picks: ['submit'] };
    return [
      ...(random.chance(0.5) ? [begun] : []),
      pulls,
      ...(random.chance(0.4) ? [begun] : []),
      ...(random.chance(0.3)
        ? [{ who: 'Dev', after: 5 * second, words: 'home', picks: picksOf(random, 2) } as const]
        : []),
      { ...off, after: random.whole(5 * second, 3 * minute) },
    ];
  },
  maintenance(random) {
    const who = random.chance(0.8) ? random.one(dbas) : random.one(all);
    return [
      { who, words: '/db maintenance mysql-prod until=2h why="Kernel update"' },
      ...(random.chance(0.7)
        ? [
            {
              who: random.one(['Ana', 'Dev', 'Ben', 'Chi'] as const),
              after: random.whole(20 * second, 2 * minute),
              words: '/db maintenance mysql-prod off',
            },
          ]
        : []),
    ];
  },
  presets(random) {
    const who = random.one(dbas);
    const scope = random.chance(0.75) ? ['scope=workspace'] : [];
    const saves: Step = { who, words: '/clone shop', picks: ['form.preset', 'name=qa', ...scope, 'submit'] };
    const list = { after: 9 * second, words: '/db presets' } as const;
    const uses: Step = { who: random.one(all), ...list, picks: ['preset.use', random.next()] };
    const changes: Step = { who: other(who), ...list, after: 3 * second, picks: ['preset.menu#first', 'submit'] };
    const deletes: Step = { who, ...list, picks: ['preset.menu', ...(random.chance(0.8) ? ['wait'] : []), 'submit'] };
    const ofJob: Step = { who, after: 20 * second, picks: ['preset.save', 'name=like that', 'submit'] };
    return [
      saves,
      ...[uses, ofJob].filter(() => random.chance(0.4)),
      deletes,
      ...(random.chance(0.7) ? [changes] : []),
    ];
  },
  reports(random) {
    const who = random.one(['Ana', 'Ben', 'Dev'] as const);
    const on: Step = { who, words: `/db report daily at=09:${String(random.whole(2, 15)).padStart(2, '0')} zone=UTC` };
    const off: Step = { who: random.one(all), after: random.whole(10 * second, 5 * minute), words: '/db report off' };
    return random.chance(0.4) ? [on, off] : [on];
  },
  schedules(random) {
    const who = random.one(dbas);
    const sets: Step = { who, words: '/db schedule backup orders every=15m zone=UTC' };
    const presses = ['run', 'pause', 'resume', 'change', 'new', 'delete', 'run', 'delete', 'change'];
    const steps = Array.from({ length: random.whole(1, 3) }, (): Step => {
      const by = random.chance(0.8) ? who : random.one(all);
      const picks = [`schedule.${random.one(presses)}`, 'submit'];
      return { who: by, after: random.whole(8, 30) * second, words: '/db schedules', picks };
    });
    const ofJob: Step = { who, after: 20 * second, picks: ['schedule.job', 'submit'] };
    return [sets, ...steps, ...(random.chance(0.4) ? [ofJob] : [])];
  },
  nights(random) {
    const who = random.one(dbas);
    const sets: Step = { who, words: '/db schedule backup env:mariadb-prod every=day at=02:00 zone=UTC' };
    const picks = [random.one(['schedule.leaveOut', 'schedule.include'])];
    return [sets, { who, after: 8 * second, words: '/db schedules', picks }, { who, after: 8 * second, picks }];
  },
  leases(random) {
    const port = 6_900 + random.whole(0, 99);
    const made: Act = { at: 0, id: '', act: 'clone', who: 'Ben', port, word: '', twice: false };
    const name = `shop-${port}`;
    const keeps: Step = { who: 'Ben', after: 25 * second, picks: [random.one(['lease.keep', 'lease.more']), 'submit'] };
    const sets: Step = {
      who: 'Ben',
      after: 8 * second,
      words: `/db lease ${name} ${random.one(['1d', '2d', '9d', 'none'])}`,
    };
    const wisher = random.one(['Ana', 'Chi', 'Chi'] as const);
    const wishes: Step = { who: wisher, after: 8 * second, words: `/db lease ${name} 1d` };
    const presses = ['grant', 'decline', 'withdraw', 'extend', 'endless', 'more', 'ask'];
    const steps = Array.from({ length: random.whole(1, 3) }, (): Step => {
      const words = random.chance(0.5) ? { words: '/db leases' } : {};
      const who = random.chance(0.6) ? 'Ben' : wisher;
      return { who, after: random.whole(6, 20) * second, ...words, picks: [`lease.${random.one(presses)}`, 'submit'] };
    });
    const longer: Step = {
      who: 'Ben',
      after: 8 * second,
      words: `/db lease ${name} 9d`,
      picks: ['lease.ask', 'submit'],
    };
    const withdraws: Step = { who: wisher, after: 5 * second, picks: ['lease.withdraw'] };
    const clone: Step = { who: 'Ben', act: made };
    return [
      clone,
      ...[keeps, sets, wishes, ...(random.chance(0.3) ? [withdraws] : []), ...steps, longer].filter(() =>
        random.chance(0.85),
      ),
    ];
  },
  alerts(random) {
    const who = random.one(dbas);
    const record = `ill-${random.whole(0, 99)}`;
    const presses = ['take', 'rest', 'hand', 'over', 'choose', 'rest', 'hand', 'over'];
    const steps = Array.from({ length: random.whole(2, 4) }, (_, index): Step => {
      const by = random.chance(0.7) ? who : random.one(all);
      const after = index === 0 ? 6 * minute : random.whole(5, 20) * second;
      return { who: by, after, picks: [`alert.${random.one(presses)}`, 'submit'] };
    });
    const fails: Step = { who, after: second, act: { at: 0, id: '', act: 'break', record, how: 'fail' } };
    return [{ who, words: '/db alerts on' }, { who, words: '/db alerts test' }, fails, ...steps];
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
  blind: random => [
    { who: 'Ana', words: '/db alerts on' },
    { who: 'Ana', after: 2 * second, words: '/db logout' },
    { who: random.chance(0.8) ? 'Dev' : random.one(all), after: 7 * minute, picks: ['alert.over'] },
    { who: 'Ana', after: 5 * second, act: { at: 0, id: '', act: 'sign in', who: 'Ana', as: logins.Ana } },
  ],
  works(random) {
    const who = random.one(dbas);
    const record = `ill-${random.whole(0, 99)}`;
    const fails: Step = { who, after: second, act: { at: 0, id: '', act: 'break', record, how: 'fail' } };
    const declared = '/db maintenance mysql-prod until=3h why="Kernel update"';
    return [
      ...[{ who, words: '/db alerts on' }, fails, { who, after: 6 * minute, words: declared }],
      { who, after: random.whole(50, 90) * second, words: '/db maintenance mysql-prod off' },
      { who, after: 2 * minute, words: '/db maintenance' },
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
  /** An approver becomes the owner of what another one runs, and runs it. */
  takes(random) {
    const who = random.one(dbas);
    const place = random.chance(0.6) ? 'dm ' : '';
    const sets: Step = { who, words: `${place}/db schedule backup crm every=15m zone=UTC` };
    const press = (by: PersonName, pick: string): Step => ({
      ...{ who: by, after: 10 * second, words: '/db schedules', picks: [pick] },
    });
    const taker = random.chance(0.85) ? other(who) : random.one(all);
    return [sets, press(taker, 'schedule.take'), press(taker, 'schedule.run')];
  },
  /** More workflows ask for somebody’s leave than Home has room for. */
  flows(random) {
    const as = random.one(dbas);
    const runs = Array.from({ length: 6 }, (_, number): Step => {
      const [workflow, record] = [`Flow ${number}`, `flow${number}`];
      return {
        who: 'Ben',
        after: second,
        act: { at: 0, id: '', act: 'run step', who: 'Ben', as, step: 'back_up', workflow, record },
      };
    });
    const answers = runs.map((_, number): Step => {
      const button = random.chance(0.8) ? ('Allow' as const) : ('Don’t allow' as const);
      return { who: as, act: idOf => ({ at: 0, id: '', act: 'answer step', who: as, of: idOf(number), button }) };
    });
    return [...runs, ...answers, { who: as, after: 30 * second, words: 'home', picks: ['consent.all'] }];
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
};
