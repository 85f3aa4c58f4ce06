import { sayUnused } from '../../../api/connection/proxy.ts';
import type { Noun } from '../../../api/identifiers.ts';
import { abortAfter } from '../../../ground/clock.ts';
import { day } from '../../../ground/durations.ts';
import { inClear } from '../../../ground/plainHttp.ts';
import { counted } from '../../../ground/wording.ts';
import type { StateMeaning } from '../../../jobs/evidence/words/stateMeaning.ts';
import type { Owner } from '../../../store/vault.ts';
import { foldBlock, section, sectionsOf } from '../../blocks/blocks.ts';
import { mentionOf } from '../../blocks/mentionPeople.ts';
import { message } from '../../blocks/message.ts';
import { code, plain } from '../../blocks/mrkdwn.ts';
import { scopes } from '../../connection/scopes.ts';
import { meaningOfError } from '../../connection/slackErrors.ts';
import type { Desk, Doorkeeper } from '../../desk/desk.ts';
import type { Interaction } from '../../desk/interaction.ts';
import { closedPlace } from '../../outbox/closedPlaceWords.ts';
import { givenUp } from '../../outbox/giveUp.ts';
import { type AccountWatcher, accountChecks } from './accountReport.ts';
import { lessonBlocks } from './lessonReport.ts';
import { draftBlocks } from './mappingDraft.ts';
import { amiss, approvalChannelCheck, type Check, fine, policyChecks, signOf, unseen } from './policyReport.ts';
import { kindReport } from './readingReport.ts';
import { stateBlocks } from './stateReport.ts';
import { talkChecks } from './talkReport.ts';

/** Smallest difference of clocks that the doctor reports, in milliseconds. */
const clockSlack = 30_000;

/** Checks the set-up. */
type SetUpChecker = Desk<
  'jobs' | 'service' | 'slack' | 'approvalChannel' | 'heard' | 'publicUrl' | 'proxying' | 'auditDays' | 'heldBy'
> &
  Desk<'clock' | 'log' | 'audit'> &
  Readonly<{ watch: AccountWatcher }>;

/** Checks the set-up, and shows how Dolly reads the service. */
export type Doctor = Doorkeeper &
  Desk<'jobs' | 'records' | 'vocabulary' | 'requiredFields' | 'stateAnswers'> &
  Readonly<{ setUp: SetUpChecker }>;

/** Checks the set-up as far as Dolly can see it, and shows this person how Dolly reads the service. */
export async function doctor(desk: Doctor, owner: Owner & Pick<Interaction, 'writtenAt'>, channel: string) {
  const checks = await setUpChecks(desk.setUp, owner, channel);
  const kinds: readonly (readonly Noun[])[] = [['live', 'clone'], ['environment'], ['project'], ['user']];
  const understood = await Promise.all(kinds.map(nouns => kindReport(desk, owner, nouns)));
  const lineOf = ({ good, text }: Check) => `${signOf(good)} ${text}`;
  const linesThat = (wanted: Check['good']) => checks.filter(({ good }) => good === wanted).map(lineOf);
  const [good, bad, hidden] = [linesThat(true), linesThat(false), linesThat('unseen')];
  const reading = `What I understand of ${desk.setUp.service.url}`;
  const lessons = [
    ...(await stateBlocks(desk, owner.team)),
    ...(await lessonBlocks(desk)),
    ...(await draftBlocks(desk, owner)),
  ];
  const learned = wordsLearned(desk, owner.team);
  // What is amiss comes first; what is fine is folded.
  const findings = [
    ...sectionsOf([headOf(bad.length, hidden.length), ...bad]),
    ...(hidden.length > 0 ? sectionsOf(['*What I cannot see from here*', ...hidden]) : []),
  ];
  return message(
    [
      ...findings,
      ...foldBlock(counted(good.length, 'check is fine', 'checks are fine'), good),
      ...foldBlock(reading, [...understood, learned]),
      ...lessons,
    ],
    'equal',
    [
      ...findings,
      ...sectionsOf(good),
      section(`*${plain(reading)}*, with your sign-in`),
      ...[...understood, learned].map(section),
      ...lessons,
    ],
  );
}

/** The first line: how many things somebody has to look at. */
function headOf(bad: number, hidden: number): string {
  const sign = bad > 0 ? ':warning:' : hidden > 0 ? ':grey_question:' : ':white_check_mark:';
  const said = bad > 0 ? `${counted(bad, 'thing')} to look at` : 'nothing to fix that I can see';
  return `${sign} *The set-up*: ${said}.`;
}

