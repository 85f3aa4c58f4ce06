import { actorOf } from '../../jobs/actor.ts';
import { isApprover } from '../../jobs/approval/people/hasSay.ts';
import type { Clerk, Judge, Parts } from '../../jobs/parts.ts';
import { section } from '../../slack/blocks/blocks.ts';
import { cut } from '../../slack/blocks/limits.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, said } from '../../slack/blocks/message.ts';
import { momentAfter } from '../../slack/blocks/moments.ts';
import { code, plain } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import type { Feature } from '../../slack/feature.ts';
import { commandButton } from '../../slack/words/commandActions.ts';
import type { Command } from '../../slack/words/commandText.ts';
import { type Brake, brakeId, brakes, pulled, released } from './brake.ts';

/** Max characters of a reason. */
const longest = 300;

type Braker = Judge & Clerk & Desk<'things' | 'names' | 'homes'>;

/** The brake of a team while it is on. */
async function brakeOf({ things }: Parts<'things'>, team: string): Promise<Brake | undefined> {
  const brake = await things.find(brakes, brakeId(team));
  return brake?.state === 'on' ? brake : undefined;
}

function sentenceOf({ person, reason, since }: Brake): string {
  return `:no_entry: *The emergency brake is on*${momentAfter(' since', since)}: ${mentionOf(person)} pulled it: “${plain(reason, longest)}”. Nothing runs by itself, and no step of a plan or a batch begins; single requests go on.`;
}

/**
 * Answers `brake`: those who approve stop all that would be written by itself, with a reason, and let it go on again.
 * @throws {Failure} `busy` where Slack does not tell who approves
 */
async function brake(desk: Braker, interaction: Interaction, { words: [, ...words] }: Command): Promise<Content> {
  const { team, person, channel } = interaction;
  const { db } = desk.names;
  const on = await brakeOf(desk, team);
  const how = `${code(`${db} brake <reason>`)} stops all changes that Dolly makes by itself, and ${code(`${db} brake off`)} lets them go on.`;
  if (words.length === 0)
    return on
      ? said(sentenceOf(on), [commandButton(db, ['brake', 'off'])])
      : said(`The emergency brake is off. Approvers can pull it: ${how}`);
  if (!(await isApprover(desk, { team, person }))) return said(`Only approvers can use the emergency brake. ${how}`);
  const isOff = words.length === 1 && words[0]?.toLowerCase() === 'off';
  if (isOff && !on) return said('The emergency brake is already off.');
  const now = desk.clock.now();
  const by = await actorOf(desk, { team, person }, channel);
  const reason = cut(words.join(' '), longest);
  const off = { ...released(now), trail: { ...by, event: 'brake released' } };
  const pull = { as: pulled({ team, person }, reason, now), trail: { ...by, event: 'brake pulled' } };
  await desk.things.act(brakes, brakeId(team), one => (isOff ? one && off : pull), now);
  await desk.homes.ask({ team, person });
  return isOff
    ? said(
        ':white_check_mark: The emergency brake is off. What waited goes on within a minute. I skip scheduled runs that are too late by now, and say so. I warn the owners of late leases once more.',
      )
    : said(
        `:no_entry: The emergency brake is on. Steps of plans that were already sent will finish; nothing else begins. ${how}`,
      );
}

/** All that is written by itself stops while somebody says so. */
export const brakeFeature = {
  name: 'brake',
  things: { kinds: [brakes] },
  commands: {
    own: [
      {
        word: 'brake',
        subject: 'Approvals and audit',
        usage: 'brake [<reason> | off]',
        summary: 'Stop all changes that Dolly makes by itself, or let them go on (for approvers)',
        takes: 'any',
        acts: ({ words }) => words.length > 1,
        answer: brake,
      },
    ],
  },
  home: {
    place: 'top',
    open:
      (desk: Desk<'things'>) =>
      async ({ team }) => {
        const on = await brakeOf(desk, team);
        return { blocks: on ? [section(sentenceOf(on))] : [] };
      },
  },
  permission: {
    async heldBy(desk: Desk<'things'>, team) {
      const on = await brakeOf(desk, team);
      return on && `The emergency brake is on: ${on.reason}`;
    },
  },
} satisfies Feature<never>;
