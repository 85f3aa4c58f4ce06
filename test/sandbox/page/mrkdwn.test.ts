import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Node, parseMrkdwn, parsePlain } from '../../../src/sandbox/playground/page/mrkdwn.ts';

const text = (value: string): Node => ({ type: 'text', text: value });

describe('emphasis', () => {
  it('stars, underscores and tildes in mrkdwn mark bold, italic and strike', () => {
    expect(parseMrkdwn('*b* _i_ ~s~')).toEqual([
      { type: 'bold', children: [text('b')] },
      text(' '),
      { type: 'italic', children: [text('i')] },
      text(' '),
      { type: 'strike', children: [text('s')] },
    ]);
  });

  it('emphasis in mrkdwn nests', () => {
    expect(parseMrkdwn('*a _b_*')).toEqual([
      { type: 'bold', children: [text('a '), { type: 'italic', children: [text('b')] }] },
    ]);
  });

  it.each(['MYSQL_LIVE_SERVER-3', '2 * 3 * 4', '* a', 'a*b*c', '**', '_', '*open', '*a\nb*'])(
    'mrkdwn reads no emphasis in %j',
    plain => {
      expect(parseMrkdwn(plain)).toEqual([text(plain)]);
    },
  );

  it('an identifier in italics stays whole in mrkdwn', () => {
    expect(parseMrkdwn('_MYSQL_LIVE_SERVER-3_')).toEqual([{ type: 'italic', children: [text('MYSQL_LIVE_SERVER-3')] }]);
  });

  it('emphasis in mrkdwn does not end inside of a link or code', () => {
    expect(parseMrkdwn('_<https://x.example/a_|a>_')).toEqual([
      { type: 'italic', children: [{ type: 'link', url: 'https://x.example/a_', children: [text('a')] }] },
    ]);
    expect(parseMrkdwn('*`a*`*')).toEqual([{ type: 'bold', children: [{ type: 'code', text: 'a*' }] }]);
  });
});

describe('code', () => {
  it('code in mrkdwn formats nothing inside', () => {
    expect(parseMrkdwn('`*a* :wave: &lt;b&gt;`')).toEqual([{ type: 'code', text: '*a* :wave: <b>' }]);
    expect(parseMrkdwn('a\n```\nselect 1;\n_x_\n```\nb')).toEqual([
      text('a\n'),
      { type: 'pre', text: 'select 1;\n_x_' },
      text('b'),
    ]);
  });

  it('code in mrkdwn shows the label of a link inside', () => {
    expect(parseMrkdwn('`<https://x.example|x>`')).toEqual([{ type: 'code', text: 'x' }]);
  });
});

describe('quotes', () => {
  it('neighbouring quoted lines in mrkdwn make one quote, escaped or not', () => {
    expect(parseMrkdwn('> a\n&gt; *b*\nc')).toEqual([
      { type: 'quote', children: [text('a\n'), { type: 'bold', children: [text('b')] }] },
      text('c'),
    ]);
  });
});

describe('what stands in angle brackets', () => {
  it('a link in mrkdwn is read with its label, or with its address in place of one', () => {
    expect(parseMrkdwn('<https://x.example/?a=1&amp;b=2|see *this*>')).toEqual([
      { type: 'link', url: 'https://x.example/?a=1&b=2', children: [text('see *this*')] },
    ]);
    expect(parseMrkdwn('<mailto:a@x.example>')).toEqual([
      { type: 'link', url: 'mailto:a@x.example', children: [text('a@x.example')] },
    ]);
  });

  it('mentions of a person, a channel, a group and everybody are read in mrkdwn', () => {
    expect(parseMrkdwn('<@U1> <#C1|dev> <!subteam^S1|@dbas> <!here>')).toEqual([
      { type: 'user', id: 'U1', label: '' },
      text(' '),
      { type: 'channel', id: 'C1', label: 'dev' },
      text(' '),
      { type: 'group', id: 'S1', label: '@dbas' },
      text(' '),
      { type: 'broadcast', range: 'here' },
    ]);
  });

  it('a date in mrkdwn is read with its fallback and its link', () => {
    expect(parseMrkdwn('<!date^1700000000^{date_short_pretty} {time}^https://x.example/a|then>')).toEqual([
      {
        type: 'date',
        seconds: 1_700_000_000,
        pattern: '{date_short_pretty} {time}',
        url: 'https://x.example/a',
        fallback: 'then',
      },
    ]);
  });

  it('an escaped mention in mrkdwn is only text', () => {
    expect(parseMrkdwn('&lt;@U1&gt; &lt;script&gt;')).toEqual([text('<@U1> <script>')]);
  });
});

describe('escapes', () => {
  it('mrkdwn undoes Slack’s three escapes and no others, each once', () => {
    expect(parseMrkdwn('&lt; &gt; &amp; &quot; &amp;lt;')).toEqual([text('< > & &quot; &lt;')]);
  });
});

describe('emoji', () => {
  it('mrkdwn knows emoji by shortcode, also by those of Slack, and by character', () => {
    expect(parseMrkdwn(':white_check_mark::large_green_circle:⚠️')).toEqual([
      { type: 'emoji', name: 'white_check_mark', character: '✅' },
      { type: 'emoji', name: 'large_green_circle', character: '🟢' },
      { type: 'emoji', name: '', character: '⚠️' },
    ]);
  });

  it.each(['10:30:45', ':no_such_emoji:', 'host:port:path', '1 # *'])('mrkdwn reads no emoji in %j', plain => {
    expect(parseMrkdwn(plain)).toEqual([text(plain)]);
  });
});

describe('bare addresses', () => {
  it('a bare address in mrkdwn becomes a link without the punctuation behind it', () => {
    expect(parseMrkdwn('see https://x.example/a, ok')).toEqual([
      text('see '),
      { type: 'link', url: 'https://x.example/a', children: [text('https://x.example/a')] },
      text(', ok'),
    ]);
  });
});

describe('plain text', () => {
  it('plain text is read with its emoji and no other markup', () => {
    expect(parsePlain('*a* <b> :lock: A &amp; B')).toEqual([
      text('*a* <b> '),
      { type: 'emoji', name: 'lock', character: '🔒' },
      text(' A & B'),
    ]);
  });

  it('plain text has no emoji where they are switched off', () => {
    expect(parsePlain(':lock:', false)).toEqual([text(':lock:')]);
  });
});

it('the mrkdwn reader loses no letter of a text without markup, and ends on any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), value => {
      expect(Array.isArray(parseMrkdwn(value))).toBe(true);
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z0-9 .,-]*$/), value => {
      const nodes = parseMrkdwn(value);
      expect(nodes.map(node => (node.type === 'text' ? node.text : '')).join('')).toBe(value);
    }),
  );
});
