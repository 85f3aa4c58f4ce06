import { z } from 'zod';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import type { Someone } from '../person.ts';
import type { World } from '../world.ts';

/** The last entries of the trail, the oldest first, as `event actor: detail`. Stops the bot for it, and starts it again. */
export async function trail(earth: World, count: number): Promise<readonly string[]> {
  await earth.stop();
  const store = await openStore(earth.environment.DATA_DIR ?? '');
  const team = earth.playground.slack.workspace.team.id;
  const { entries } = await auditIn(store).read(team, { words: [] }, count);
  await store.destroy();
  await earth.start();
  return entries.toReversed().map(({ event, actor, detail }) => `${event} ${actor}: ${detail ?? ''}`);
}

/** What somebody alone is told while `work` goes on: one message, and no other until the bot has nothing left to do. */
export async function onlyAnswer(
  earth: World,
  someone: Someone,
  channel: string,
  work: () => Promise<unknown>,
): Promise<string> {
  const mine = () => someone.messages(channel).filter(({ onlyFor }) => onlyFor === someone.id || channel === '@dolly');
  const before = mine().length;
  await work();
  await earth.until(() => mine().length > before, `an answer to ${someone.name}`);
  await earth.restart();
  const told = mine().slice(before);
  if (told.length !== 1) throw new Error(`${someone.name} was told ${told.length} times: ${JSON.stringify(told)}`);
  return JSON.stringify(told[0]?.blocks);
}

const Click = z.looseObject({
  user: z.looseObject({ id: z.string() }),
  team: z.looseObject({ id: z.string() }),
  message: z.looseObject({}).optional(),
  actions: z.array(z.looseObject({ action_id: z.string(), value: z.string().optional() })),
});
export type Forgery = { person?: string; team?: string; action?: string; value?: string; messageOf?: string };

/** A click as Slack would sign it, with other contents. */
export function forgedClick(change: Forgery): (payload: string) => string {
  return payload => {
    const click = Click.parse(JSON.parse(payload));
    const { person = click.user.id, team = click.team.id, action, value, messageOf } = change;
    return JSON.stringify({
      ...click,
      user: { ...click.user, id: person },
      team: { ...click.team, id: team },
      ...(messageOf === undefined ? {} : { message: { ...click.message, user: messageOf, bot_id: undefined } }),
      actions: click.actions.map(one => ({
        ...one,
        ...(action === undefined ? {} : { action_id: action }),
        ...(value === undefined ? {} : { value }),
      })),
    });
  };
}

const Submission = z.looseObject({
  view: z.looseObject({
    private_metadata: z.string(),
    state: z.looseObject({ values: z.record(z.string(), z.unknown()) }),
  }),
});

/** A submission as Slack would sign it, with other contents: of the hidden part, and of the texts by block. */
export function forgedForm(
  metadata: (before: object) => unknown,
  texts: Readonly<Record<string, string | null>> = {},
): (payload: string) => string {
  return payload => {
    const { view, ...others } = Submission.parse(JSON.parse(payload));
    const values = Object.entries({ ...view.state.values, ...texts }).flatMap(([block, value]) =>
      value === null
        ? []
        : [[block, typeof value === 'string' ? { value: { type: 'plain_text_input', value } } : value] as const],
    );
    const changed = metadata(z.looseObject({}).parse(JSON.parse(view.private_metadata)));
    return JSON.stringify({
      ...others,
      view: {
        ...view,
        private_metadata: typeof changed === 'string' ? changed : JSON.stringify(changed),
        state: { ...view.state, values: Object.fromEntries(values) },
      },
    });
  };
}

/** What the button to approve brings back from a card. */
export function approvalOf(earth: World, card: StoredMessage): string {
  const blocks = earth.playground.slack.messages(card.channel).find(({ ts }) => ts === card.ts)?.blocks;
  const found = /"value":("\{(?:\\.|[^"\\])*\}")/.exec(JSON.stringify(blocks));
  return z.string().parse(JSON.parse(found?.[1] ?? 'null'));
}
