import { createHash } from 'node:crypto';
import type { App } from '@slack/bolt';
import { parseIdentifier } from '../../api/identifiers.ts';
import { minute } from '../../ground/durations.ts';
import { notedIn, sentence } from '../../ground/failure.ts';
import { parseJson } from '../../ground/json.ts';
import { within } from '../../ground/within.ts';
import { compareNames, isOneOf } from '../../records/find.ts';
import { type Listed, pageIn } from '../../store/jobs/reading.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Home } from '../../store/tables/homes.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Owner } from '../../store/vault.ts';
import { listApprovals } from '../approvals/approvalsCommand.ts';
import { type WaitingReader, waitingFor } from '../approvals/waitingFor.ts';
import { isLimited, pauseAfter } from '../connection/retryAfter.ts';
import { meaningOfError, platformError } from '../connection/slackErrors.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { reactTo } from '../desk/reaction.ts';
import { sendView } from '../desk/sendContent.ts';
import { whoInEvent } from '../desk/who.ts';
import type { PageReader } from '../forms/formDesk.ts';
import type { HomeSection } from '../house.ts';
import { areTaken, firstStep, type StepsTaken } from './firstSteps.ts';
import type { Clones, clonesFor } from './homeClones.ts';
import { Pages, turnHome } from './homePages.ts';
import type { HomePauses } from './homePauses.ts';
import { closedHome, homeView, presetsInHome, refreshHome, rowsPerPage } from './homeView.ts';

/** Shortest pause between two updates of a person's Home that nobody asked for, in milliseconds. */
const pace = 2_000;
/** The time between two looks whether the app is installed again for the team of a Home, in milliseconds. */
const restTime = 10 * minute;
/** Max wait of Home for the requests that a person may decide on, in milliseconds. */
const patience = 2_000;

/** Max wait of clones that have come for what features read, in milliseconds. */
const statusPatience = 300;

/** Draws Homes, and publishes them. */
export type HomeOwner = Voice &
  Desk<'homes' | 'isUninstalled' | 'people' | 'run' | 'service' | 'names'> &
  Readonly<{ pages: PageReader; lists: Desk<'house' | 'presets' | 'workspace'> }>;

/** The keeper's tools: the teams that Slack wants left alone, the reader of clones, the parts of features, and the hurry. */
export type Tools = {
  quiet: HomePauses;
  clonesOf: ReturnType<typeof clonesFor>;
  sections: readonly Readonly<{ place: HomeSection<void>['place']; draw: ReturnType<HomeSection<void>['open']> }>[];
  hurry(): void;
};

/** Draws a Home that was taken, publishes it where it is another one than Slack has, and says so to the store. */
export async function refresh(desk: HomeOwner, tools: Tools, home: Home): Promise<void> {
  const { homes, clock, log, slack, isUninstalled } = desk;
  const { quiet, hurry } = tools;
  const rest = () => homes.putOff(home, clock.now() + restTime);
  const quietUntil = quiet.until(home.team);
  try {
    if (await isUninstalled(home.team)) return await rest();
    if (quietUntil !== undefined) return await homes.putOff(home, quietUntil);
    // Only here does Home check whom it serves: an outsider sees the reason, and nothing else.
    const stranger = await mustBeAdmitted(desk, home).then(() => undefined, sentence);
    const { view, later } =
      stranger === undefined ? await draw(desk, tools, home) : { view: closedHome(stranger), later: [] };
    const digest = createHash('sha256').update(JSON.stringify(view)).digest('base64url');
    if (digest !== home.digest) {
      const { views } = slack.of(home.team);
      await sendView(desk, home.team, view, shown => views.publish({ user_id: home.person, view: shown }));
    }
    // A person who just opened Home sees late content as soon as it arrives.
    await homes.published(home, digest, later.length > 0 && home.digest === '' ? 0 : clock.now() + pace);
    for (const one of later) desk.run('look for records', one.then(() => homes.ask(home)).then(hurry));
  } catch (error) {
    // If the store does not take even this, the lock expires by itself.
    if (meaningOfError(error) === 'uninstalled') return void (await rest().catch(() => undefined));
    if (gone.has(platformError(error) ?? '')) {
      log.info({ error, person: home.person }, 'Slack shows no Home to a person any more');
      return void (await homes.forget(home).catch(() => undefined));
    }
    const pause = pauseAfter(error, home.tries);
    if (isLimited(error)) quiet.keep(home.team, pause);
    log.warn({ error, person: home.person, pause }, 'a Home could not be published');
    await homes.putOff(home, clock.now() + pause, 'failed').catch(() => undefined);
  }
}

/** The errors for people without a Home: the app's Home tab is off, or the account is gone. */
const gone = new Set(['not_enabled', 'user_not_found', 'user_disabled']);

