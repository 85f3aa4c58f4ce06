import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { allApprovers } from '../../jobs/approval/policy/rules.ts';
import type { Absence } from '../../store/tables/installations.ts';
import type { Owner } from '../../store/vault.ts';
import { actionsRow, context, section, sectionsOf } from '../blocks/blocks.ts';
import { type Content, message } from '../blocks/message.ts';
import { momentAfter } from '../blocks/moments.ts';
import { code } from '../blocks/mrkdwn.ts';
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
  { team, person, since, absence }: Owner & { since: number; absence?: Absence | undefined },
) {
  const place = { team, person, channel: person };
  const value = absence ? JSON.stringify(absence) : '';
  const interaction = newInteraction({ ...place, trigger: String(since), action: installedAction, value });
  await desk.takeOn(
    { ...interaction, trigger: '' },
    async () => undefined,
    content => tellDirectly(desk, { team, person }, content),
  );
}

/** Tells those who approve that the app is back, where nobody is known who installed it, and what waited. */
export async function tellOfReturn(
  desk: Parameters<typeof tellInstaller>[0] & Desk<'people' | 'policy'>,
  { team, ...back }: Readonly<{ team: string; since: number; absence: Absence }>,
): Promise<void> {
  const people = await desk.people.membersOf(team, allApprovers(desk.policy));
  for (const person of people) await tellInstaller(desk, { team, person, ...back });
}

/** Reacts to an installation: no button has this action. */
export const installedReaction = {
  action: installedAction,
  interactionOf: () => undefined,
  acts: () => true,
  perform: async (desk: Desk<'names'> & Pick<Doctor, 'setUp'>, interaction: Interaction) =>
    installedMessage(
      desk.names,
      await setUpChecks(desk.setUp, interaction),
      Away.safeParse(parseJson(interaction.value)).data,
    ),
};

const Away: z.ZodType<Absence> = z.object({ since: z.number(), waiting: z.number() });

/**
 * The message to the person who installed Dolly: what is missing, as far as Dolly can see it, and what comes next. Where it
 * was installed here before, it sums up what the absence means.
 */
export function installedMessage({ db }: CommandNames, checks: readonly Check[], absence?: Absence): Content {
  const missing = checks.filter(({ good }) => good !== true);
  const state =
    missing.length === 0
      ? [':white_check_mark: Nothing is missing, as far as I can see.']
      : ['*Still to do*', ...missing.map(({ good, text }) => `${signOf(good)} ${text}`)];
  return message([
    section('*Dolly is installed here.* I back up, clone, restore and look after your databases.'),
    ...(absence ? [section(awayText(absence))] : []),
    ...sectionsOf(state),
    ...actionsRow([
      runCommand.button('Sign in', 'login', { style: 'primary', suffix: 'login' }),
      runCommand.button('Check again', 'doctor', { suffix: 'doctor' }),
      runCommand.button('What people can ask', 'help', { suffix: 'help' }),
    ]),
    context(`People begin in my *Home* tab, or with ${code(`${db} help`)}. ${code(`${db} doctor`)} checks the set-up.`),
  ]);
}

function awayText({ since, waiting }: Absence): string {
  const waited =
    waiting === 1
      ? 'One message was waiting; I’ll send it now.'
      : `${waiting} messages were waiting; I’ll send them now.`;
  return [
    `:leftwards_arrow_with_hook: I was not installed here${momentAfter(' since', since)}, and started nothing in the meantime.`,
    waiting === 0 ? 'No messages were waiting.' : waited,
    'I withdrew the requests that waited for approval. Schedules say which runs they skipped. Owners whose clones were about to end get a new warning and the full time to answer.',
  ].join(' ');
}
