import { sentence } from '../../ground/failure.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { notice } from '../blocks/blocks.ts';
import { plain } from '../blocks/mrkdwn.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import type { UseInForm } from '../desk/reaction.ts';
import { openView } from '../desk/views.ts';
import { whoIn } from '../desk/who.ts';
import { readView } from '../forms/formState.ts';
import { saveAsPreset } from '../forms/presets/presetField.ts';
import { saveForm } from './presetClicks.ts';

/** The button inside a form that saves its values as a preset. The form stays open below, with all that was typed. */
export const saveInForm: UseInForm<Voice & Desk<'people'>> = {
  id: saveAsPreset.id,
  use(desk, body) {
    const form = readView(body.view);
    const operation = form && jobOperation(form.operation);
    if (!form || !operation) return undefined;
    const { metadata, inputs, labels } = form;
    const owner = whoIn(body);
    const shown = mustBeAdmitted(desk, owner).then(
      () => saveForm(metadata, operation, inputs, labels),
      (error: unknown) => notice('Save as preset', plain(sentence(error))),
    );
    const at = { team: owner.team, trigger: body.trigger_id, isInForm: true };
    return shown.then(view => openView(desk, at, view));
  },
};
