import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { actorOf } from '../../jobs/actor.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Preset } from '../../store/tables/presets.ts';
import { asJson } from '../blocks/action.ts';
import { section } from '../blocks/blocks.ts';
import { defineModal } from '../blocks/modal.ts';
import { bold } from '../blocks/mrkdwn.ts';
import { mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Doorkeeper } from '../desk/desk.ts';
import type { Speaker } from '../desk/interaction.ts';
import { noteInstead, onSubmit } from '../desk/submission.ts';
import { presetHolders } from './presetActions.ts';
import { presetValues } from './presetList.ts';
import { mustChange } from './rights.ts';

const Seen = z.object({ id: z.string(), revision: z.number(), channel: z.string() });
const deletionModal = defineModal('preset-deletion', asJson(Seen), () => null);

/** The form that asks before a preset is deleted. */
export function deletionForm(preset: Preset, operation: JobOperation, { person, channel }: Speaker): ModalView {
  const { id, revision, name } = preset;
  const lost = preset.scope === 'me' ? '' : ' Others will lose it, too.';
  const carried = { id, revision, channel };
  return deletionModal.view(carried, {
    title: 'Delete preset',
    submit: 'Delete',
    blocks: [
      section(`Delete ${bold(name)} ${presetHolders(preset, person)}?${lost} No job changes by that.`),
      section(presetValues(preset, operation, 2_000)),
    ],
  });
}

/** Deletes a preset as the person saw it, and notes what came of it. */
export const deletionSubmission = onSubmit(
  deletionModal,
  async (desk: Doorkeeper & Desk<'homes' | 'presets'>, { team, person, channel, carried }) => {
    const speaker = { team, person, channel };
    await mustBeSignedIn(desk, speaker);
    const preset = await desk.presets.find(carried.id);
    if (preset?.team !== team) return noteInstead('Deleted', 'This preset was already deleted.');
    await mustChange(desk, speaker, preset);
    const by = await actorOf(desk, speaker, channel);
    const deed = { by, now: desk.clock.now(), event: 'preset deleted', detail: preset.name };
    const isDeleted = await desk.presets.remove(carried, deed);
    if (!isDeleted)
      return noteInstead('Not deleted', 'Somebody changed this preset in the meantime. Look at it again first.');
    await desk.homes.ask({ team, person });
    return noteInstead('Deleted', `:white_check_mark: ${bold(preset.name)} is deleted.`);
  },
);
