/** A path on a field of 20 by 20: filled with a colour, or drawn as a line of the given width. */
export type Stroke = { d: string; colour: string; line?: number };

const DISC = 'M10 1.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17z';
const TILE = 'M4 1.5h12A2.5 2.5 0 0 1 18.5 4v12a2.5 2.5 0 0 1-2.5 2.5H4A2.5 2.5 0 0 1 1.5 16V4A2.5 2.5 0 0 1 4 1.5z';
const GREEN = '#1f9d55';
const RED = '#dc3b2f';
const AMBER = '#f2a91b';
const BLUE = '#2f7fe0';
const STEEL = '#6b7785';
const SKIN = '#f6c445';
const INK = '#33404d';
const WHITE = '#ffffff';

const fill = (d: string, colour: string): Stroke => ({ d, colour });
const line = (d: string, colour: string, width: number): Stroke => ({ d, colour, line: width });
const disc = (colour: string): Stroke[] => [fill(DISC, colour)];

const GLASS = [
  line('M5 2.5h10M5 17.5h10', '#8a5a2b', 2),
  line('M6 3v2.5c0 2.5 4 3 4 4.5s-4 2-4 4.5V17M14 3v2.5c0 2.5-4 3-4 4.5s4 2 4 4.5V17', '#7fb6d9', 1.4),
];
const LOCK = fill('M4.5 9h11a1 1 0 0 1 1 1v7a1.5 1.5 0 0 1-1.5 1.5H5A1.5 1.5 0 0 1 3.5 17v-7a1 1 0 0 1 1-1z', AMBER);
const KEYHOLE = fill('M10 11.5a1.5 1.5 0 0 1 .8 2.8V16H9.2v-1.7a1.5 1.5 0 0 1 .8-2.8z', INK);
const FACE = [
  fill(DISC, SKIN),
  fill('M7 7a1.2 1.5 0 1 0 0 3 1.2 1.5 0 0 0 0-3zM13 7a1.2 1.5 0 1 0 0 3 1.2 1.5 0 0 0 0-3z', INK),
];
const ROUND_ARROWS = line('M15 8a5.5 5.5 0 0 0-10-1M5 12a5.5 5.5 0 0 0 10 1M5 4v3h3M15 16v-3h-3', WHITE, 1.8);

/**
 * The emoji that an app about databases uses to tell of states and things, drawn by hand and simply. They look alike on
 * every machine, with an emoji font or without; the rest is left to the fonts. Keys have no variation selector.
 */
