import type { App } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ground/clock.ts';
import { said } from '../blocks/blocks.ts';
import { answerClick, ephemeral } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { whoIn } from '../desk/who.ts';

/** One person may ask for one more thing in each of these, in milliseconds. */
const refill = 200;
/** So many works are in hand at most, whoever asked for them. */
const mostInHand = 500;
/** What is left out is told to a person at most this often, in milliseconds. */
const silence = 10_000;
/** So many people are remembered; those that asked for nothing in the longest time are forgotten. */
const mostPeople = 5_000;

const tooFast =
  ':hourglass: You asked for more at once than I do for one person, so I left out the last of it. Please go on in a few seconds.';
const tooMuch = ':hourglass: I have too much to do at the moment, so I left this out. Please try again in a minute.';

/** What a person is told whose command or click is left out; nothing where that was told just now. */
type Refusal = Readonly<{ told: string | undefined }>;

/** Decides on each command and click before anything is done about it. */
export type FloodGate = (person: string, inHand: number) => Refusal | 'passes';

/** Makes a {@link FloodGate} that lets a person ask for `burst` things at once: it keeps a few numbers for each person, of the latest few thousand people. */
export function floodGate(clock: Clock, burst: number): FloodGate {
  const people = new LRUCache<string, { left: number; at: number; toldAt: number }>({ max: mostPeople });
  return (person, inHand) => {
    const now = clock.steady();
    const known = people.get(person) ?? { left: burst, at: now, toldAt: Number.NEGATIVE_INFINITY };
    people.set(person, known);
    known.left = Math.min(burst, known.left + (now - known.at) / refill);
    known.at = now;
    const why = known.left < 1 ? tooFast : inHand >= mostInHand ? tooMuch : undefined;
    if (why === undefined) {
      known.left -= 1;
      return 'passes';
    }
    if (now - known.toldAt < silence) return { told: undefined };
    known.toldAt = now;
    return { told: why };
  };
}

/**
 * Leaves out commands and clicks of whoever sends a flood of them, and of everybody while there is too much in hand; each
 * person is told so once in a while. Forms that are submitted are always taken: somebody has filled them.
 */
export function holdFloods(app: App, desk: Desk, burst: number, inHand: () => number): void {
  const gate = floodGate(desk.clock, burst);
  const leftOut = (person: string) => desk.log.info({ person, inHand: inHand() }, 'left out, being too much at once');
  app.use(async args => {
    if ('command' in args) {
      const person = args.command.user_id;
      const passed = gate(person, inHand());
      if (passed === 'passes') return args.next();
      if (passed.told === undefined) return args.ack();
      leftOut(person);
      // The answer to the command itself, which costs nothing more.
      return args.ack({ ...said(passed.told), ...ephemeral });
    }
    if ('action' in args && args.body.type === 'block_actions') {
      const { body, respond } = args;
      const { person } = whoIn(body);
      const passed = gate(person, inHand());
      if (passed === 'passes') return args.next();
      await args.ack();
      if (passed.told === undefined) return;
      leftOut(person);
      desk.run('tell of a flood', answerClick(desk, body, respond, said(passed.told)));
      return;
    }
    await args.next();
  });
}
