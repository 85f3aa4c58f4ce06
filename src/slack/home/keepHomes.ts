import { thisMoment, wasSetSince } from '../../ground/clock.ts';
import { type Loop, lockRenewal, startLoop } from '../../ground/loop.ts';
import type { Home, Whose } from '../../store/tables/homes.ts';
import { type HomeOwner, refresh, type Tools } from './home.ts';
import { clonesFor } from './homeClones.ts';
import { homePauses } from './homePauses.ts';

/** Shortest pause between two looks into the store, in milliseconds: many wake-ups come at once. */
const shortestTurn = 250;
const maxAtOnce = 20;
/** Max people whose Homes one look into the store compares. */
const mostAsked = 500;

/** Keeps Homes up to date. */
type Homekeeper = Loop & {
  /** Makes the next turn start at once, since somebody waits in front of a Home. */
  hurry(): void;
};

/**
 * Publishes every recently opened Home whenever its content changes. Each turn reads the changes from the store, so a
 * restart loses nothing. The digest of the published view is stored, too, so nothing is published twice.
 */
export function keepHomes(desk: HomeOwner): Homekeeper {
  const { homes, clock, log, pages } = desk;
  const sections = desk.lists.house.sections.map(({ place, open }) => ({ place, draw: open() }));
  const tools: Tools = { quiet: homePauses(clock), clonesOf: clonesFor(pages), sections, hurry: () => hurry() };
  const inHand = new Set<Home>();
  const renewLocks = lockRenewal(clock, until => homes.renew([...inHand], until));
  let isHurried = true;
  /** Whose Homes may be behind; `isAll`: anybody's may be. */
  const touched = new Map<string, Whose>();
  let isAll = true;
  let turnedAt = Number.NEGATIVE_INFINITY;
  let before = thisMoment(clock);
  const looping = startLoop(clock, {
    async turn(run, isPoll) {
      await renewLocks();
      const now = clock.now();
      const since = clock.steady() - turnedAt;
      if (!isHurried && since < shortestTurn) return now + shortestTurn - since;
      if (wasSetSince(clock, before)) await homes.recall(now);
      before = thisMoment(clock);
      const whose = isAll || isPoll ? undefined : [...touched.values()].slice(0, mostAsked);
      if (whose?.length === 0) return undefined;
      [isHurried, isAll, turnedAt] = [false, false, clock.steady()];
      for (const one of whose ?? []) touched.delete(keyOf(one));
      const { taken, later, nextAt } = await homes.take(now, maxAtOnce, whose);
      const others = touched.size;
      for (const one of later) touched.set(keyOf(one), one);
      for (const home of taken) {
        inHand.add(home);
        // What changed meanwhile was passed over.
        const ended = () => inHand.delete(home) && touched.set(keyOf(home), home);
        run(refresh(desk, tools, home).finally(ended));
      }
      return others > 0 ? now : nextAt;
    },
    renew: renewLocks,
    failed(error, times) {
      isAll = true;
      log.error({ error, times }, 'the list of open Homes could not be read');
    },
  });
  homes.listen((whose, at) => {
    if (whose) touched.set(keyOf(whose), whose);
    else isAll = true;
    looping.wake(at);
  });
  // Only then it was heard whose Home was opened.
  const hurry = () =>
    void setImmediate(() => {
      isHurried = true;
      looping.wake(clock.now());
    });
  return {
    ...looping,
    wake(at) {
      isAll = true;
      looping.wake(at);
    },
    hurry,
  };
}

const keyOf = ({ team, person = '' }: Whose) => `${team} ${person}`;
