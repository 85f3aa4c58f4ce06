import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { typedIdentifier } from '../../../src/api/identifiers.ts';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import { features } from '../../../src/app/features.ts';
import { allInForms, allReactions } from '../../../src/app/listeners.ts';
import { leaseMessage } from '../../../src/features/leases/leaseMessages.ts';
import { rhythmAction } from '../../../src/features/schedules/form/scheduleDraft.ts';
import { scheduleMessage } from '../../../src/features/schedules/scheduleMessages.ts';
import { scheduleRows } from '../../../src/features/schedules/schedulesInHome.ts';
import { schedulesList } from '../../../src/features/schedules/schedulesList.ts';
import { consentBlocks, consentMessage } from '../../../src/features/workflows/consent/consentMessages.ts';
import { catalogue } from '../../../src/operations/catalogue.ts';
import { targetNouns } from '../../../src/operations/operation.ts';
import { auditPage } from '../../../src/slack/audit/auditPage.ts';
import { asText, defineAction, inputAction } from '../../../src/slack/blocks/action.ts';
import { option } from '../../../src/slack/blocks/blocks.ts';
import { firstHelp } from '../../../src/slack/commands/help.ts';
import { form, lastPage } from '../../../src/slack/forms/formModal.ts';
import { homeView } from '../../../src/slack/home/homeView.ts';
import { reactionTo as reactionFor } from '../../../src/slack/inbox/listenToInteractions.ts';
import { callToApprovers } from '../../../src/slack/messages/approval/approvalCard.ts';
import { approvalList } from '../../../src/slack/messages/approval/approvalList.ts';
import { jobCard } from '../../../src/slack/messages/jobMessage.ts';
import { presetList } from '../../../src/slack/presets/presetList.ts';
import { chooser } from '../../../src/slack/records/chooser.ts';
import { recordList } from '../../../src/slack/records/listMessage.ts';
import { recordDetails } from '../../../src/slack/records/recordBlocks.ts';
import type { JobState } from '../../../src/store/jobs/rows/job.ts';
import type { Preset } from '../../../src/store/tables/presets.ts';
import { aSchedule } from '../../features/schedules/aSchedule.ts';
import { aboutShop, aConsent } from '../../features/workflows/aConsent.ts';
import { lexicon, offers, ownCommands } from '../../house.ts';
import { job, recordOf } from '../../jobs/rows.ts';

/* Every button and menu that Dolly shows is one that Dolly listens to, and carries a value that its listener reads. */

const reactions = allReactions(features, () => {});
const reactionTo = (id: string) => reactionFor(reactions, id);

const names = { db: '/db', clone: '/clone', restore: '/restore' };
const scheduleStates = (['waiting', 'on', 'paused'] as const).map(state => aSchedule({ id: state, state }));
const schedules = ['U1', 'U2'].map(person =>
  schedulesList(scheduleStates, { person, isApprover: true, words: [], names, links: new Map() }),
);
const scheduleTold = (['failing', 'paused', 'signed out', 'owner left'] as const).map(what =>
  scheduleMessage({ what, schedule: 's1', revision: 3, operation: 'database.backup', target: 'X' }, null),
);

/** All ids of actions in a view or a message, each with the values that it may bring. */
function actionsIn(shown: unknown): { id: string; values: readonly string[] }[] {
  if (Array.isArray(shown)) return shown.flatMap(actionsIn);
  if (typeof shown !== 'object' || shown === null) return [];
  const own =
    'action_id' in shown && typeof shown.action_id === 'string'
      ? [{ id: shown.action_id, values: 'options' in shown ? valuesIn(shown.options) : valuesIn([shown]) }]
      : [];
  return [...own, ...Object.values(shown).flatMap(actionsIn)];
}

function valuesIn(elements: unknown): string[] {
  return (Array.isArray(elements) ? elements : []).flatMap((one: object) =>
    'value' in one && typeof one.value === 'string' ? [one.value] : [],
  );
}