export const DRAWINGS: Readonly<Record<string, readonly Stroke[]>> = {
  '✅': [fill(TILE, GREEN), line('M5 10.5l3.5 3.5 6.5-8', WHITE, 2.6)],
  '☑': [fill(TILE, BLUE), line('M5 10.5l3.5 3.5 6.5-8', WHITE, 2.6)],
  '✔': [line('M3.5 11l4.5 4.5 8.5-11', GREEN, 3)],
  '❌': [line('M4 4l12 12M16 4L4 16', RED, 3.4)],
  '❔': [line('M6 6.8a4 4 0 1 1 6 3.4c-1.4.8-2 1.5-2 3', STEEL, 2.6), line('M10 17v.1', STEEL, 3)],
  '✋': [
    line('M6.5 10V4.6M9 9.5V3M11.5 9.5V3.4M14 10V5.2', SKIN, 2.2),
    fill('M5.4 9h9.7v4.5a5 5 0 0 1-5 5c-2.6 0-3.8-1-5.2-3.3L2.6 11.4c-.6-1 .8-2 1.7-1.1l1.1 1.2z', SKIN),
  ],
  '⚠': [fill('M10 1.5l9 16.5H1z', AMBER), line('M10 7v5M10 15v.1', INK, 2.2)],
  '⏳': [...GLASS, fill('M7.5 5h5L10 8.5zM7 16.5c0-2 3-2.5 3-2.5s3 .5 3 2.5z', AMBER)],
  '⌛': [...GLASS, fill('M6.8 16.5c0-3 3.2-3.5 3.2-3.5s3.2.5 3.2 3.5z', AMBER)],
  '⏱': [line('M10 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM8 1.5h4M10 7.5V11l2.5 1.5', STEEL, 1.8)],
  '🕒': [fill(DISC, '#e8edf1'), line('M10 5v5h4M10 2.3a7.7 7.7 0 1 0 0 15.4 7.7 7.7 0 0 0 0-15.4z', STEEL, 1.6)],
  '🔒': [line('M6.5 9V6.5a3.5 3.5 0 0 1 7 0V9', STEEL, 2), LOCK, KEYHOLE],
  '🔓': [line('M6.5 9V5.5a3.5 3.5 0 0 1 6.8-1', STEEL, 2), LOCK, KEYHOLE],
  '🔐': [line('M6.5 9V6.5a3.5 3.5 0 0 1 7 0V9', STEEL, 2), LOCK, line('M13 14.5h6M17 14.5v2', INK, 1.6)],
  '🔑': [line('M7 9.5a3.5 3.5 0 1 0-.1 0zM9 9l8 8M14 14l2-2M16 16l1.5-1.5', AMBER, 2)],
  '🟢': disc(GREEN),
  '🔴': disc(RED),
  '🟡': disc('#f4c430'),
  '🟠': disc('#ee8a1d'),
  '🔵': disc(BLUE),
  '⚪': [fill(DISC, '#e3e8ec'), line('M10 2.2a7.8 7.8 0 1 0 0 15.6 7.8 7.8 0 0 0 0-15.6z', '#a9b4be', 1)],
  '⚫': disc(INK),
  '⛔': [fill(DISC, RED), line('M5.5 10h9', WHITE, 3)],
  '🚫': [line('M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM4.7 4.7l10.6 10.6', RED, 2.4)],
  '🛑': [fill('M6.5 1.5h7l5 5v7l-5 5h-7l-5-5v-7z', RED), line('M6 10h8', WHITE, 2.4)],
  ℹ: [fill(TILE, BLUE), line('M10 9v6M10 5.5v.1', WHITE, 2.2)],
  '🔄': [fill(TILE, BLUE), ROUND_ARROWS],
  '🔁': [fill(TILE, BLUE), ROUND_ARROWS],
  '▶': [fill(TILE, BLUE), fill('M7 5l8 5-8 5z', WHITE)],
  '⏸': [fill(TILE, BLUE), line('M7.5 6v8M12.5 6v8', WHITE, 2.4)],
  '⏹': [fill(TILE, BLUE), fill('M6 6h8v8H6z', WHITE)],
  '➡': [fill(TILE, BLUE), line('M5 10h9M10.5 6l4 4-4 4', WHITE, 2)],
  '🚨': [
    fill('M5 14V9a5 5 0 0 1 10 0v5z', RED),
    fill('M3 14h14v4H3z', STEEL),
    line('M10 1v1.5M2 5l1.5 1M18 5l-1.5 1', RED, 1.6),
  ],
  '🔔': [fill('M10 2a5 5 0 0 1 5 5v5l2 3H3l2-3V7a5 5 0 0 1 5-5z', AMBER), fill('M8 16h4a2 2 0 0 1-4 0z', '#b87a10')],
  '🔍': [
    fill('M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z', '#cfe6f5'),
    line('M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM12 12l5.5 5.5', STEEL, 2),
  ],
  '🔎': [
    fill('M12 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z', '#cfe6f5'),
    line('M12 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 12l-5.5 5.5', STEEL, 2),
  ],
  '💡': [fill('M10 1.5a6 6 0 0 1 3 11.2V15H7v-2.3A6 6 0 0 1 10 1.5z', '#f4c430'), line('M7.5 17h5', STEEL, 2)],
  '❓': [line('M6 6.5a4 4 0 1 1 5.5 3.7C10 11 10 12 10 13M10 17v.1', RED, 2.8)],
  '🎉': [
    fill('M2 18l4-11 7 7z', AMBER),
    line('M11 6c0-2 1-3 2.5-3.5M14 9c2-1 3-.5 4 .5', '#a44fc4', 1.8),
    line('M16 4v.1M9 3v.1M17 13v.1M13 7v.1', RED, 2.2),
  ],
  '👀': [
    fill(
      'M6 4c2 0 3.3 2.7 3.3 6S8 16 6 16s-3.3-2.7-3.3-6S4 4 6 4zM14 4c2 0 3.3 2.7 3.3 6S16 16 14 16s-3.3-2.7-3.3-6S12 4 14 4z',
      '#f3f5f6',
    ),
    line(
      'M6 4c2 0 3.3 2.7 3.3 6S8 16 6 16s-3.3-2.7-3.3-6S4 4 6 4zM14 4c2 0 3.3 2.7 3.3 6S16 16 14 16s-3.3-2.7-3.3-6S12 4 14 4z',
      '#97a3ae',
      1.2,
    ),
    fill('M5 8a1.7 2.3 0 1 0 0 4.6A1.7 2.3 0 0 0 5 8zM13 8a1.7 2.3 0 1 0 0 4.6A1.7 2.3 0 0 0 13 8z', INK),
  ],
  '👋': [
    line('M7 13L3.5 8.5M8.5 11L5 5.5M11 10L8 4M13 10.5L11 5.5M14 13.5l2-5', SKIN, 2.4),
    fill('M6 12l7-4 3 2c0 4-1 8-4.5 8S7 15 6 12z', SKIN),
  ],
  '👍': [
    fill('M8 9l3-7c2 0 2.5 1.5 2 3.5L12.5 8H17c1.5 0 2 1.5 1.5 3l-1.5 5c-.3 1-1 1.5-2 1.5H8z', SKIN),
    fill('M2.5 9H6v9H2.5z', BLUE),
  ],
  '🙂': [...FACE, line('M6.5 12.5c1.5 2.5 5.5 2.5 7 0', INK, 1.4)],
  '🤔': [...FACE, line('M8 13.5l4-.8', INK, 1.4)],
  '🤖': [
    fill('M4 6h12v11H4z', '#9fb3c4'),
    line('M10 6V2.5M2.5 10v4M17.5 10v4', STEEL, 1.8),
    fill('M6.5 9h2.5v2.5H6.5zM11 9h2.5v2.5H11z', '#1aa6a6'),
    line('M7 14.5h6', INK, 1.4),
  ],
  '👤': [fill('M10 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM2.5 18c0-4 3-6.5 7.5-6.5s7.5 2.5 7.5 6.5z', STEEL)],
  '💾': [fill('M2 2h13l3 3v13H2z', INK), fill('M5 2h9v5H5zM4.5 10h11v8h-11z', '#cfd8df')],
  '🗄': [fill('M4 1.5h12v17H4z', '#9aa7b3'), line('M4 10h12M8 6h4M8 14h4', INK, 1.4)],
  '📦': [fill('M2 6l8-4 8 4v9l-8 4-8-4z', '#c98f4e'), line('M2 6l8 4 8-4M10 10v9M6 4l8 4v3', '#8a5a2b', 1.2)],
  '🗑': [fill('M4.5 6h11l-1 12h-9z', '#9aa7b3'), line('M3 5h14M8 3h4M8 8.5l.4 7M12 8.5l-.4 7', STEEL, 1.6)],
  '🔗': [line('M8.5 11.5l3-3M7 9l-2.5 2.5a2.8 2.8 0 0 0 4 4L11 13M13 11l2.5-2.5a2.8 2.8 0 0 0-4-4L9 7', STEEL, 2)],
  '📝': [
    fill('M3 2h12v16H3z', '#eef1f3'),
    line('M5.5 6h7M5.5 9h7M5.5 12h3', '#9aa7b3', 1.3),
    line('M9 14l8-8', AMBER, 2.6),
  ],
  '📋': [
    fill('M3 3h14v16H3z', '#b07a3c'),
    fill('M5 5h10v12H5z', WHITE),
    fill('M7 1.5h6V5H7z', STEEL),
    line('M7 9h6M7 12h6', '#9aa7b3', 1.3),
  ],
  '🐑': [
    fill('M8 5a3 3 0 0 1 5.5-1A3.3 3.3 0 0 1 18 8a3.4 3.4 0 0 1-2 5.5A4 4 0 0 1 9 14a3.8 3.8 0 0 1-4-5z', '#f3f5f6'),
    line(
      'M8 5a3 3 0 0 1 5.5-1A3.3 3.3 0 0 1 18 8a3.4 3.4 0 0 1-2 5.5A4 4 0 0 1 9 14a3.8 3.8 0 0 1-4-5',
      '#97a3ae',
      1.2,
    ),
    line('M9.5 15v3M14.5 15v3', INK, 1.8),
    fill('M2 6.5c2-1.5 5-1.5 6 .5.5 2.5-.5 6-3 6S2 10 2 6.5z', INK),
    fill('M4 8.5h.1a.7.7 0 1 1-.1 0z', WHITE),
  ],
  '🧬': [line('M5 2c0 8 10 8 10 16M15 2c0 8-10 8-10 16', BLUE, 1.8), line('M6 4.5h8M6 15.5h8M8 8h4M8 12h4', RED, 1.3)],
  '🔧': [line('M8 12l-5 5', STEEL, 3.4), line('M13.5 3.5a4 4 0 1 0 3 3', STEEL, 3)],
  '⚙': [
    line('M10 2v16M2 10h16M4.3 4.3l11.4 11.4M15.7 4.3L4.3 15.7', STEEL, 2.4),
    fill('M10 4.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11z', STEEL),
    fill('M10 8a2 2 0 1 0 0 4 2 2 0 0 0 0-4z', WHITE),
  ],
  '✨': [
    fill(
      'M8 4l1.8 4.7L14.5 10.5l-4.7 1.8L8 17l-1.8-4.7L1.5 10.5l4.7-1.8zM15.5 1.5l1 2.5 2.5 1-2.5 1-1 2.5-1-2.5-2.5-1 2.5-1z',
      '#f4c430',
    ),
  ],
};
