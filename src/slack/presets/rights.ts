import { Failure } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import { namesNobody, servesWorkspace } from '../../jobs/approval/people/hasSay.ts';
import { allApprovers } from '../../jobs/approval/policy/rules.ts';
import type { Clerk, Judge } from '../../jobs/parts.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk, Doorkeeper } from '../desk/desk.ts';
import type { Speaker } from '../desk/interaction.ts';
import { maySeePreset } from '../forms/presets/presetWords.ts';

/**
 * Lets only people go on who may save presets for the workspace: the approvers; if the policy lists none, everybody who
 * is signed in, as with approvals. A refusal goes to the trail.
 * @throws {Failure} `forbidden`
 */
export async function mustServeWorkspace(desk: Doorkeeper, speaker: Speaker): Promise<void> {
  const is = await servesWorkspace(desk, speaker);
  if (is) return;
  await refuse(
    desk,
    speaker,
    is === undefined
      ? 'Slack cannot tell me at the moment who is in the group of approvers. I changed nothing; please try again.'
      : 'Only approvers can save or change presets of the workspace. Save it for yourself or for this channel.',
  );
}

/**
 * Lets only people go on who may change, share or delete a preset: a preset of the workspace is for approvers; one of a
 * channel for those who saved it, for approvers, and for the whole channel once the one who saved it has left. A refusal
 * goes to the trail.
 * @throws {Failure} `forbidden`
 */
export async function mustChange(desk: Doorkeeper, speaker: Speaker, preset: Preset): Promise<void> {
  if (preset.scope === 'workspace') return mustServeWorkspace(desk, speaker);
  const isGone = async (maker: Owner) => (await desk.people.standingOf(maker, 'now')) === 'outsider';
  const standing = { serves: () => servesWorkspace(desk, speaker), isGone };
  if (await mayChange(speaker, preset, standing)) return;
  await refuse(desk, speaker, 'Only approvers and the person who saved this preset can change it.');
}

/** What the right to change presets rests on. */
type PersonStanding = Readonly<{
  /** Whether the person serves the workspace; `undefined` where Slack does not tell. */
  serves(): Promise<boolean | undefined>;
  /** Whether the person who saved a preset has left. A guest who may not use Dolly is still there, and keeps theirs. */
  isGone(maker: Owner): Promise<boolean>;
}>;

/** Whether a person may change, share or delete a preset, as far as Slack tells. */
async function mayChange(
  speaker: Speaker,
  preset: Preset,
  { serves, isGone }: PersonStanding,
): Promise<boolean | undefined> {
  if (preset.scope === 'workspace') return serves();
  if (preset.person === speaker.person) return true;
  const isElsewhere = preset.scope === 'me' || !maySeePreset(preset, speaker);
  return !isElsewhere && ((await serves()) || isGone({ team: preset.team, person: preset.person }));
}

/**
 * The ids of the presets that a person may change, for a list. It rests on what Slack said within the last minutes;
 * {@link mustChange} asks Slack at the moment of the change.
 */
export async function changeable(desk: Judge & Desk<'credentials'>, speaker: Speaker, presets: readonly Preset[]) {
  const { people, policy, credentials } = desk;
  const serving = namesNobody(policy) ? credentials.has(speaker) : people.isAmong(speaker, allApprovers(policy));
  const standing: PersonStanding = {
    serves: () => serving,
    isGone: async maker => (await people.standingOf(maker)) === 'outsider',
  };
  const ids = presets.map(async preset => ((await mayChange(speaker, preset, standing)) ? [preset.id] : []));
  return new Set((await Promise.all(ids)).flat());
}

async function refuse(desk: Clerk, { team, person, channel }: Speaker, why: string): Promise<never> {
  const by = await actorOf(desk, { team, person }, channel);
  await desk.audit.add({ ...by, team, person, at: desk.clock.now(), event: 'preset refused', detail: why });
  throw new Failure('forbidden', why);
}
