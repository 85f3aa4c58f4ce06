import type { Button, KnownBlock } from '@slack/types';
import { actionsRow, mrkdwn, section } from './blocks.ts';
import { limits } from './limits.ts';
import { bold, plain } from './mrkdwn.ts';

/** A card: its title and its subtitle are plain text, its body is mrkdwn. */
type Card = Readonly<{ title: string; subtitle?: string; body?: string; buttons?: readonly Button[]; id?: string }>;

/**
 * A card, everywhere. Where its body or its buttons are more than Slack takes, a section and a row of buttons stand in
 * its place, so that nothing is cut away.
 */
export function cardBlock({ title, subtitle, body, buttons = [], id }: Card): KnownBlock[] {
  if ((body ?? '').length > limits.cardBody || buttons.length > limits.cardActions) {
    const lines = [bold(title), subtitle === undefined ? '' : plain(subtitle), body ?? ''].filter(Boolean);
    const text = section(lines.join('\n'));
    const row = actionsRow(buttons, id === undefined ? undefined : `${id}:buttons`);
    return [id === undefined ? text : { ...text, block_id: id }, ...row];
  }
  return [
    {
      type: 'card',
      ...(id === undefined ? {} : { block_id: id }),
      title: mrkdwn(plain(title, limits.cardTitle)),
      ...(subtitle === undefined ? {} : { subtitle: mrkdwn(plain(subtitle, limits.cardSubtitle)) }),
      ...(body ? { body: mrkdwn(body) } : {}),
      ...(buttons.length === 0 ? {} : { actions: [...buttons] }),
    },
  ];
}
