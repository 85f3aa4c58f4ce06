import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { hour } from '../../ground/durations.ts';
import { notedIn } from '../../ground/failure.ts';
import { within } from '../../ground/within.ts';
import { asJson, inputAction } from '../../slack/blocks/action.ts';
import { input, option, section } from '../../slack/blocks/blocks.ts';
import { chooseSome } from '../../slack/blocks/inputs.ts';
import { limits } from '../../slack/blocks/limits.ts';
import { defineModal, heldIn } from '../../slack/blocks/modal.ts';
import type { Voice } from '../../slack/desk/desk.ts';
import { faultAt, keep, onSubmit } from '../../slack/desk/submission.ts';
import { maxCalled } from './alertActs.ts';
import { callByForm, handByForm } from './alertButtons.ts';
import { takenFor } from './incidents/incidentStep.ts';

const handModal = defineModal(
  'alertHand',
  asJson(z.object({ incident: z.string(), channel: z.string() })),
  sent => heldIn(sent, 'to').selected_user ?? null,
);

/** The form that hands an incident over to another person. */
export function handForm(incident: string, channel: string): ModalView {
  const people = { type: 'users_select', action_id: inputAction } as const;
  const hint = `I mention them in the thread. They are then on it for ${takenFor / hour} hours.`;
  const blocks = [input('to', 'To', people, { hint })];
  return handModal.view({ incident, channel }, { title: 'Hand over', submit: 'Hand over', blocks });
}

export const handSubmission = onSubmit(handModal, (_desk, { carried: { incident }, fields: to }) =>
  to === null ? faultAt('to', 'Choose a person.') : keep(handByForm, { incident, to }),
);

const callModal = defineModal('alertCall', asJson(z.object({ channel: z.string() })), sent => ({
  people: heldIn(sent, 'people').selected_users ?? [],
  groups: (heldIn(sent, 'groups').selected_options ?? []).map(({ value }) => value),
}));

/** The form that chooses whom the alerts of a channel call; `groups` are the user groups that Slack tells. */
export function callForm(channel: string, called: readonly string[], groups: readonly PlainTextOption[]): ModalView {
  const ids = called.filter(id => id.startsWith('S'));
  const unknown = ids.filter(id => groups.every(({ value }) => value !== id)).map(id => option(id, id));
  const options = [...unknown, ...groups];
  const choice = { ...chooseSome('multi_static_select', options, ids), max_selected_items: maxCalled };
  const hint = 'Slack’s own groups: I notify whoever is in one at that moment.';
  const limit = { action_id: inputAction, max_selected_items: maxCalled };
  const users = called.filter(id => !id.startsWith('S'));
  const people = { type: 'multi_users_select', ...limit, initial_users: users } as const;
  return callModal.view(
    { channel },
    {
      title: 'Who is notified',
      submit: 'Save',
      blocks: [
        section(
          'I notify them of failures, of what vanished, and of a service I cannot reach, at any hour, and again after 15, 30 and 60 minutes. Everything else waits for 9:00.',
        ),
        ...(options.length === 0 ? [] : [input('groups', 'User groups', choice, { optional: true, hint })]),
        input('people', 'People', people, { optional: true }),
      ],
    },
  );
}

export const callSubmission = onSubmit(callModal, (_desk, { fields: { groups, people } }) =>
  keep(callByForm, [...groups, ...people]),
);

/** A form must open within 3 s of its click; after so many milliseconds it opens without the groups. */
const patience = 1_000;

/** The user groups of a workspace, as far as Slack tells them in time. */
export async function userGroups({ slack, clock, log }: Voice, team: string): Promise<readonly PlainTextOption[]> {
  const read = slack.of(team).usergroups.list().catch(notedIn(log, 'Slack does not tell its user groups'));
  const { usergroups = [] } = (await within(clock, patience, read)) ?? {};
  return usergroups
    .flatMap(({ id, handle, name }) => (id === undefined ? [] : [option(id, `@${handle ?? id}`, name)]))
    .slice(0, limits.options);
}