const states = [
  ...(['new', 'awaiting', 'approved', 'denied', 'void', 'sending', 'running', 'succeeded', 'finished'] as const),
  ...(['failed', 'unconfirmed', 'withdrawn', 'expired'] as const),
] as const satisfies readonly JobState[];
const terms = JSON.stringify({
  rule: 'deletions',
  approvals: 1,
  approvers: ['U9'],
  asker: { users: [], names: ['ana'] },
});
const waiting = { terms, digest: 'abc', purpose: 'why', operation: 'database.delete', expiresAt: 1 };
const deletion = { ...waiting, inputs: JSON.stringify({ database: 'MYSQL_LIVE_SERVER-1' }) };
const cards = states.flatMap(state =>
  [null, 'sign-in' as const, 'busy' as const].flatMap(hold =>
    (['card', 'approval'] as const).map(part =>
      jobCard(job({ ...deletion, state, hold }), part, { hasGlass: true, offers }),
    ),
  ),
);

const kinds = ['MYSQL_LIVE_SERVER-1', 'MYSQL_CLONE_SERVER-2', 'HOST_ENVIRONMENT-3', 'USER-4', 'PROJECT-5'];
const records: readonly RecordView[] = kinds.map(id => recordOf(id, { name: `name of ${id}`, state: 'RUNNING' }));
const many = Array.from({ length: 120 }, (_, at) => recordOf(`MYSQL_LIVE_SERVER-${at + 1}`, { name: `n${at}` }));
const asked = {
  ...{ words: ['n'], page: 6, query: 'n', cut: false, operation: 'database.list', nouns: ['live'] as const, now: 0 },
};

const page = <T>(rows: readonly T[]) => ({ rows, all: 20, page: 1, size: 5 });
const preset: Preset = {
  ...{ id: 'p1', team: 'T1', scope: 'channel', holder: 'C1', person: 'U1', operation: 'clone.create', name: 'qa' },
  ...{ inputs: { port: '{port}' }, labels: {}, revision: 1, createdAt: 0, usedAt: 0 },
};
const home = {
  service: 'https://service.example',
  command: '/db',
  underWay: page([job({ state: 'running' })]),
  approvals: page([job({ ...deletion, state: 'awaiting' })]),
  ended: page([job({ state: 'failed' })]),
  clones: { type: 'shown' as const, page: page([...records]), mine: 0, isCut: false },
  notes: new Map(),
  presets: [preset],
  offers,
  sections: {
    top: [],
    middle: [],
    below: [...scheduleRows([aSchedule()]), ...consentBlocks([aConsent(), aConsent({ id: 'g2', state: 'revoked' })])],
  },
  person: 'U1',
};
const entry = {
  ...{ id: 'e1', at: 0, team: 'T1', actor: 'dolly', person: null, login: null, event: 'sent', operation: null },
  ...{ target: null, targetName: null, detail: null, job: null, channel: null },
};
const kept = { days: 400, zone: 'UTC' };
const trail = auditPage([entry], { query: 'x', filter: { words: ['x'] }, hasNewer: true, hasOlder: true, ...kept });
const metadata = { request: 'r', channel: 'C1', chosen: {}, labels: {}, asksWhy: true };
const forms = catalogue.flatMap(operation =>
  operation.type === 'write'
    ? [
        form(operation, { metadata, inputs: {}, labels: {}, resets: {}, notes: [] }),
        lastPage(
          operation,
          metadata,
          { [operation.target]: 'MYSQL_LIVE_SERVER-1' },
          { sentence: 'It is gone.', name: 'orders' },
        ),
      ]
    : [],
);

const leaseMessages = ['begun', 'cut', 'warned', 'warned late', 'asked', 'unanswered', 'stopped', 'changed'].map(what =>
  leaseMessage({ what, record: 'MYSQL_CLONE_SERVER-2', name: 'shop-3310', person: 'U1', choices: ['1d', '1w'] }, null),
);

