import type { App, BlockAction } from '@slack/bolt';
import { sentence } from '../../ground/failure.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { notice } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { openView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { readView } from '../forms/formState.ts';
import { saveAsPreset } from '../forms/presets/presetField.ts';
import { saveForm } from './presetClicks.ts';

/** Listens to the button inside a form that saves its values as a preset. */
export function listenToPresets(app: App, desk: Voice & Desk<'people' | 'run'>): void {
  app.action<BlockAction>(saveAsPreset.id, async ({ ack, body }) => {
    await ack();
    const form = readView(body.view);
    const operation = form && jobOperation(form.operation);
    if (!form || !operation) return;
    const { metadata, inputs, labels } = form;
    const owner = whoIn(body);
    const shown = mustBeAdmitted(desk, owner).then(
      () => saveForm(metadata, operation, inputs, labels),
      (error: unknown) => notice('Save as preset', plain(sentence(error))),
    );
    // The form stays open below, with all that was typed.
    const at = { team: owner.team, trigger: body.trigger_id, isInForm: true };
    const opened = shown.then(view => openView(desk, at, view));
    desk.run('open the form of a preset', opened);
  });
}