/** Draws a Home from the store, and from the service's answers as far as they are there. */
async function draw(desk: HomeOwner, tools: Tools, home: Home) {
  const { service, names } = desk;
  const { jobs, credentials } = desk.pages;
  const shown = Pages.parse(parseJson(home.pages));
  const [credential, underWay, ended, waiting, notBefore, presets] = await Promise.all([
    credentials.find(home),
    jobs.underWay(home, shown.underWay, rowsPerPage.underWay),
    jobs.ended(home, shown.ended, rowsPerPage.ended),
    approvalsFor(desk.pages, home),
    jobs.lastEnd(home),
    presetsOf(desk.lists, home),
  ]);
  const wanted = { team: home.team, person: home.person, notBefore, isOpening: home.digest === '' };
  const { username: login, since: signedInAt } = credential ?? {};
  const { clones, later } =
    login === undefined || signedInAt === undefined
      ? { clones: { type: 'looking' as const } }
      : await tools.clonesOf({ ...wanted, page: shown.clones, login, signedInAt });
  const drawn = await Promise.all(
    tools.sections.map(async ({ place, draw }) => ({ place, ...(await draw({ ...wanted, signedInAt })) })),
  );
  const blocksAt = (place: HomeSection<void>['place']) => drawn.flatMap(one => (one.place === place ? one.blocks : []));
  const view = homeView({
    service: service.url,
    command: names.db,
    signIn: credential && { username: credential.username, since: credential.since },
    underWay,
    approvals: pageIn(waiting, shown.approvals, rowsPerPage.approvals),
    ended,
    clones,
    sections: { top: blocksAt('top'), middle: blocksAt('middle'), below: blocksAt('below') },
    workspace: await desk.lists.workspace(home.team),
    notes: await notesOn(desk.lists, home, clones),
    offers: desk.lists.house.offers,
    presets,
    person: home.person,
    steps: await stepsOf(desk, home, credential),
  });
  // Most often both are there at about the same time: Home is then published once.
  const others = drawn.flatMap(one => one.later ?? []);
  const together = later && Promise.all([later, ...others.map(other => within(desk.clock, statusPatience, other))]);
  return { view, later: [...(together ? [together] : []), ...others] };
}

/** How far a person is with the first steps; `undefined` where Home shows none, or none any more. */
async function stepsOf(
  { homes, pages: { jobs, approvalChannel } }: Pick<HomeOwner, 'homes' | 'pages'>,
  home: Home,
  credential: Credential | undefined,
): Promise<StepsTaken | undefined> {
  if (home.steps !== 'open' && home.steps !== 'seen') return undefined;
  const taken = {
    username: credential?.username,
    // A physical clone may be recorded as a live database (homeClones.ts).
    hasClone: [...(await jobs.made(home))].some(id => isOneOf(parseIdentifier(id), ['live', 'clone'])),
    hasSeenApprovals: home.steps === 'seen',
    approvalChannel: approvalChannel(home.team),
  };
  if (!areTaken(taken)) return taken;
  await homes.stepped(home, 'over');
  return undefined;
}

/** A line about each of the clones that a Home shows. */
async function notesOn({ house }: Desk<'house'>, { team }: Owner, clones: Clones) {
  const records = clones.type === 'shown' ? clones.page.rows.map(({ id }) => id.text) : [];
  return house.notesOn(team, records);
}

/**
 * Requests that wait for a person's decision; none if the service is slow or in trouble, because Home does not wait for
 * it.
 */
async function approvalsFor(desk: PageReader, home: Home): Promise<readonly Listed[]> {
  const missing = notedIn(desk.log, 'a Home is shown without what waits for approval', { person: home.person });
  return (await within(desk.clock, patience, waitingFor(desk, home)).catch(missing))?.jobs ?? [];
}

/** The presets that a person used last: in a Home there is no channel. */
async function presetsOf({ presets }: Desk<'presets'>, owner: Owner): Promise<readonly Preset[]> {
  const all = await presets.of(owner, '');
  return all.toSorted((a, b) => b.usedAt - a.usedAt || compareNames(a.name, b.name)).slice(0, presetsInHome);
}

/** Requests that a Home be published. `hurry` makes that happen at once. */
async function open(desk: Desk<'clock' | 'homes'>, { team, person }: Owner, hurry: () => void): Promise<void> {
  await desk.homes.opened({ team, person }, desk.clock.now());
  hurry();
}

/** Listens to the opening of Home. */
export function listenToHome(app: App, desk: Desk<'clock' | 'homes'>, hurry: () => void): void {
  app.event('app_home_opened', async ({ event, body }) => {
    if (event.tab === 'home') await open(desk, whoInEvent(body, event.user), hurry);
  });
}

/** Reacts to the buttons of Home alone. Home itself says whom it serves. */
export function homeReactions(hurry: () => void) {
  return [
    reactTo(refreshHome, {
      isOpenToAll: true,
      async perform(desk: Desk<'clock' | 'homes'>, interaction) {
        await open(desk, interaction, hurry);
        return undefined;
      },
    }),
    reactTo(firstStep, {
      async perform(desk: WaitingReader & Desk<'workspace' | 'homes'>, interaction, step) {
        const { team, person } = interaction;
        const shown = step === 'seen' ? await listApprovals(desk, interaction) : undefined;
        await desk.homes.stepped({ team, person }, step);
        hurry();
        return shown;
      },
    }),
    reactTo(turnHome, {
      isOpenToAll: true,
      async perform(desk: Desk<'clock' | 'homes'>, { team, person }, pages) {
        await desk.homes.turned({ team, person }, JSON.stringify(pages), desk.clock.now());
        hurry();
        return undefined;
      },
    }),
  ];
}
