import type { Owner } from '../../store/vault.ts';
import { actionsRow, type Content, context, message, section, sectionsOf } from '../blocks/blocks.ts';
import { code } from '../blocks/limits.ts';
import { tellDirectly } from '../desk/answer.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { type CommandNames, type Interaction, newInteraction } from '../desk/interaction.ts';
import { runCommand } from '../words/commandActions.ts';
import { type Doctor, setUpChecks } from './doctor/doctor.ts';
import { type Check, signOf } from './doctor/policyReport.ts';

/** The action under which the message to a person who has installed Dolly is kept until it is written. */
const installedAction = 'installed';

/**
 * Tells the person who installed Dolly by a direct message what is still missing. The request is kept until the message
 * is written, so a killed process loses nothing. `since` is the time of the installation, in milliseconds since the
 * epoch: for one installation, the message is written once.
 */
export async function tellInstaller(
  desk: Voice & Desk<'takeOn'>,
  { team, person, since }: Owner & { since: number },
): Promise<void> {
  const place = { team, person, channel: person };
  const interaction = newInteraction({ ...place, trigger: String(since), action: installedAction, value: '' });
  await desk.takeOn(
    { ...interaction, trigger: '' },
    async () => undefined,
    content => tellDirectly(desk, { team, person }, content),
  );
}

/** Reacts to an installation: no button has this action. */
export const installedReaction = {
  action: installedAction,
  interactionOf: () => undefined,
  acts: () => true,
  perform: async (desk: Desk<'names'> & Pick<Doctor, 'setUp'>, interaction: Interaction) =>
    installedMessage(desk.names, await setUpChecks(desk.setUp, interaction)),
};

/** The message to the person who installed Dolly: what is missing, as far as Dolly can see it, and what comes next. */
export function installedMessage({ db }: CommandNames, checks: readonly Check[]): Content {
  const missing = checks.filter(({ good }) => good !== true);
  const state =
    missing.length === 0
      ? [':white_check_mark: Nothing is missing, as far as I can see.']
      : ['*Still to be done*', ...missing.map(({ good, text }) => `${signOf(good)} ${text}`)];
  return message([
    section('*Dolly is installed here.* I back up, clone, restore and look after your databases.'),
    ...sectionsOf(state),
    ...actionsRow([
      runCommand.button('Sign in', 'login', { style: 'primary', suffix: 'login' }),
      runCommand.button('Check again', 'doctor', { suffix: 'doctor' }),
      runCommand.button('What people can ask', 'help', { suffix: 'help' }),
    ]),
    context(`People begin in my *Home* tab, or with ${code(`${db} help`)}. ${code(`${db} doctor`)} checks the set-up.`),
  ]);
}
