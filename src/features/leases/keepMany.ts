import pLimit from 'p-limit';
import { z } from 'zod';
import { Failure } from '../../ground/failure.ts';
import { counted, inRow } from '../../ground/wording.ts';
import { readKeepFor, timeLabel, writeMinute, writeMoment } from '../../operations/requests/keepFor.ts';
import { asJson, defineAction } from '../../slack/blocks/action.ts';
import { actionsRow, option, sectionsOf } from '../../slack/blocks/blocks.ts';
import { type Content, message } from '../../slack/blocks/message.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import type { Owner } from '../../store/vault.ts';
import { type LeaseOutcome, type LeaseSetter, setLease } from './leaseActs.ts';
import { leaseActions } from './leaseButtons.ts';
import { untilWords } from './leaseMessages.ts';

/* How long several clones are kept, at once: each as if it were set alone, and one answer. */

const Kept = z.object({ records: z.array(z.object({ id: z.string(), name: z.string() })), k: z.string() });

/** Under this name the time for several clones is kept until it is set. */
export const keepManyByForm = defineAction('lease.setMany', asJson(Kept));

const choice = /^keep (\w+)$/;

/** The times that a page for several clones offers beside what is asked of the service. */
export const keepChoices = ['1d', '3d', '1w', '2w', '4w', 'none'].map(text =>
  option(`keep ${text}`, text === 'none' ? 'Keep without an end' : `Keep for ${timeLabel(text)} from now`),
);

/** The time that a choice of {@link keepChoices} means; `undefined` for any other one. */
export function keptTime(chosen: string): string | undefined {
  const text = choice.exec(chosen)?.[1];
  return text !== undefined && readKeepFor(text) ? text : undefined;
}

type NamedClone = Readonly<{ id: string; name: string }>;
type Outcome = LeaseOutcome | Readonly<{ type: 'failed'; sentence: string }>;

/** Max clones that are read and set at once. */
const setAtOnce = 6;

/** Sets the end of the leases of several clones. What cannot be done to one stops no other. @throws {Failure} `signed-out` */
export async function setLeases(
  parts: LeaseSetter,
  act: Owner & Readonly<{ channel: string }>,
  records: readonly NamedClone[],
  keep: Parameters<typeof setLease>[2],
): Promise<readonly (readonly [NamedClone, Outcome])[]> {
  const inTurn = pLimit(setAtOnce);
  const setOne = async ({ id }: NamedClone): Promise<Outcome> => {
    try {
      return await setLease(parts, { ...act, record: id }, keep);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
      return { type: 'failed', sentence: error.message };
    }
  };
  return Promise.all(records.map(one => inTurn(async () => [one, await setOne(one)] as const)));
}

/** Max clones whose request for approval has a button, and max names in a line. */
const most = { asks: 5, names: 30 } as const;

/** The answer of several clones: those that are kept in a line for each end, the others with the reason. */
export function keptMany(all: readonly (readonly [NamedClone, Outcome])[]): Content {
  const set = all.flatMap(([{ name }, outcome]) =>
    outcome.type === 'set' ? [{ name, endsAt: outcome.lease.endsAt }] : [],
  );
  const byEnd = Map.groupBy(set, ({ endsAt }) => (endsAt === null ? null : writeMinute(endsAt)));
  const kept = [...byEnd.values()].map(some => {
    const names = inRow(
      some.map(({ name }) => plain(name, 60)),
      most.names,
    );
    const are = some.length === 1 ? 'is' : 'are';
    return `:hourglass: *${counted(some.length, 'clone')} ${are} kept* ${untilWords(some[0]?.endsAt)}: ${names}`;
  });
  const others = all.flatMap(([{ name }, outcome]) => {
    const why = whyNot(outcome);
    return why === undefined ? [] : [`:warning: ${bold(name, 80)} ${why}`];
  });
  const asks = all.flatMap(([{ id, name }, outcome]) =>
    outcome.type === 'too long'
      ? [leaseActions.ask.button(`Ask for ${name}…`, { r: id, k: writeMoment(outcome.endsAt) }, { suffix: id })]
      : [],
  );
  return message([...sectionsOf([...kept, ...others], 600), ...actionsRow(asks.slice(0, most.asks), 'many')]);
}

/** Why the end of a clone was not set; `undefined` where it was. */
function whyNot(outcome: Outcome): string | undefined {
  switch (outcome.type) {
    case 'set':
      return undefined;
    case 'too long':
      return outcome.most === undefined
        ? 'was not changed: the policy wants an end for each clone. Keeping it longer needs approval.'
        : `was not changed: the policy lets you keep it ${untilWords(outcome.most)}. Keeping it longer needs approval.`;
    case 'asked':
      return 'stays as it was until its owner agrees: what happens at its end uses their sign-in, so I asked them.';
    case 'declined':
    case 'withdrawn':
      return 'was not changed.';
    default:
      return `was not changed: ${plain(outcome.sentence, 300)}`;
  }
}
