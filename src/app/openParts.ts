import type { Logger } from 'pino';
import { metered } from '../api/connection/meteredService.ts';
import { connectService } from '../api/connection/serviceClient.ts';
import { openVocabulary } from '../jobs/evidence/words/stateVocabulary.ts';
import type { Parts } from '../jobs/parts.ts';
import { knowsRequest } from '../jobs/request.ts';
import { openRecords } from '../records/records.ts';
import { tellOfReturn } from '../slack/commands/installed.ts';
import { peopleIn } from '../slack/connection/directory.ts';
import { workspaceAddress } from '../slack/connection/workspaceAddress.ts';
import { responseUrlsOn } from '../slack/desk/responseUrls.ts';
import type { Taker } from '../slack/inbox/inbox.ts';
import { listenAtOnce } from '../store/agenda.ts';
import { countDoubts, countOpen } from '../store/census.ts';
import { jobsIn } from '../store/jobs/jobs.ts';
import { hasEnded } from '../store/jobs/rows/job.ts';
import { alertsIn } from '../store/tables/alerts/alerts.ts';
import { lastLooks, sightsIn } from '../store/tables/alerts/sights.ts';
import { auditIn, type Told } from '../store/tables/audit/audit.ts';
import { credentialsIn } from '../store/tables/credentials.ts';
import { heardIn } from '../store/tables/heard.ts';
import { homesIn } from '../store/tables/homes.ts';
import { inboxIn } from '../store/tables/inbox.ts';
import type { Installations } from '../store/tables/installations.ts';
import { learnedWordsIn } from '../store/tables/learnedWords.ts';
import { linksIn } from '../store/tables/links.ts';
import { olderWorkspacesIn } from '../store/tables/olderWorkspaces.ts';
import { outboxIn } from '../store/tables/outbox.ts';
import { presetsIn } from '../store/tables/presets.ts';
import { requiredFieldsIn } from '../store/tables/requiredFields.ts';
import { stateAnswersIn } from '../store/tables/stateAnswers.ts';
import { triesIn } from '../store/tables/tries.ts';
import { takeUpSignedIn } from '../store/things/takeUpSignedIn.ts';
import { thingsIn } from '../store/things/things.ts';
import { openVault, type Vault } from '../store/vault.ts';
import { openAccount } from './account.ts';
import { approvalChannelOf } from './config/approvalChannel.ts';
import type { Config } from './config/config.ts';
import type { Features } from './features.ts';
import type { InFlight } from './inFlight.ts';
import { type Additions, openHouse } from './openHouse.ts';
import type { SlackSide } from './slackSide.ts';
import type { Storage } from './storage.ts';
import { type AllParts, deskOf, type WholeDesk } from './wholeDesk.ts';

/** The opened resources from which the parts are made. */
export type Opened = Parts<'clock' | 'log' | 'meter'> &
  Readonly<{
    features: Features;
    config: Config;
    storage: Storage;
    slackSide: SlackSide;
    vault: Vault;
    installations: Installations;
    inFlight: InFlight;
    /** The longest wait for an answer of the service, in milliseconds, where it is not the usual one. */
    serviceTimeout: number | undefined;
  }>;

/** Wires the parts for the work on jobs, and the additional ones for the listeners of Slack. */
export async function openDesk(opened: Opened, taker: () => Taker): Promise<WholeDesk> {
  const { config, clock, storage, slackSide, inFlight, vault } = opened;
  const { house, additions } = openHouse(opened.features, () => desk);
  const parts = await openParts(opened, () => desk);
  const desk: WholeDesk = deskOf({
    ...parts,
    ...additions,
    house,
    slack: slackSide.slacks,
    isReached: slackSide.isReached,
    names: config.slack.commands,
    workspace: workspaceAddress(slackSide.slacks, clock, opened.log),
    links: linksIn(storage.store, vault),
    homes: homesIn(storage.store),
    presets: presetsIn(storage.store, logTrail(opened.log)),
    tries: triesIn(storage.store),
    olderWorkspaces: olderWorkspacesIn(storage.store),
    responseUrls: responseUrlsOn(clock, opened.log),
    inbox: inboxIn(storage.store, vault),
    heard: heardIn(storage.store),
    replicas: storage.replicas,
    publicUrl: config.publicUrl,
    proxying: config.proxying,
    auditDays: config.auditDays,
    jobsDays: config.jobsDays,
    takeOn: (...taken) => taker().takeOn(...taken),
    goOn: (speaker, intent) => taker().goOn(speaker, intent),
    run: inFlight.run,
  });
  return desk;
}

