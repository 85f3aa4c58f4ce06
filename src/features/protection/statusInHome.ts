import type { SectionBlock } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { isOlder, type Moment, thisMoment } from '../../ground/clock.ts';
import { day, minute } from '../../ground/durations.ts';
import { notedIn } from '../../ground/failure.ts';
import type { FactReader } from '../../jobs/parts.ts';
import { headerBlock, section } from '../../slack/blocks/blocks.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { HomeSection, HomeWanted } from '../../slack/house.ts';
import { runCommand } from '../../slack/words/commandActions.ts';
import { readSummary } from './readSummary.ts';
import { firstLines } from './statusWords.ts';
import type { ProtectionSummary } from './summary.ts';

/** How everything stands that a person sees, in Home. */
export const statusInHome: HomeSection<FactReader & Desk<'things' | 'keepersOf'>> = {
  place: 'middle',
  open(desk) {
    const statusOf = statusFor(desk);
    return async ({ signedInAt, ...wanted }) => {
      if (signedInAt === undefined) return { blocks: [] };
      const { summary, later } = statusOf({ ...wanted, signedInAt });
      return { blocks: summary ? [headerBlock('Protection'), statusRow(summary)] : [], later };
    };
  },
};

/** How everything stands that a person sees, in Home; `later` resolves when a newer reading is there. */
type HomeStatus = Readonly<{ summary?: ProtectionSummary | undefined; later?: Promise<unknown> }>;

/** Max age while other parts of Home change, in milliseconds, and for a person who opens Home. */
const servesFor = minute;
const freshFor = 15_000;
const maxKept = 1_000;

/** The Home of somebody who is signed in. */
type SignedInHome = HomeWanted & Readonly<{ signedInAt: number }>;

type KeptSummary = Readonly<{ at: Moment; summary: ProtectionSummary | undefined }>;

/**
 * Reads the status for Homes, with each person's own token, out of the answers that their clones are read from. Home
 * never waits for it: an older one, with its time, stands there until then.
 */
export function statusFor(desk: FactReader & Desk<'things' | 'keepersOf'>): (wanted: SignedInHome) => HomeStatus {
  const kept = new LRUCache<string, KeptSummary>({ max: maxKept });
  const reading = new Map<string, Promise<unknown>>();
  return ({ team, person, signedInAt, notBefore, isOpening }) => {
    const key = JSON.stringify([team, person, signedInAt]);
    const before = kept.get(key);
    // What was read before the last job of this person ended says nothing of what it did.
    const isOfNow =
      before && before.at.now >= notBefore && !isOlder(desk.clock, before.at, isOpening ? freshFor : servesFor);
    if (isOfNow) return { summary: before.summary };
    const at = thisMoment(desk.clock);
    const later =
      reading.get(key) ??
      read(desk, { team, person, notBefore })
        .then(summary => kept.set(key, { at, summary }))
        .finally(() => reading.delete(key));
    reading.set(key, later);
    return { summary: before?.summary, later };
  };
}

/** The row of Home that says how everything stands, with the button that shows all of it. */
export function statusRow(summary: ProtectionSummary): SectionBlock {
  const show = runCommand.button('Show the status', 'status', { suffix: 'status' });
  return { ...section(firstLines(summary).join('\n')), block_id: 'protection', accessory: show };
}

function read(
  desk: FactReader & Desk<'things' | 'keepersOf'>,
  { team, person, notBefore }: Pick<HomeWanted, 'team' | 'person' | 'notBefore'>,
): Promise<ProtectionSummary | undefined> {
  // Each Home that is open reads again and again.
  const glance = { reader: { team, person }, notBefore, words: [], since: desk.clock.now() - day, most: 10 };
  // The list of clones says what is wrong.
  const unread = notedIn(desk.log, 'the status could not be read for Home', { person });
  return readSummary(desk, { ...glance, told: { person } }).catch(unread);
}
