import type { KnownBlock } from '@slack/types';
import { actionsRow, context, headerBlock, section, sectionsOf } from '../../../slack/blocks/blocks.ts';
import { mentionOf } from '../../../slack/blocks/mentionPeople.ts';
import { message, wordsFor } from '../../../slack/blocks/message.ts';
import { moment } from '../../../slack/blocks/moments.ts';
import { bold, plain } from '../../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../../slack/desk/desk.ts';
import { isChannel } from '../../../slack/desk/placeKinds.ts';
import type { HomeSection } from '../../../slack/house.ts';
import { lineInFull } from '../../../slack/messages/approval/shownInFull.ts';
import { type Consent, ConsentAbout, ConsentNotice, consents, decidable } from './consent.ts';
import { consentActions } from './consentActions.ts';

/** The message about a workflow’s step. Its outcome takes its buttons away. */
export const consentMessage = wordsFor(ConsentNotice, (told, outcome) => {
  if (told.what === 'signed out') {
    const waits = `:key: The step “${plain(told.title, 80)}” of the workflow ${bold(told.workflow, 80)} waits for you`;
    if (outcome !== null) return message([section(`${waits}: ${plain(outcome, 300)}`)]);
    const signIn = consentActions.signIn.button('Sign in', null, { style: 'primary' });
    const why = 'it should run in your name, but you are not signed in to the service.';
    return message([section(`${waits}: ${why}`), ...actionsRow([signIn])], 'all');
  }
  const asks = plain(told.about.asks, 200);
  const whose = told.runsAs === 'service' ? 'for you, with the service account' : 'as you';
  const again = told.until === undefined ? '' : ' again';
  const head = `:robot_face: *Let the workflow “${plain(told.workflow, 80)}” ${asks} ${whose}${again}?*`;
  if (outcome !== null)
    return message([
      section(`:robot_face: The workflow ${bold(told.workflow, 80)} asked to ${asks}: ${plain(outcome, 300)}`),
    ]);
  const seen = { g: told.consent, n: told.revision };
  const ends = told.until === undefined ? '' : `Your permission ends ${moment(told.until)}. `;
  const next = told.runsAs === 'service' ? ' After you, I ask the approvers.' : '';
  return message(
    [
      section(head),
      ...linesOf(told.about, told.channel),
      ...(told.about.warning === undefined ? [] : [section(`:warning: ${plain(told.about.warning, 500)}`)]),
      ...actionsRow([
        consentActions.allow.button('Allow', seen, { style: 'primary' }),
        (told.until === undefined ? consentActions.refuse : consentActions.revoke).button('Don’t allow', seen),
      ]),
      context(
        `${ends}From then on it runs whenever the workflow asks for exactly this; if anything about it changes, I ask you again. The workflow gets the outcome: name, identifier and connection.${next} You can take it back in Home. Slack does not tell me who made the workflow.`,
      ),
    ],
    'all',
  );
});

/** All that a consent covers: nothing of it is cut, since people agree to exactly this. */
function linesOf({ lines }: ConsentAbout, channel: string): KnownBlock[] {
  const place = isChannel(channel) ? `in ${mentionOf(channel)}` : 'to you alone';
  return sectionsOf([...lines.map(lineInFull), `Messages: ${place}`]);
}

/** Consents, a row each, with the button that takes the consent back, or gives it. */
export function consentRows(consents: readonly Consent[]): KnownBlock[] {
  return consents.map(consent => {
    const seen = { g: consent.id, n: consent.revision };
    const isHeld = consent.state === 'given' || consent.state === 'waiting';
    const button = isHeld ? consentActions.revoke.button('Revoke', seen) : consentActions.allow.button('Allow', seen);
    return { ...section(consentLine(consent)), block_id: `consent:${consent.id}`, accessory: button };
  });
}

/** A consent in a line or two: its workflow, what it does, and how it stands. */
export function consentLine({ workflow, about, state, runsAs, decidedAt, usedAt }: Consent): string {
  const known = ConsentAbout.safeParse(about).data;
  const does = plain(known?.asks ?? 'do something that only another version of Dolly knows', 150);
  const account = runsAs === 'service' ? ', with the service account' : '';
  const since = decidedAt === null ? '' : ` ${moment(decidedAt)}`;
  const used = usedAt === null ? '' : `  ·  last used ${moment(usedAt)}`;
  return `${bold(workflow, 80)} may ${does}${account}\n${standings[state]}${since}${used}`;
}

const standings: Readonly<Record<Consent['state'], string>> = {
  asked: ':grey_question: Waits for your answer',
  waiting: ':lock: Waits for the approvers, since',
  given: ':white_check_mark: Allowed',
  refused: ':no_entry: Not allowed: its steps fail, since',
  revoked: ':no_entry: Taken back: its steps fail, since',
};

/** Max workflows in a Home. */
const most = 5;

/** The workflows that act in a person’s name, with the button that takes that back, or gives it. */
export const consentsInHome: HomeSection<Desk<'things'>> = {
  place: 'below',
  open:
    ({ things }) =>
    async ({ team, person }) => {
      const all = await things.list(consents, { team, person, withOver: true });
      return { blocks: consentBlocks(decidable(all, most + 1)) };
    },
};

/** The rows of Home about workflows. */
export function consentBlocks(own: readonly Consent[]): KnownBlock[] {
  if (own.length === 0) return [];
  const all = own.length > most ? [consentActions.all.button('All workflows', null)] : [];
  return [headerBlock('Workflows that act as you'), ...consentRows(own.slice(0, most)), ...actionsRow(all, 'consents')];
}