/** Checks the set-up as far as Dolly can see it; with a channel, whether Dolly can write to this person there, too. */
export async function setUpChecks(
  desk: SetUpChecker,
  owner: Owner & Pick<Interaction, 'writtenAt'>,
  channel?: string,
): Promise<readonly Check[]> {
  const checks = await Promise.all([
    // What gives passwords away comes first.
    wayChecks(desk),
    slackChecks(desk, owner),
    channel === undefined
      ? []
      : owner.writtenAt === undefined
        ? channelCheck(desk, owner, channel)
        : talkCheck(desk, owner.writtenAt),
    storeCheck(desk),
    pageCheck(desk),
    proxyChecks(desk),
    policyChecks(desk.watch.policy, desk.auditDays),
    approvalChannelCheck(desk, owner.team),
    accountChecks(desk.watch, owner.team),
    talkChecks(desk, owner.team),
    heldCheck(desk, owner.team),
    givenUpCheck(desk, owner.team),
  ]);
  return checks.flat();
}

/** State words that Dolly learned from the records of everybody in the workspace, with what each one means. */
function wordsLearned({ vocabulary }: Desk<'vocabulary'>, team: string): string {
  const kinds = [...Map.groupBy(vocabulary.of(team).learned(), ({ kind }) => kind)].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  if (kinds.length === 0) return '*State words that I learned*: none yet. I learn them from the records that I read.';
  const lines = kinds.map(([kind, rows]) => {
    const shown = rows
      .toSorted((a, b) => b.stood + b.rested + b.passed - (a.stood + a.rested + a.passed))
      .slice(0, maxWords)
      .map(({ word, meaning }) => `${code(word, 40)} ${meaningSaid[meaning]}`);
    return `${plain(kind, 60)}: ${shown.join(', ')}.`;
  });
  return `*State words that I learned*. An entry in ${code('RECORDS_FILE')} under ${code('states')} overrules them.\n${lines.join('\n')}`;
}

const maxWords = 15;
const meaningSaid = {
  usual: 'is the usual resting state',
  resting: 'is a resting state',
  passing: 'is a passing state',
  doubtful: 'may be a passing state',
  unseen: 'is not understood yet',
} as const satisfies Record<StateMeaning, string>;

async function slackChecks(desk: Desk<'slack'>, { team: installed }: Owner): Promise<Check[]> {
  try {
    const { team, user, response_metadata: metadata } = await desk.slack.of(installed).auth.test();
    const who = fine(`Slack: I am ${plain(user ?? '?')} in ${plain(team ?? '?')}.`);
    const granted = metadata?.scopes;
    if (!granted) return [who, unseen('Scopes: Slack does not say which ones I have.')];
    const missing = Object.entries(scopes).filter(([scope]) => !granted.includes(scope));
    const text = missing.map(([scope, purpose]) => `${code(scope)} (${purpose})`).join(', ');
    return [
      who,
      missing.length === 0
        ? fine('Scopes: I have all that I need.')
        : amiss(`Scopes: these are missing: ${text}. Reinstall the app with the manifest.`),
    ];
  } catch (error) {
    return [amiss(`Slack: ${plain(error instanceof Error ? error.message : 'no answer')}`)];
  }
}

/**
 * The same for a message to Dolly: it came from here, and the answer stands beside it, so nothing has to be posted that
 * would stay there. It has Slack's time of its writing, and may have come late.
 */
function talkCheck({ clock }: Desk<'clock'>, writtenAt: number): Check[] {
  const isClose = Math.abs(clock.now() - writtenAt) <= clockSlack;
  return [
    fine('Channel: I hear you here, and can answer you here.'),
    isClose
      ? fine('Clock: it agrees with Slack’s.')
      : unseen(
          'Clock: your message came late, or my clock is wrong. Run `doctor` as a slash command to find out which.',
        ),
  ];
}

/** The message of that check. It cannot be changed or deleted, so it says what stays true, also if nothing follows. */
const probe =
  ':white_check_mark: I can write to you here: this message was the check. My findings follow in the next one. If none comes, I was interrupted: run `doctor` again.';

