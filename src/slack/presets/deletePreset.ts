import type { ViewResponseAction } from '@slack/bolt';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { parseJson } from '../../api/reading/jsonTree.ts';
import { Failure, sentence } from '../../ground/failure.ts';
import { actorOf } from '../../jobs/actor.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Owner } from '../../store/vault.ts';
import { notice, section } from '../blocks/blocks.ts';
import { bold, cut, limits, plain } from '../blocks/limits.ts';
import { mustBeAdmitted, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import type { Speaker } from '../desk/use.ts';
import { presetHolders } from './presetActions.ts';
import { presetValues } from './presetList.ts';
import { mustChange } from './rights.ts';

/** The `callback_id` of the form that deletes a preset. */
export const deletionCallback = 'preset-deletion';

const Metadata = z.object({ id: z.string(), revision: z.number(), channel: z.string() });

/** The form that asks before a preset is deleted. */
export function deletionForm(preset: Preset, operation: JobOperation, { person, channel }: Speaker): ModalView {
  const { id, revision, name } = preset;
  const lost = preset.scope === 'me' ? '' : ' Others lose it, too.';
  return {
    type: 'modal',
    callback_id: deletionCallback,
    title: { type: 'plain_text', text: 'Delete preset' },
    submit: { type: 'plain_text', text: 'Delete' },
    close: { type: 'plain_text', text: 'Cancel' },
    private_metadata: JSON.stringify({ id, revision, channel } satisfies z.infer<typeof Metadata>),
    blocks: [
      section(
        cut(
          `Delete ${bold(name)} ${presetHolders(preset, person)}?${lost} No job changes by that.`,
          limits.sectionText,
        ),
      ),
      section(presetValues(preset, operation, 2_000)),
    ],
  };
}

/** Slack's next view after the form that deletes a preset: a note on what came of it. */
export async function answerToDeletion(
  desk: Desk,
  owner: Owner,
  view: Readonly<{ private_metadata: string }>,
): Promise<ViewResponseAction> {
  const metadata = Metadata.safeParse(parseJson(view.private_metadata)).data;
  if (!metadata) return told('Too old', 'This form is of another release of Dolly, so nothing was deleted.');
  const speaker = { ...owner, channel: metadata.channel };
  try {
    await mustBeAdmitted(desk, owner);
    await mustBeSignedIn(desk, owner);
    const preset = await desk.presets.find(metadata.id);
    if (preset?.team !== owner.team) return told('Deleted', 'The preset is gone already.');
    await mustChange(desk, speaker, preset);
    const by = await actorOf(desk, owner, speaker.channel);
    const deed = { by, now: desk.clock.now(), event: 'preset deleted', detail: preset.name };
    const isDeleted = await desk.presets.remove(metadata, deed);
    if (!isDeleted) return told('Not deleted', 'Somebody changed this preset meanwhile. Look at it again first.');
    await desk.homes.ask(owner);
    return told('Deleted', `:white_check_mark: ${bold(preset.name)} is deleted.`);
  } catch (error) {
    if (!(error instanceof Failure)) desk.log.error({ error, person: owner.person }, 'a preset could not be deleted');
    return told('Not deleted', `:warning: ${plain(sentence(error), 500)}`);
  }
}

function told(title: string, text: string): ViewResponseAction {
  return { response_action: 'update', view: notice(title, text) };
}
