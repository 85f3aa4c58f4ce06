import type { AnyMiddlewareArgs, App } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../ground/clock.ts';
import type { Owner } from '../../store/vault.ts';
import { said } from '../blocks/message.ts';
import { answerClick, ephemeral, whisper } from '../desk/answer.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { readMessage } from '../desk/message.ts';
import { whoIn, whoInCommand } from '../desk/who.ts';

/** A person gets one more interaction in each of these periods, in milliseconds. */
const refill = 200;
/** Max work in flight for all people together. Above it, commands and clicks are left out. */
const maxInFlight = 500;
/** Shortest pause between two messages to a person about interactions that were left out, in milliseconds. */
const silence = 10_000;
/** Max remembered people; the least recently active are forgotten. */
const maxPeople = 5_000;

const tooFast =
  ':hourglass: You asked for more at once than I do for one person, so I skipped the last of it. Please go on in a few seconds.';
const tooMuch = ':hourglass: I am too busy at the moment, so I skipped this. Please try again in a minute.';

/** The answer to a command, click or message that is left out; `undefined` if the person got it a moment ago. */
type Refusal = Readonly<{ told: string | undefined }>;

/** Decides on each command, click and message before anything is done about it. */
type FloodGate = (who: Owner, inHand: number) => Refusal | 'passes';

/**
 * Creates a {@link FloodGate} that lets a person do `burst` things at once. It keeps a few numbers for each person, of
 * the latest few thousand people.
 */
export function floodGate(clock: Clock, burst: number): FloodGate {
  const people = new LRUCache<string, { left: number; at: number; toldAt: number }>({ max: maxPeople });
  return ({ team, person }, inHand) => {
    const key = JSON.stringify([team, person]);
    const now = clock.steady();
    const before = people.get(key);
    const known = before ?? { left: burst, at: now, toldAt: Number.NEGATIVE_INFINITY };
    if (!before) people.set(key, known);
    known.left = Math.min(burst, known.left + (now - known.at) / refill);
    known.at = now;
    const why = known.left < 1 ? tooFast : inHand >= maxInFlight ? tooMuch : undefined;
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
 * Leaves out commands, clicks and messages of a person who sends a flood of them, and of everybody while too much work is in
 * flight. Each person is told so once in a while. Submitted forms always pass: somebody has filled them.
 */
export function holdFloods(app: App, desk: Voice & Desk<'run'>, burst: number, inHand: () => number): void {
  const gate = floodGate(desk.clock, burst);
  app.use(async args => {
    const interaction = interactionIn(desk, args);
    if (!interaction) return args.next();
    const { team, person } = interaction.who;
    const passed = gate({ team, person }, inHand());
    if (passed === 'passes') return args.next();
    if (passed.told !== undefined)
      desk.log.info({ team, person, inHand: inHand() }, 'left out, being too much at once');
    await interaction.leaveOut(passed.told);
  });
}

/** Something that a person sends, and the way to leave it out, with the words for the person, if there are any. */
type Interaction = Readonly<{ who: Owner; leaveOut: (told: string | undefined) => Promise<void> }>;

/** The command, click, shortcut or message that came, if it is one of these. */
function interactionIn(desk: Voice & Desk<'run'>, args: AnyMiddlewareArgs): Interaction | undefined {
  const tell = (answer: Promise<unknown>) => desk.run('tell of a flood', answer);
  if ('command' in args) {
    // The ack itself is the answer, which costs no further call.
    const leaveOut = (told: string | undefined) =>
      args.ack(told === undefined ? undefined : { ...said(told), ...ephemeral });
    return { who: whoInCommand(args.command), leaveOut };
  }
  if ('action' in args && args.body.type === 'block_actions') {
    const { body, respond, ack } = args;
    return {
      who: whoIn(body),
      async leaveOut(told) {
        await ack();
        if (told !== undefined) tell(answerClick(desk, { body, respond }, said(told)));
      },
    };
  }
  if ('shortcut' in args) {
    const { body, ack } = args;
    const who = whoIn(body);
    const channel = body.type === 'message_action' ? body.channel.id : who.person;
    return {
      who,
      async leaveOut(told) {
        await ack();
        if (told !== undefined) tell(whisper(desk, { ...who, channel }, said(told)));
      },
    };
  }
  const message = 'event' in args ? readMessage(args.body) : undefined;
  return (
    message && {
      who: message,
      async leaveOut(told) {
        if (told !== undefined) tell(whisper(desk, message, said(told)));
      },
    }
  );
}
