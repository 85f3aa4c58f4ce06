import type { Button } from '@slack/types';
import { parseJson } from '../../ground/json.ts';
import { capital } from '../../ground/wording.ts';
import { deleteDatabase } from '../../operations/databases.ts';
import { endOfKeeping, readKeepFor, timeLabel, writeMinute } from '../../operations/requests/keepFor.ts';
import { actionsRow, section } from '../../slack/blocks/blocks.ts';
import { tookWords } from '../../slack/blocks/durationWords.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { message, wordsFor } from '../../slack/blocks/message.ts';
import { moment, momentAfter } from '../../slack/blocks/moments.ts';
import { bold, plain } from '../../slack/blocks/mrkdwn.ts';
import { operationAction } from '../../slack/words/commandActions.ts';
import { leaseActions } from './leaseButtons.ts';
import { LeaseChanged, LeaseNotice } from './leaseNotice.ts';
import { LeaseWish } from './leaseWish.ts';

/** The message of a lease. Its outcome takes its buttons away. */
export const leaseMessage = wordsFor(LeaseNotice, (told, outcome) => {
  const name = bold(told.name ?? told.record, 100);
  if (outcome !== null) return message([section(`:hourglass: ${name}: ${outcomeText(outcome)}`)]);
  const buttons = buttonsOf(told);
  return message([section(textOf(told, name)), ...actionsRow(buttons, 'lease')], 'all');
});

/** The question to an owner whether somebody’s wish becomes the end of the lease. Its buttons bring back its `id`. */
export const wishMessage = wordsFor(LeaseWish, (wish, outcome, id) => {
  const { record, person, by, endsAt } = wish;
  const name = bold(wish.name ?? record, 100);
  if (outcome !== null) return message([section(`:hourglass: ${name}: ${outcomeText(outcome)}`)]);
  const value = { r: record, n: id, u: writeMinute(endsAt) };
  const buttons = [
    leaseActions.grant.button('Set this end', value, { style: 'primary' }),
    leaseActions.decline.button('Leave it as it is', value),
  ];
  return message(
    [
      section(
        `:hourglass: ${mentionOf(person)} ${mentionOf(by)} wants ${name} to be kept ${untilWords(endsAt)}. At its end, the policy acts with your sign-in, so I set this only if you agree.`,
      ),
      ...actionsRow(buttons, 'lease'),
    ],
    'all',
  );
});

/** Says how long a clone is kept: `until …`, or without an end. */
export function untilWords(endsAt: number | null | undefined): string {
  return typeof endsAt === 'number' ? momentAfter('until', endsAt) : 'without an end';
}

function outcomeText(outcome: string): string {
  const changed = LeaseChanged.safeParse(parseJson(outcome)).data;
  if (!changed) return plain(outcome, 500);
  const { by, endsAt, isTakenOver } = changed;
  return isTakenOver
    ? `${mentionOf(by)} took it over. It is kept ${untilWords(endsAt)}.`
    : `${mentionOf(by)} keeps it ${untilWords(endsAt)}.`;
}

function textOf(told: LeaseNotice, name: string): string {
  const { what, person, endsAt, graceUntil, why, by = person } = told;
  const ruled = ruleWords(told);
  const because = why ? ` ${plain(capital(why), 500)}.` : '';
  const kept = untilWords(endsAt);
  const hasGrace = typeof graceUntil === 'number';
  const deletion = hasGrace
    ? ` It is deleted${moment(graceUntil, ' {date_short_pretty} {time}')}, unless somebody brings it back.`
    : '';
  const isAskedAlone = told.isHeld && hasGrace;
  const wait = isAskedAlone ? ` If nobody answers ${momentAfter('by', graceUntil)}, I ask the approvers.` : '';
  const deciders = told.isHeld ? '' : ` ${mentionOf(person)}, who set its end, and the approvers can decide.`;
  const [yours, silent] = told.isHeld
    ? [`your clone ${name}`, `${mentionOf(person)} has not answered`]
    : [`${name} (you set its end)`, 'nobody has answered'];
  const texts: Readonly<Record<LeaseNotice['what'], string>> = {
    begun: `:hourglass: ${name} is kept ${kept}, as the policy says${ruled}. I’ll warn you before then.`,
    cut: `:hourglass: ${name} is kept ${kept}. You asked for longer, but the policy does not allow it${ruled}.`,
    warned: `:hourglass_flowing_sand: ${mentionOf(person)} ${name} is kept ${kept}. ${afterwards(told)}${doNext(told)}`,
    'warned late': `:hourglass_flowing_sand: ${mentionOf(person)} Time is up for ${name}, but ${why ? plain(why, 200) : 'I could not warn you before'}. So it is kept ${kept}. ${afterwards(told)}${doNext(told)}`,
    asked: `:hourglass: ${mentionOf(person)} Time is up for ${name}. Keep it, or delete it?${deciders}${because && ` Nothing was done to it.${because}`}${wait}`,
    unanswered: `:hourglass: Time is up for ${name}, and ${silent}.${because} Keep it, delete it, or take it over: then it is yours.`,
    stopped: `:double_vertical_bar: ${mentionOf(person)} ${name} is stopped: its time is up${ruled}.${deletion}`,
    changed: `:hourglass: ${mentionOf(by)} has changed how long ${yours} is kept: ${kept}.`,
    granted: `:hourglass: ${mentionOf(by)} agreed to what you asked for ${name}: it is kept ${kept}.`,
    declined: `:hourglass: ${mentionOf(by)} left ${name} as it is. You asked to keep it ${kept}.`,
    left: `:hourglass: ${mentionOf(by)} has taken over ${yours}. It is kept ${kept}.`,
  };
  return texts[what];
}

