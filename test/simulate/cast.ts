import { minute, second } from '../../src/ground/durations.ts';
import type { Act, PersonName } from './plan.ts';
import type { Random } from './random.ts';

/** The time of day when every world begins. */
export const begin = Date.UTC(2026, 10, 21, 9);

/** As whom people sign in. */
export const logins: Readonly<Record<PersonName, string>> = {
  Ana: 'ana',
  Ben: 'ben',
  Chi: 'chi',
  Dev: 'dev',
  Eve: 'eve',
};

/** Of the two who may do everything at the service. */
export const dba = (random: Random) => random.one(['Ana', 'Dev'] as const);

/** Of those two, the one who is not `who`. */
export const other = (who: PersonName): PersonName => (who === 'Ana' ? 'Dev' : 'Ana');

/** Draws the next sign-in of somebody who was signed out. */
export function signInAgain(random: Random, id: string, at: number, who: PersonName): Act {
  return { at: at + random.whole(5 * second, 3 * minute), id, act: 'sign in', who, as: logins[who] };
}

/** Draws how somebody signs out: they may press *Sign in* where Dolly offers it, and sign in again. @param again how probably */
export function signsOut(
  random: Random,
  { id, at, who }: Readonly<{ id: string; at: number; who: PersonName }>,
  again: number,
): Act[] {
  const patience = random.one([1, 1, 16]) * minute;
  const presses: Act = {
    at: at + 2 * second,
    id: `${id}.s`,
    act: 'wander',
    who,
    picks: ['.signin'],
    port: 6_300,
    patience,
  };
  return [
    { at, id: `${id}.o`, act: 'sign out', who },
    ...(random.chance(0.5) ? [presses] : []),
    ...(random.chance(again) ? [signInAgain(random, `${id}+`, at, who)] : []),
  ];
}
