import { day, hour, minute, second } from '../../../src/ground/durations.ts';
import type { Message } from '../../../src/sandbox/playground/protocol.ts';
import { approvalChannel } from '../../journeys/approvals.ts';
import { approves, asks } from '../../journeys/asking.ts';
import type { Someone } from '../../person.ts';
import { addSnapshot, standingOn } from './estate.ts';
import { asked, down, failsEachNight, type Member, maintained, monday, type Way, watch } from './plan.ts';
import { type Deed, ordinaryOn, says, type Team } from './play.ts';

/* What happens in the week by itself and by people, but for the troubles that are planted (troubles.ts). */

const days = Array.from({ length: 7 }, (_, index) => monday + index * day);
const workdays = days.slice(0, 5);

/** What is backed up each night without Dolly, and what is mended each morning by hand. */
export function nightsOf({ earth, leftOut }: Team): readonly Deed[] {
  const { estate } = earth.service.service;
  const all = () => [...estate.databases.values()];
  return days.flatMap((midnight): Deed[] => [
    {
      // Not on the hour, when Dolly's hourly runs have some of them.
      at: midnight + 1.2 * hour,
      does() {
        const others = all().filter(({ id, cloneType }) => cloneType === undefined && !leftOut.has(id));
        for (const one of others) if (one.state === 'RUNNING') addSnapshot(estate, one, earth.clock.now());
      },
    },
    {
      at: midnight + failsEachNight.mendedAt,
      does() {
        for (const one of all().filter(({ name }) => name === failsEachNight.name)) {
          addSnapshot(estate, one, earth.clock.now());
          Object.assign(one, { state: 'RUNNING', error: undefined });
        }
      },
    },
  ]);
}

/** The host that is worked on while nothing runs there, and the one that goes down for a while. */
export function outagesOf(team: Team): readonly Deed[] {
  const turn = ({ host }: Readonly<{ host: string }>, change: Readonly<{ state: string; error?: string }>) => {
    const { estate } = team.earth.service.service;
    const environment = [...estate.environments.values()].find(({ name }) => name === host);
    const enabled = change.state === 'RUNNING';
    if (environment)
      Object.assign(environment, { enabled, error: change.error, state: enabled ? 'ENABLED' : 'FAILED' });
    for (const one of standingOn(estate, host)) Object.assign(one, { error: undefined, ...change });
  };
  const over = { state: 'RUNNING' } as const;
  const { host, at, lasts } = maintained;
  const hours = lasts / hour;
  return [
    {
      at,
      async does() {
        const answer = await says(team, 'Ana', `/db maintenance ${host} until=${hours}h why="Kernel update"`);
        if (!answer.includes('is in maintenance')) throw new Error(`no maintenance: ${answer}`);
      },
    },
    { at: at + 5 * minute, does: () => turn(maintained, { state: 'FAILED', error: 'The host does not answer.' }) },
    { at: at + lasts - 10 * minute, does: () => turn(maintained, over) },
    { at: down.at, does: () => turn(down, { state: 'FAILED', error: 'ssh: No route to host' }) },
    { at: down.at + down.lasts, does: () => turn(down, over) },
  ];
}

/** What people ask for by hand, and that Ana is on what calls her while she works. */
export function requestsOf(team: Team): readonly Deed[] {
  const requests = asked.map(({ day: weekday, hour: hours, what, by, words = '' }): Deed => {
    return { at: monday + weekday * day + hours * hour, does: () => ways[what](team, by, words) };
  });
  const looks = workdays.flatMap(midnight => {
    const last = midnight + watch.to * hour;
    const between = Array.from({ length: (watch.to - watch.from) / watch.every }, (_, index): Deed => {
      return { at: midnight + (watch.from + index * watch.every) * hour, does: () => isOnIt(team) };
    });
    return [...between, { at: last, does: () => closes(team) }];
  });
  return [...requests, ...looks];
}

/** Ana says of each incident that waits for somebody that she is on it, and so she answers where she is asked again. */
async function isOnIt({ earth, people: { Ana } }: Team): Promise<void> {
  const lastLook = earth.clock.now() - (watch.every + 0.1) * hour;
  const recent = Ana.messages('#databases').filter(({ ts }) => Number(ts) * 1_000 > lastLook);
  const presses = async (words: string, messages: readonly Message[]) => {
    for (const message of messages) {
      if (!Ana.canPress(words, { message })) continue;
      await Ana.presses(words, { message });
      // One act draws others’ messages anew: she presses what she sees.
      await earth.clock.advance(second);
    }
  };
  await presses('I’m on it', callsOf(Ana));
  await presses('I’m still on it', recent);
}

/** At the end of her day Ana closes what she was on: it is mended, or she knows what becomes of it. */
async function closes({ earth, people: { Ana } }: Team): Promise<void> {
  for (const message of callsOf(Ana)) {
    await Ana.chooses('alert.rest', 'Close: nothing to do', { message });
    await earth.clock.advance(second);
  }
}

/** The incidents that call somebody, or that somebody is on, and that can still be closed. */
function callsOf(person: Someone): readonly Message[] {
  const all = person.messages('#databases').filter(({ threadTs }) => threadTs === undefined);
  return all.filter(({ text, blocks }) => text.includes(person.id) && JSON.stringify(blocks).includes('alert.rest'));
}

const ways: Readonly<Record<Way, (team: Team, by: Member, words: string) => Promise<unknown>>> = {
  /** A clone on qa, which is kept as long as the policy says, or for another time. */
  async clone(team, by, words) {
    const { earth, people, random } = team;
    const { estate } = earth.service.service;
    const source = ordinaryOn(team, 'shop-prod-eu').id;
    const on = [...estate.environments.values()].find(({ name }) => name === 'qa');
    const place = `targetEnvironment=${on?.id} install=${on?.installs[0]?.id} environmentUser=${on?.environmentUsers[0]?.id}`;
    const port = 4_000 + random.whole(1, 900);
    const line = `/clone ${source} port=${port} mountBase=/mnt/${port} ${place} ${words}`;
    await asks(earth, people[by], line, { fields: {} });
  },
  /** The lease of a clone that was there before. */
  async lease(team, by, words) {
    const own = standingOn(team.earth.service.service.estate, 'dev', true).filter(
      ({ owner }) => owner === by.toLowerCase(),
    );
    const last = own.at(-1);
    if (last) await says(team, by, `/db lease ${last.id} ${words}`);
  },
  async backup(team, by) {
    await asks(team.earth, team.people[by], `/db backup ${ordinaryOn(team, 'shop-prod-eu').id}`);
  },
  async refresh(team, by) {
    await asks(team.earth, team.people[by], `/db refresh ${ordinaryOn(team, 'data-prod-eu').id}`);
  },
  /** Ben deletes a clone of his. */
  async delete({ earth, people }, by) {
    const own = standingOn(earth.service.service.estate, 'qa', true).filter(({ owner }) => owner === 'ben');
    const old = own.find(({ state }) => state === 'RUNNING');
    if (old) await asks(earth, people[by], `/db delete ${old.id}`, { name: old.name });
  },
  /** What Ben asked for is approved by Ana: Dev is on holiday. */
  async approve({ earth, people }, by) {
    const waiting = earth.cards(approvalChannel).filter(card => /Waits for approval/.test(earth.text(card)));
    const card = waiting.find(one => /Asked by \*ben\*/.test(earth.text(one)));
    if (card) await approves(earth, people[by], card);
  },
};