/** Checks whether Dolly may post here, and whether the clocks agree: Slack's answer to a post has its time. */
async function channelCheck(desk: Desk<'clock' | 'slack'>, { team, person }: Owner, channel: string): Promise<Check[]> {
  try {
    const posted = await desk.slack.of(team).chat.postEphemeral({ channel, user: person, text: probe });
    const apart = Math.abs(Number(posted.message_ts ?? Number.NaN) * 1000 - desk.clock.now());
    const clock = Number.isNaN(apart)
      ? unseen('Clock: Slack did not say what time it has, so I cannot compare mine.')
      : apart > clockSlack
        ? amiss(`Clock: mine differs from Slack’s by ${Math.round(apart / 1000)} s. Synchronise it with a time server.`)
        : fine('Clock: it agrees with Slack’s.');
    return [fine('Channel: I can write to you here.'), clock];
  } catch (error) {
    const { is, mend } = closedPlace(error);
    const text =
      meaningOfError(error) === 'elsewhere'
        ? `Channel: ${is}, so your job messages come as direct messages. ${mend}`
        : `Channel: I could not write to you here just now. ${plain(error instanceof Error ? error.message : 'no answer')}`;
    return [amiss(text)];
  }
}

/** Says what keeps all that is written by itself, such as the emergency brake. */
async function heldCheck({ heldBy }: Desk<'heldBy'>, team: string): Promise<Check[]> {
  const held = await heldBy(team);
  return held === undefined ? [] : [amiss(plain(held, 500))];
}

/** Names the messages of the last week that reached nobody, each with whom it was for. */
export async function givenUpCheck({ audit, clock }: Desk<'audit' | 'clock'>, team: string): Promise<Check[]> {
  const since = clock.now() - 7 * day;
  const { entries } = await audit.read(team, { words: [givenUp], since, by: 'dolly' }, maxGivenUp);
  if (entries.length === 0) return [];
  const many = entries.length < maxGivenUp ? `${entries.length}` : `${maxGivenUp} or more`;
  const whom = entries.map(({ person, channel }) => mentionOf(person ?? channel ?? ''));
  const text = `Messages of the last 7 days that I could not deliver: ${many}, for ${[...new Set(whom)].slice(0, maxWords).join(' ')}.`;
  return [amiss(`${text} Approvers find each under ${code('audit message given up')}.`)];
}

/** Max messages given up that the doctor reads. */
const maxGivenUp = 50;

async function storeCheck(desk: Desk<'jobs' | 'clock' | 'log'>): Promise<Check[]> {
  try {
    await desk.jobs.nextTime('due', desk.clock.now());
    return [fine('Store: it answers.')];
  } catch (error) {
    desk.log.error({ error }, 'the store does not answer');
    return [amiss('Store: it does not answer; the log has the details.')];
  }
}

/** Warns of unencrypted connections, on which somebody could read passwords and tokens. */
export function wayChecks(desk: { service: { url: string }; publicUrl: string | undefined }): Check[] {
  return inClear(desk.service.url, desk.publicUrl).map(text =>
    amiss(`*Danger: passwords can be read in transit.* ${plain(text, 300)} Whoever runs Dolly can change that.`),
  );
}

/** Says whether Slack and the service are reached by a proxy, and names one that is not used. */
export function proxyChecks({ proxying }: Desk<'proxying'>): Check[] {
  const { proxies, unused } = proxying ?? {};
  if (unused !== undefined) return [unseen(sayUnused(unused))];
  return proxies ? [fine('Proxy: I reach Slack and the service through it, except for what NO_PROXY names.')] : [];
}

async function pageCheck(desk: Desk<'clock' | 'publicUrl'>): Promise<Check[]> {
  if (desk.publicUrl === undefined) {
    return [
      fine(
        'Sign-in page: none, because PUBLIC_URL is not set. People sign in with a form in Slack, where the password is visible while they type.',
      ),
    ];
  }
  const url = plain(desk.publicUrl);
  try {
    // A link that was never issued: Dolly's own page answers that it is over.
    const { status, text } = await abortAfter(desk.clock, 3_000, async signal => {
      const answer = await fetch(`${desk.publicUrl}/login/${'x'.repeat(43)}`, { signal, redirect: 'manual' });
      return { status: answer.status, text: await answer.text() };
    });
    const isMine = status === 410 && text.includes('Dolly');
    return [
      isMine
        ? fine(`Sign-in page: ${url} reaches me.`)
        : amiss(`Sign-in page: ${url} answers HTTP ${status} instead of my page. Check PUBLIC_URL.`),
    ];
  } catch {
    return [amiss(`Sign-in page: ${url} cannot be reached from here. People’s browsers may still reach it.`)];
  }
}