const asksConsent = { what: 'asks', consent: 'g1', revision: 1, workflow: 'Nightly', channel: 'C1', runsAs: null };
const consentTold = [
  consentMessage({ ...asksConsent, about: aboutShop }, null),
  consentMessage({ what: 'signed out', workflow: 'Nightly', title: 'Refresh' }, null),
];

const everything: readonly [string, unknown][] = [
  ['a job’s message in each state', cards],
  ['the requests that wait for a person', approvalList([job({ ...deletion, state: 'awaiting' })], 2)],
  ['the call to approvers', callToApprovers(job({ ...deletion, state: 'awaiting' }))],
  ['a list of records', recordList(many, asked)],
  ['a record of each kind', records.map(record => recordDetails(record))],
  ['a choice between records', chooser(['show'], records)],
  ['the Home of somebody who is signed in', homeView({ ...home, signIn: { username: 'ana', since: 0 } })],
  ['the Home of somebody who is not', homeView({ ...home, signIn: undefined })],
  ['a list of presets', presetList([preset], { person: 'U1', words: [], lexicon, changeable: new Set([preset.id]) })],
  ['the audit trail', trail],
  ['the first page of the help', firstHelp(names, [...catalogue, ...ownCommands])],
  ['the messages of leases', leaseMessages],
  ['the messages of workflows', consentTold],
  ['a list of schedules', schedules],
  ['the messages of schedules', scheduleTold],
  ['the forms', forms],
];

const root = resolve(import.meta.dirname, '../../../src');
const files = ['slack', 'features'].flatMap(folder =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.ts'))
    .map(name => join(folder, name)),
);

