import type { App } from '@slack/bolt';
import type { ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { within } from '../../ground/remembered.ts';
import { asJson, inputAction } from '../../slack/blocks/action.ts';
import { input, option, section } from '../../slack/blocks/blocks.ts';
import { defineModal, heldIn } from '../../slack/blocks/modal.ts';
import { mustBeAdmitted } from '../../slack/desk/admission.ts';
import type { Desk, Doorkeeper, Voice } from '../../slack/desk/desk.ts';
import { faultAt, keep, onSubmit } from '../../slack/desk/submission.ts';
import { whoIn } from '../../slack/desk/who.ts';
import { callByForm, handByForm } from './alertButtons.ts';

const handModal = defineModal(
  'alertHand',
  asJson(z.object({ incident: z.string(), channel: z.string() })),
  sent => heldIn(sent, 'to').selected_user ?? null,
);

/** The form that hands an incident over to another person. */
export function handForm(incident: string, channel: string): ModalView {
  const people = { type: 'users_select', action_id: inputAction } as const;
  return handModal.view(
    { incident, channel },
    {
      title: 'Hand over',
      submit: 'Hand over',
      blocks: [input('to', 'To', people, { hint: 'I mention them in the thread. They are on it for 4 hours.' })],
    },
  );
}

export const handSubmission = onSubmit(handModal, (_desk, { carried: { incident }, fields: to }) =>
  to === null ? faultAt('to', 'Choose a person.') : keep(handByForm, { incident, to }),
);

const groupAction = 'alert.groups';
/** Max people, and max groups, that a channel calls. */
const maxCalled = 10;

const callModal = defineModal('alertCall', asJson(z.object({ channel: z.string() })), sent => ({
  people: heldIn(sent, 'people').selected_users ?? [],
  groups: (heldIn(sent, 'groups', groupAction).selected_options ?? []).map(({ value }) => value),
}));

/** The form that chooses whom the alerts of a channel call. */
export function callForm(channel: string, called: readonly string[], groups: readonly PlainTextOption[]): ModalView {
  const chosen = called
    .filter(id => id.startsWith('S'))
    .map(id => groups.find(({ value }) => value === id) ?? option(id, id));
  return callModal.view(
    { channel },
    {
      title: 'Who is called',
      submit: 'Save',
      blocks: [
        section(
          'For failures, and what is gone, I call at any hour, and again after 15, 30 and 60 minutes. What is late, disabled or at the end of its lease waits for 9:00.',
        ),
        input(
          'groups',
          'User groups',
          {
            type: 'multi_external_select',
            action_id: groupAction,
            min_query_length: 0,
            max_selected_items: maxCalled,
            placeholder: { type: 'plain_text', text: 'Such as your on-call group' },
            ...(chosen.length > 0 ? { initial_options: chosen } : {}),
          },
          { optional: true, hint: 'Slack’s own groups: whoever is in one at that moment is called.' },
        ),
        input(
          'people',
          'People',
          {
            type: 'multi_users_select',
            action_id: inputAction,
            max_selected_items: maxCalled,
            initial_users: called.filter(id => !id.startsWith('S')),
          },
          { optional: true },
        ),
      ],
    },
  );
}

export const callSubmission = onSubmit(callModal, (_desk, { fields: { groups, people } }) => {
  const none = groups.filter(id => !id.startsWith('S'));
  return none.length > 0 ? faultAt('groups', 'Choose a user group.') : keep(callByForm, [...groups, ...people]);
});

/** Slack waits 3 s for the choices of a picker, and for a form; after so many milliseconds it gets none. */
const patience = 2_000;

/** The user groups of a workspace, as far as Slack tells them in time. */
export async function userGroups(
  { slack, clock, log }: Voice,
  team: string,
  typed = '',
): Promise<readonly PlainTextOption[]> {
  const read = slack
    .of(team)
    .usergroups.list()
    .catch((error: unknown) => {
      log.info({ error }, 'Slack does not tell its user groups');
      return { usergroups: [] };
    });
  const { usergroups = [] } = (await within(clock, patience, read)) ?? {};
  return usergroups
    .flatMap(({ id, handle, name }) => (id === undefined ? [] : [option(id, `@${handle ?? id}`, name)]))
    .filter(({ text, description }) =>
      `${text.text} ${description?.text ?? ''}`.toLowerCase().includes(typed.toLowerCase()),
    )
    .slice(0, 100);
}

/** Listens to the picker of user groups. */
export function listenToCallForm(app: App, desk: Voice & Doorkeeper & Desk<'log'>): void {
  app.options<'block_suggestion'>({ action_id: groupAction }, async ({ ack, body }) => {
    const owner = whoIn(body);
    const options = mustBeAdmitted(desk, owner)
      .then(() => userGroups(desk, owner.team, body.value))
      .catch(() => []);
    await ack({ options: [...(await options)] });
  });
}