async function openParts(opened: Opened, desk: () => WholeDesk): Promise<Omit<AllParts, keyof Additions>> {
  const { features, config, clock, log, meter, storage, slackSide, vault, serviceTimeout: timeout } = opened;
  const { store } = storage;
  const { service: where, mapping } = config;
  const service = metered(
    connectService({ ...where, clock, mapping, ...(timeout === undefined ? {} : { timeout }) }),
    meter,
  );
  const vocabulary = openVocabulary(learnedWordsIn(store), where.url + where.prefix, mapping, clock);
  await vocabulary.load();
  meter.reads('jobs', async () => (await countOpen(store)).map(({ count, ...labels }) => ({ labels, value: count })));
  meter.reads('doubts', async () =>
    (await countDoubts(store)).map(({ count, kind }) => ({ labels: { kind }, value: count })),
  );
  meter.reads('lastLook', async () =>
    (await lastLooks(store)).map(({ reader, at }) => ({ labels: { reader }, value: at / 1_000 })),
  );
  const told = logTrail(log);
  const personal = credentialsIn(store, vault, told, takeUpSignedIn);
  const jobs = jobsIn(store, {
    knows: knowsRequest,
    told,
    ends: features.flatMap(({ things }) => things?.ends?.(config.policy) ?? []),
    moved(job) {
      if (!hasEnded(job)) return;
      const { operation, state, evidence } = job;
      meter.count('jobsEnded', { operation, state });
      if (evidence?.basis) meter.count('ends', { state, row: evidence.basis.row });
    },
    leftAlone({ id, team, person, operation, why }) {
      log.warn({ job: id, team, person, operation, why }, 'a job of another version of Dolly is left to that release');
      // A replica of that release may have looked for the job while this one had it locked.
      storage.replicas.announce();
    },
  });
  const things = thingsIn(store, told);
  const outbox = outboxIn(store);
  const people = peopleIn(slackSide.slacks, clock, log, config.allowed);
  const credentials = openAccount({ config, credentials: personal, service, outbox, people, clock, log });
  return {
    jobs,
    audit: auditIn(store, told),
    credentials,
    account: config.account && { username: config.account.username },
    things,
    outbox,
    alerts: alertsIn(store, told),
    sights: sightsIn(store),
    policy: config.policy,
    approvalChannel: approvalChannelOf(config.approvalChannels),
    people,
    service,
    records: openRecords({
      ...{ service, credentials, lastEnd: jobs.lastEnd, mapping, clock, log, meter },
      changes: hear =>
        listenAtOnce(store, 'homes', ({ whose: { team, person } = {} }) =>
          hear(team !== undefined && person !== undefined ? { team, person } : undefined),
        ),
    }),
    vocabulary,
    stateAnswers: stateAnswersIn(store, where.url + where.prefix),
    requiredFields: requiredFieldsIn(store, where.url + where.prefix),
    isUninstalled: isUninstalledOf(opened, desk),
    clock,
    log,
    meter,
  };
}

/**
 * Whether the app was uninstalled for a team. Where the configuration names the token, nobody installs the app by a page of
 * Dolly's: it is back once Slack honours the token again, and those who approve read what waited.
 */
function isUninstalledOf(
  { config, clock, installations, slackSide }: Opened,
  desk: () => WholeDesk,
): AllParts['isUninstalled'] {
  if (config.slack.access.type !== 'token') return installations.hasEnded;
  return async team => {
    if (!(await installations.hasEnded(team))) return false;
    if (!(await slackSide.isReached(team))) return true;
    const since = clock.now();
    const absence = await installations.comeBack(team, since);
    if (absence) desk().run('tell of the return', tellOfReturn(desk(), { team, since, absence }));
    return false;
  };
}

/** Opens the vault over the keys of the configuration. */
export function openVaultOf({ config, log }: Pick<Opened, 'config' | 'log'>): Vault {
  return openVault(config.tokenKeys, ({ team, person }, why) =>
    log.warn({ team, person, why }, 'what is sealed in the store does not open'),
  );
}

/** Writes each entry of the audit trail to the log, too. */
export function logTrail(log: Logger): Told {
  return ({ id: audit, event, team, actor, person, login, operation, target, job }) => {
    const about = Object.entries({ audit, team, actor, person, login, operation, target, job });
    const known = Object.fromEntries(about.filter(([, value]) => value !== null));
    log[event === 'glass broken' ? 'warn' : 'info'](known, event);
  };
}