describe('every button and menu', () => {
  test.each(everything)('Dolly listens to every button and menu of %s, and understands its value', (_, shown) => {
    // Those inside of a form work with its content: their listeners are tested with the forms.
    const found = actionsIn(shown).filter(({ id }) => id !== inputAction && !id.startsWith('form.'));
    const strange = found.filter(({ id, values }) => values.some(value => !reactionTo(id)?.interactionOf(value)));
    expect(strange).toEqual([]);
    expect(found.length > 0 || shown === forms).toBe(true);
  });

  test('every defined button and menu has one reaction, and every reaction to a click has its button or menu', () => {
    const text = files.map(name => readFileSync(join(root, name), 'utf8')).join('\n');
    const made = [...text.matchAll(/defineAction(?:<[^(]+>)?\(\s*'([^']+)'/g)].map(([, id = '']) => id);
    const defined = made.filter(id => !id.startsWith('form.'));
    expect(defined.length).toBeGreaterThan(15);
    const inForms = [...made.filter(id => id.startsWith('form.')), rhythmAction];
    expect(
      allInForms(features)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(inForms.toSorted());
    const operations = catalogue.map(({ name }) => `operation:${name}`);
    // Commands, messages, shortcuts and installations are no clicks.
    const asked = ['command', 'message.changed', 'ask', 'shortcut.status', 'installed', 'text.tooLong'];
    const all = reactions.map(({ action }) => action);
    expect(all.toSorted()).toEqual([...defined, ...operations, ...asked].toSorted());
    // What forms keep is done by a reaction, too, but no click brings it.
    const byForms = ['deny', 'glass', 'lease.request', 'lease.set', 'schedule.set'];
    expect(
      reactions.filter(({ action }) => byForms.includes(action)).map(({ interactionOf }) => interactionOf('{}')),
    ).toEqual(byForms.map(() => undefined));
    expect(new Set(all).size).toBe(all.length);
  });

  test('no other place than its definition writes the id of a button or menu', () => {
    const writers = files.filter(name =>
      /action_id: (?!inputAction\b|operationMenu\.id\b|presetActions\.menu\.id\b|rhythmAction\b|targetAction\b|groupAction\b)/.test(
        readFileSync(join(root, name), 'utf8'),
      ),
    );
    expect(writers.toSorted()).toEqual(['slack/blocks/action.ts', 'slack/inbox/listenToInteractions.ts']);
  });
});

describe('a button', () => {
  test('a button that cannot carry its value is not made, instead of cutting the value', () => {
    const action = defineAction('test', asText);
    expect(action.fits('x'.repeat(2_000))).toBe(true);
    expect(action.button('Label', 'x'.repeat(2_000)).value).toHaveLength(2_000);
    expect(action.fits('x'.repeat(2_001))).toBe(false);
    expect(() => action.button('Label', 'x'.repeat(2_001))).toThrow('a button of test cannot carry 2001 characters');
  });

  test('the label of a button shows the hidden characters of a name, and no emoji of it', () => {
    const labelOf = (name: string) => defineAction('test', asText).button(name, '').text.text;
    expect(['ord\u200bers', 'shop\u202egnp', ':white_check_mark: ok', '\u200b ', ''].map(labelOf)).toEqual([
      'ord\ufffders',
      'shop gnp',
      '꞉white_check_mark: ok',
      '\ufffd',
      '–',
    ]);
  });

  test('an option that cannot carry its value is not made', () => {
    expect(() => option('x'.repeat(151), 'Label')).toThrow('an option cannot carry 151 characters');
  });

  test.each([
    ['job.look', 'a-job', 'job.look'],
    ['job.signin', 'a-job', 'job.signin'],
    ['approval.approve', '{"j":"a-job","d":"abc"}', 'approval.approve'],
    ['approval.deny', '{"j":"a-job","d":null}', 'approval.deny'],
    ['command.run', 'approvals', 'command'],
    ['command.run:MYSQL_LIVE_SERVER-3', 'show MYSQL_LIVE_SERVER-3', 'command'],
    ['operation', 'database.show MYSQL_LIVE_SERVER-3', 'command'],
    ['operation:clone.create', '', 'command'],
    ['operation:database.backup', 'MYSQL_LIVE_SERVER-3', 'command'],
    ['operation:database.backup:MYSQL_LIVE_SERVER-3', 'MYSQL_LIVE_SERVER-3', 'command'],
    ['list.page:next', '{"o":"database.list","q":"orders","p":1,"s":50}', 'list.page'],
    ['home.refresh', '', 'home.refresh'],
    ['home.page:previous', '{"underWay":0,"approvals":1,"ended":0,"clones":2}', 'home.page'],
    ['audit.page:older', '{"q":"by=me","before":"e1"}', 'audit.page'],
    ['audit.export:csv', '{"q":""}', 'audit.export:csv'],
    ['login.form', '{"c":"C1","i":"clone orders"}', 'login.form'],
    ['login.link', 'link', 'login.link'],
    ['lease.extend:0', '{"r":"MYSQL_CLONE_SERVER-2","k":"1d"}', 'lease.extend'],
    ['lease.more', 'MYSQL_CLONE_SERVER-2', 'lease.more'],
    ['lease.keep', 'a-job', 'lease.keep'],
  ])('a button %s that already stands in a channel with the value “%s” goes on working', (id, value, action) => {
    expect(reactionTo(id)?.interactionOf(value)?.action).toBe(action);
  });

  test.each([
    ['job.dance', 'a-job'],
    ['approval.constructor', '{"j":"a-job","d":null}'],
    ['command', 'logout'],
    ['deny', '{"j":"a-job","d":null}'],
    ['operation:database.dance', 'MYSQL_LIVE_SERVER-3'],
    ['list.page:next', '{"o":"database.list"'],
    ['', ''],
  ])('a button “%s” with the value “%s” is of another release, and does nothing', (id, value) => {
    expect(reactionTo(id)?.interactionOf(value)).toBeUndefined();
  });

  test('the button of an operation asks for its command with the record’s whole identifier', () => {
    for (const operation of catalogue.filter(entry => entry.type === 'write'))
      for (const id of kinds.filter(kind => targetNouns(operation).some(noun => typedIdentifier(kind)?.noun === noun)))
        expect(reactionTo(`operation:${operation.name}`)?.interactionOf(id)).toEqual({
          action: 'command',
          value: `${operation.words.join(' ')} ${id}`,
        });
  });
});
