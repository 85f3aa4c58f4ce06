import { describe, expect, test } from 'vitest';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { unknown } from '../../../src/slack/commands/unknown.ts';
import { readCommand } from '../../../src/slack/words/commandText.ts';
import { lexicon } from '../../house.ts';

const destroying = /^\/db (schedule )?((env|user|project|snapshot) )?(delete|restore|reset|teardown|renew|disable)\b/;

/** What is said of words that are no command, and what is offered instead. */
function asked(typed: string, before: readonly string[] = []) {
  const content = unknown(lexicon, readCommand(typed), before);
  expect(messageFaults(content.blocks)).toEqual([]);
  const elements = content.blocks.flatMap(block => (block.type === 'actions' ? block.elements : []));
  return { text: content.text, offers: elements.flatMap(one => (one.type === 'button' ? [one.text.text] : [])) };
}

describe('other words for what a command does lead to it:', () => {
  test.each([
    ['find helpdesk', '/db list helpdesk'],
    ['please search for orders', '/db list orders'],
    ['LOOKUP orders users', '/db list orders users'],
    ['find', '/db list'],
    ['extend orders-3320', '/db lease orders-3320'],
    ['can you extend orders-3320 by 3 days', '/db lease orders-3320'],
    ['prolong the lease of orders-3320', '/db lease orders-3320'],
    ['keep orders-3320 until 2026-12-24', '/db lease orders-3320'],
    ['copy orders to dev', '/db clone orders'],
    ['duplicate "my orders" port=3399', "/db clone 'my orders' port=3399"],
    ['cancel', '/db jobs'],
    ['abort the backup of orders', '/db jobs'],
    ['get me a clone of orders', '/db clone orders'],
    ['extned orders-3320', '/db lease orders-3320'],
    ['cpoy orders', '/db clone orders'],
    ['seach orders', '/db list orders'],
    ['copying orders', '/db clone orders'],
    ['duplciate orders to dev', '/db clone orders'],
    ['cancle the backup', '/db jobs'],
  ])('the unknown words “%s” lead to the offer %s', (typed, offer) => {
    expect(asked(typed).offers.map(one => one.replaceAll('"', "'"))).toContain(offer);
  });
});

describe('an offer destroys nothing, unless hardly a letter of its own word differs:', () => {
  test.each([
    ...['restart', 'reboot', 'restat', 'resets', 'rest', 'reseat', 'restored', 'deletes', 'deleted', 'deleting'],
    ...['undo', 'Undo!', 'revert', 'rollback', 'please remove', 'drop', 'erase', 'rm', 'purge', 'how do I remove'],
    ...['undo restore', 'undo the delete of', 'cancel reset', 'drop and restore', 'remove env delete', 'find reset'],
    ...['renews', 'tear', 'disabled', 'preset', 'resume', 'truncate', 'lookup delete', 'dont restart', 'rester'],
    ...[
      'cancle restore',
      'udno the restore of',
      'undoing restore',
      'roll back restore',
      'canceling delete',
      'remov delete',
    ],
    ...[
      'deny delete',
      'withdrawn delete',
      'cacnel reset',
      'skip renew',
      'forget disable',
      'ignore teardown',
      'oops restore',
    ],
    ...[
      'environment delete',
      'hosts delete',
      'projects delete',
      'vm delete',
      'people delete',
      'orders delete',
      'backup delete',
    ],
    ...[
      'deplete',
      'ndelete',
      'restort',
      'restare',
      'tear down',
      'de lete',
      're store',
      're set',
      'dis able',
      'envd elete',
    ],
    ...['deletey', 'deletr', 'redelete', 'prestore', 'restorer', 'disables', 'renewal', 'besets', 'enviroment delete'],
    ...['shcedule delete', 'schedul restore', 'please do not delete', 'stopp delete'],
  ])('typing “%s” offers no command that destroys', words => {
    for (const typed of [`${words} orders`, words, `${words} orders failed`, `${words} the orders today`])
      for (const offer of asked(typed).offers) expect(offer).not.toMatch(destroying);
  });

  test.each(['please delete', 'delte', 'restroe', 'i want to restore', 'rseet', 'env delte'])(
    'typing “%s” with more than a target behind it offers no command that destroys',
    words => {
      for (const typed of [`${words} orders failed`, `${words} orders users`, `${words} from orders`])
        for (const offer of asked(typed).offers) expect(offer).not.toMatch(destroying);
    },
  );

  test.each([
    ['restroe orders', '/db restore orders'],
    ['delte orders', '/db delete orders'],
    ['rseet orders-3320', '/db reset orders-3320'],
    ['please delete orders', '/db delete orders'],
    ['can you dleete the orders please', '/db delete orders'],
    ['restor orders', '/db restore orders'],
    ['please reset orders-3320 now', '/db reset orders-3320'],
    ['disbale orders', '/db disable orders'],
  ])('typing “%s” offers %s', (typed, offer) => {
    expect(asked(typed).offers).toContain(offer);
  });
});

describe('what no single command does is explained, with the record that was named:', () => {
  test.each([
    ['restart orders-3320', '`/db stop` stops a clone, and `/db start` starts it again', ['/db show orders-3320']],
    ['undo the restore of orders', 'I cannot undo', ['/db jobs', '/db show orders']],
    ['cancel', 'To withdraw a waiting request', ['/db jobs']],
    ['cancel the lease of orders-3320', 'To withdraw a waiting request', ['/db jobs', '/db show orders-3320']],
    ['I want to drop orders', '`/db help delete` lists the commands that do', ['/db show orders']],
    ['orders remove', '`/db help delete`', ['/db show orders']],
    ['rm', '`/db help delete`', []],
    ['remvoe orders', '`/db help delete`', ['/db show orders']],
    ['removing orders', '`/db help delete`', ['/db show orders']],
    ['please resart orders-3320', '`/db start` starts it again', ['/db show orders-3320']],
    ['cancle restore orders', 'To withdraw a waiting request', ['/db jobs', '/db show orders']],
    ['undoing restore orders', 'I cannot undo', ['/db jobs', '/db show orders']],
    ['withdrawn delete orders', 'To withdraw a waiting request', ['/db jobs', '/db show orders']],
  ])('typing “%s” gets an explanation that says “%s”', (typed, sentence, offers) => {
    const { text, offers: shown } = asked(typed);
    expect(text).toContain(sentence);
    expect(text).toContain('`/db help` shows all commands');
    expect(shown).toEqual(offers);
  });

  test('unknown words behind /db why and /db schedule are explained, too', () => {
    expect(asked('restart orders', ['why']).offers).toEqual(['/db why show orders']);
    expect(asked('undo', ['schedule'])).toMatchObject({
      offers: [],
      text: expect.stringContaining('I cannot undo'),
    });
  });
});
