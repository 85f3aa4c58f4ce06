import { minute, second } from '../../src/ground/durations.ts';
import { logins, other } from './cast.ts';
import type { Act, PersonName } from './plan.ts';
import { all, dbas, picksOf, type Step, type Way } from './wayParts.ts';

/* Ways in which people treat what lasts: presets, schedules, leases, alerts, the brake, words, workflows. */

export const thingWays = {
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
    const begins = random.one(['', '', 'from=30s ', 'from=2m ']);
    const runs = random.chance(0.3) ? ' runs=off' : '';
    return [
      { who, words: `/db maintenance mysql-prod ${begins}until=2h why="Kernel update"${runs}` },
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
      ...[uses, ofJob].filter(() => random.chance(0.6)),
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
    const keeps: Step = {
      who: 'Ben',
      after: 25 * second,
      picks: [random.one(['lease.keep', 'lease.more']), 'date=2026-11-22', 'submit'],
    };
    const sets: Step = {
      who: 'Ben',
      after: 8 * second,
      words: `/db lease ${name} ${random.one(['1d', '2d', '9d', 'none'])}`,
    };
    const wisher = random.one(['Ana', 'Chi', 'Chi'] as const);
    const wishes: Step = { who: wisher, after: 8 * second, words: `/db lease ${name} 1d` };
    const presses = ['grant', 'decline', 'withdraw', 'extend', 'endless', 'endless', 'more', 'ask'];
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
      ...[keeps, sets, wishes, ...(random.chance(0.45) ? [withdraws] : []), ...steps, longer].filter(() =>
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
    const on: Step = { who, words: '/db alerts on', picks: random.chance(0.5) ? ['alert.choose', 'submit'] : [] };
    return [on, { who, words: '/db alerts test' }, fails, ...steps];
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
  /** What somebody holds is to be deleted: they hear of it and may object, and others decide. */
  holders(random) {
    const port = 6_700 + random.whole(0, 99);
    const name = `shop-${port}`;
    const made: Act = { at: 0, id: '', act: 'clone', who: 'Ben', port, word: '', twice: false };
    const asks: Step = {
      ...{ who: random.one(dbas), after: 25 * second, words: `/db delete ${name}` },
      picks: [`confirm=${name}`, 'submit'],
    };
    const objects: Step = {
      ...{ who: random.chance(0.85) ? 'Ben' : random.one(all), after: 6 * second },
      ...{ picks: ['approval.object', 'submit'], patience: 15 * second },
    };
    const decides: Step = {
      ...{ who: random.chance(0.8) ? other(asks.who) : random.one(all), after: random.whole(2, 20) * second },
      picks: [`approval.${random.one(['approve', 'approve', 'deny', 'withdraw'])}`, 'submit'],
    };
    return [{ who: 'Ben', act: made }, asks, ...(random.chance(0.8) ? [objects] : []), decides];
  },
  /** Somebody wants to be called by a direct message, and perhaps no more, while what they asked for goes on. */
  notifies(random) {
    const who = random.one(all);
    const wants = (way: string, after: number): Step => ({ who, after, words: `/db notify ${way}` });
    return [
      wants('direct', 0),
      { who, after: 3 * second, words: '/db backup shop', picks: ['submit'] },
      ...(random.chance(0.5) ? [wants('mention', random.whole(1, 40) * second)] : []),
    ];
  },
  /** Something is due for somebody who is signed out: Dolly says so, and they sign in. */
  leavers(random) {
    const who = random.one(['Ana', 'Ben', 'Dev'] as const);
    const port = 6_600 + random.whole(0, 99);
    const runs: Step = {
      ...{ who: 'Ben', after: 5 * second },
      act: {
        at: 0,
        id: '',
        act: 'run step',
        who: 'Ben',
        as: 'Ana',
        step: 'back_up',
        workflow: 'Late flow',
        record: 'late',
      },
    };
    const allows: Step = {
      ...{ who, act: idOf => ({ at: 0, id: '', act: 'answer step', who, of: idOf(0), button: 'Allow' }) },
    };
    const made: Step = { who, act: { at: 0, id: '', act: 'clone', who, port, word: '', twice: false } };
    /** What they begin, what is begun for them once they are signed out, and the button of the message, which comes in time. */
    const ways = {
      Ana: { begins: [runs, allows], after: [runs], press: 'consent.signin', within: minute },
      Ben: {
        begins: [made, { who, after: 30 * second, words: `/db lease shop-${port} 2h` }],
        ...{ after: [], press: 'lease.signin', within: 63 * minute },
      },
      Dev: {
        begins: [{ who, words: '/db schedule backup crm every=15m zone=UTC' }],
        ...{ after: [], press: 'schedule.signin', within: 17 * minute },
      },
    };
    const { begins, after, press, within } = ways[who];
    return [
      ...begins,
      { who, after: 15 * second, words: '/db logout' },
      ...after,
      { who, after: 5 * second, picks: [press], patience: within },
      { who, after: within, act: { at: 0, id: '', act: 'sign in', who, as: logins[who] } },
    ];
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
} satisfies Readonly<Record<string, Way>>;
