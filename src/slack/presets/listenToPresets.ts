import type { App, BlockAction, ViewResponseAction } from '@slack/bolt';
import { sentence } from '../../ground/failure.ts';
import { within } from '../../ground/remembered.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { notice } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';
import { whoIn } from '../desk/who.ts';
import { readView } from '../forms/formState.ts';
import { saveAsPreset } from '../forms/presetField.ts';
import { answerToDeletion, deletionCallback } from './deletePreset.ts';
import { saveForm } from './presetClicks.ts';
import { presetCallback } from './presetForm.ts';
import { answerToPreset } from './savePreset.ts';

/** Slack waits 3 s for an answer. Work that takes longer than this, in milliseconds, is answered without its result. */
const ackPatience = 2_500;

/** Listens to the forms of presets, and to the button inside a form that saves its values. */
export function listenToPresets(app: App, desk: Desk): void {
  app.view({ callback_id: presetCallback, type: 'view_submission' }, async ({ ack, body, view }) => {
    const slow = 'My store is slow, so I do not know yet whether I have this. Submit it again: it is saved once.';
    const late: ViewResponseAction = { response_action: 'errors', errors: { name: slow } };
    await ack((await within(desk.clock, ackPatience, answerToPreset(desk, whoIn(body), view))) ?? late);
  });
  app.view({ callback_id: deletionCallback, type: 'view_submission' }, async ({ ack, body, view }) => {
    const slow = 'My store is slow, so I do not know yet whether it is deleted. Look at your presets again.';
    const late: ViewResponseAction = { response_action: 'update', view: notice('Deleting', slow) };
    await ack((await within(desk.clock, ackPatience, answerToDeletion(desk, whoIn(body), view))) ?? late);
  });
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
    const pushed = shown.then(view => desk.slack.of(owner.team).views.push({ trigger_id: body.trigger_id, view }));
    desk.run('open the form of a preset', pushed);
  });
}