/** The rule that says so, in brackets. */
function ruleWords({ rule }: LeaseNotice) {
  return rule ? ` (${plain(rule, 200)})` : '';
}

/** Says why nothing happens by itself at the end of a clone which nobody holds, though a rule of the policy acts. */
export const heldBackWords =
  'I did not make it, so the policy stops or deletes it only if an approver sets its end or takes it over.';

/** Says what happens at the end. Only with the owner’s sign-in can it be done. */
function afterwards(told: LeaseNotice): string {
  const { end, grace, lacksSignIn } = told;
  const ruled = ruleWords(told);
  const signIn = lacksSignIn
    ? ' I need your sign-in for that, and you are not signed in. If you do not sign in before then, I do nothing to it, and ask you what to do.'
    : '';
  if (end === 'stop') return `Then I stop it${ruled}.${signIn}`;
  const later = grace === undefined ? 'some time' : tookWords(grace);
  if (end === 'delete') return `Then I stop it, and delete it ${later} later${ruled}.${signIn}`;
  if (told.isHeldBack) return `Then I’ll ask you and the approvers what to do with it. ${heldBackWords}`;
  return lacksSignIn
    ? 'You are not signed in, so I cannot see it, and will ask you what to do with it. If you sign in before then, the policy decides.'
    : 'Then I’ll ask you what to do with it.';
}

/** Says what the reader of a warning does, and what comes of doing nothing. */
function doNext({ end }: LeaseNotice): string {
  return end === 'ask'
    ? '\n*Still needed?* Keep it longer now. *Not needed any more?* Delete it.'
    : '\n*Still needed?* Keep it longer. *Not needed any more?* There is nothing to do.';
}

function buttonsOf(told: LeaseNotice): readonly Button[] {
  const { what, record, choices, isEndless, lacksSignIn } = told;
  const { more, bringBack, extend, endless, takeOver, signIn } = leaseActions;
  const longer = choices.map((text, at) =>
    extend.button(`${timeLabel(text)} longer`, extensionBy(text, told), { suffix: String(at) }),
  );
  const keep = endless.button(isEndless ? 'Keep without an end' : 'Ask to keep it without an end', record);
  const ask = [...longer, more.button('Other time…', record), keep];
  const begun = [more.button('Keep for…', record)];
  const warned = [...ask, ...(lacksSignIn ? [signIn.button('Sign in', record)] : []), deletion(record)];
  const unheld = [...ask, takeOver.button('Take it over', record), deletion(record)];
  const buttons: Readonly<Record<LeaseNotice['what'], readonly Button[]>> = {
    ...{ begun, cut: begun, changed: begun },
    ...{ left: [], granted: [], declined: [] },
    stopped: [bringBack.button('Bring it back', record, { style: 'primary' }), deletion(record)],
    ...{ warned, 'warned late': warned },
    asked: told.isHeld ? [...ask, deletion(record)] : unheld,
    unanswered: unheld,
  };
  return buttons[what];
}

/** The value of a button that extends a lease from the end that its message shows. */
function extensionBy(text: string, { what, record, endsAt }: LeaseNotice) {
  const keep = readKeepFor(text);
  // Once the time is over, it counts from the click.
  const isAhead = what === 'warned' || what === 'warned late';
  const until = isAhead && keep && typeof endsAt === 'number' ? endOfKeeping(keep, endsAt) : null;
  const after = until === null ? {} : { u: writeMinute(until) };
  return { r: record, k: text, ...(endsAt === undefined ? {} : { e: endsAt }), ...after };
}

/** The button that opens the ordinary form of a deletion. */
function deletion(record: string): Button {
  return operationAction(deleteDatabase).button('Delete now…', record, { style: 'danger' });
}
