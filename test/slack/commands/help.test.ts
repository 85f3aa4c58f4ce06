import { describe, expect, test } from 'vitest';
import { catalogue } from '../../../src/operations/catalogue.ts';
import { groups } from '../../../src/operations/operation.ts';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import type { Content } from '../../../src/slack/blocks/message.ts';
import { firstHelp, help, helpAbout, slashCommands } from '../../../src/slack/commands/help.ts';
import { chooseOffers, type HelpOffer } from '../../../src/slack/commands/helpOffers.ts';
import { ownSubjects } from '../../../src/slack/house.ts';
import { lexicon, ownCommands } from '../../house.ts';

const { names } = lexicon;
const evil = '<!channel> <@U9> & `*_~ \u202e🐑 '.repeat(40);
const newcomer = { isSignedIn: true, isApprover: false, before: [], isAllowed: () => true };
const called = (offer: HelpOffer) => ('word' in offer ? offer.word : offer.name);
const offered = (change: Partial<Parameters<typeof chooseOffers>[1]>) =>
  chooseOffers(ownCommands, { ...newcomer, ...change }).map(called);
const times = (many: number, name: string) => Array.from({ length: many }, () => name);

/** The lines of a message, however many. */
const linesIn = ({ blocks }: Content) =>
  blocks.flatMap(block => (block.type === 'section' && block.text ? block.text.text.split('\n') : []));

describe('the six commands that come first', () => {
  test('the help offers six usual commands to somebody new, a missing sign-in first, and approvals to approvers', () => {
    const usual = ['database.list', 'clone.create', 'status', 'database.backup', 'jobs', 'stats'];
    expect(offered({})).toEqual(usual);
    expect(offered({ isSignedIn: false })).toEqual(['login', ...usual.slice(0, 5)]);
    expect(offered({ isSignedIn: false, isApprover: true })).toEqual(['login', 'approvals', ...usual.slice(0, 4)]);
  });

  test('the help first offers the commands that a person asked for most, of equals the latest, and none twice', () => {
    const before = [
      ...['clone.reset', 'clone.stop', 'clone.start', 'database.refresh'],
      ...times(2, 'clone.create'),
      ...times(3, 'database.restore'),
    ];
    expect(offered({ before })).toEqual([
      ...['database.restore', 'clone.create', 'clone.reset', 'clone.stop'],
      ...['database.list', 'status'],
    ]);
  });

  test('the help offers nothing that the policy forbids, and nothing that no command asks for', () => {
    const isAllowed = ({ name }: { name: string }) => name !== 'clone.create' && name !== 'database.restore';
    const before = [...times(5, 'database.restore'), 'lease.request', 'schedule.create', 'of.anotherRelease'];
    const six = offered({ before, isAllowed });
    expect(six).toHaveLength(6);
    for (const name of ['clone.create', 'database.restore']) expect(six).not.toContain(name);
  });
});

describe('the help', () => {
  test('the first help shows six commands, each with its button, and a button for each subject', () => {
    const { blocks, text } = firstHelp(names, chooseOffers(ownCommands, newcomer));
    expect(messageFaults(blocks)).toEqual([]);
    expect(text.split('\n').length).toBeLessThan(20);
    expect(text).toContain('`/clone [name or identifier] [field=value …]`');
    const buttons = blocks.flatMap(block => (block.type === 'section' ? [block.accessory] : []));
    expect(buttons.filter(Boolean)).toHaveLength(6);
    const subjects = blocks.flatMap(block =>
      block.type === 'actions'
        ? block.elements.flatMap(one => (one.type === 'button' ? [[one.text.text, one.value]] : []))
        : [],
    );
    expect(subjects).toEqual([
      ...[...groups, ...ownSubjects].map(subject => [subject, `help ${subject}`]),
      ['All commands', 'help all'],
    ]);
  });

  test('the help without words lists each command once under its subject, in fewer than 16 lines', () => {
    const { text, blocks } = help(lexicon, []);
    expect(messageFaults(blocks)).toEqual([]);
    expect(text.split('\n').length).toBeLessThan(16);
    const words = text.match(/(?<=: |, )[a-z][a-z -]*(?=, |$)/gm) ?? [];
    const known = [...catalogue.map(entry => entry.words.join(' ')), ...ownCommands.map(({ word }) => word)];
    for (const word of known) expect([word, words.filter(one => one === word).length]).toEqual([word, 1]);
    expect(help(lexicon, [])).toBe(help(lexicon, []));
  });

  test('the help on all has each command once, and the help on a subject has no other subject’s commands', () => {
    const all = linesIn(helpAbout(lexicon, ['all']));
    for (const { words, summary } of catalogue)
      expect([words, all.filter(line => line.endsWith(summary))]).toHaveLength(2);
    for (const { usage } of ownCommands)
      expect(
        all.filter(line => line.startsWith(`\`/db ${usage.replaceAll('<', '&lt;').replaceAll('>', '&gt;')}`)),
      ).toHaveLength(1);
    const approvals = helpAbout(lexicon, 'Approvals and audit'.split(' ')).text;
    for (const word of ['/db approvals', '/db why', '/db audit']) expect(approvals).toContain(word);
    expect(approvals).not.toContain('/clone');
    const snapshots = helpAbout(lexicon, ['SNAPSHOTS']).text;
    expect(snapshots).toContain('*Snapshots*');
    expect(snapshots).not.toContain('/db logout');
  });

  test('the help finds the commands with some words, or says that there are none', () => {
    const some = helpAbout(lexicon, ['SIGN']).text;
    expect(some).toContain('`/db login`');
    expect(some).not.toContain('`/clone');
    const none = helpAbout(lexicon, [evil]);
    expect(messageFaults(none.blocks)).toEqual([]);
    expect(none.text).toContain('shows all');
    expect(none.text).not.toMatch(/<!channel>|<@U9>/);
  });

  test('the help names the slash commands as they are set', () => {
    const own = { db: '/dba', clone: '/copy', restore: '/back' };
    expect(helpAbout({ ...lexicon, names: own }, ['all']).text).toContain('`/copy [name or identifier]');
    expect(firstHelp(own, chooseOffers(ownCommands, newcomer)).text).toContain('`/dba list [words]`');
    expect(slashCommands(names).map(({ command }) => command)).toEqual(['/db', '/clone', '/restore']);
  });
});
