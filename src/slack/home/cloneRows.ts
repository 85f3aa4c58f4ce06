import type { KnownBlock } from '@slack/types';
import { vendorNames } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { listIsCut } from '../../records/find.ts';
import { context, headerBlock, section } from '../blocks/blocks.ts';
import { cardBlock } from '../blocks/cardBlock.ts';
import { limits } from '../blocks/limits.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import { stateText } from '../records/belongings.ts';
import { offeredOperations, operationLabel, recordRow, showOf } from '../records/recordBlocks.ts';
import { operationAction } from '../words/commandActions.ts';
import type { Clones } from './homeClones.ts';
import { type Pages, pagedTitle, pager } from './homePages.ts';

/** The clones in a Home, each with its menu and what features note on it; or why none are shown. */
export function cloneRows(clones: Clones, notes: ReadonlyMap<string, string>, pages: Pages): KnownBlock[] {
  if (clones.type === 'looking')
    return [
      headerBlock('Clones'),
      section(':hourglass_flowing_sand: The service has not answered yet. Clones appear here when it does.'),
    ];
  if (clones.type === 'fault')
    return [
      headerBlock('Clones'),
      section(`:warning: I cannot show your clones at the moment: ${plain(clones.sentence, 500)}`),
    ];
  const { page, mine, isCut } = clones;
  const first = page.page * page.size;
  const titled = page.rows.flatMap((record, index) => {
    const place = first + index;
    const isFirst = index === 0 || place === mine;
    const others = mine > 0 ? '*Others that you can see*' : 'None of these is yours.';
    const title = place < mine ? '*Yours*' : others;
    const note = notes.get(record.id.text);
    const row = { ...recordRow(record, note), block_id: record.id.text };
    return [...(isFirst ? [context(title)] : []), ...((place < mine && ownClone(record, note)) || [row])];
  });
  return [
    headerBlock(pagedTitle('Clones', page)),
    ...(isCut ? [context(listIsCut)] : []),
    ...(page.all === 0 ? [section('There are no clones that you can see.')] : titled),
    ...pager('clones', page, pages),
  ];
}

/** Operations that people ask for most on a clone of their own; the first ones that are available stand on its card. */
const mostWanted: readonly string[] = ['clone.start', 'clone.stop', 'clone.renew', 'clone.share'];

/**
 * A clone of this person’s own, as a card: its buttons save the click that a menu takes. `undefined` where a
 * card has too little room for it.
 */
function ownClone(record: RecordView, note: string | undefined): KnownBlock[] | undefined {
  const { id, name, vendor, environment } = record;
  const place = [vendor && vendorNames[vendor], environment?.label ?? environment?.id.text];
  const body = [[code(id.text), stateText(record)].filter(Boolean).join('  ·  '), note].filter(Boolean).join('\n');
  if (body.length > limits.cardBody) return undefined;
  const offered = offeredOperations(record);
  const wanted = mostWanted
    .flatMap(name => offered.filter(operation => operation.name === name))
    .slice(0, 2)
    .map(operation => operationAction(operation).button(operationLabel(operation), id.text));
  const show = showOf(record);
  const details = show ? [operationAction(show).button('Details', id.text)] : [];
  const subtitle = place.filter(Boolean).join('  ·  ');
  return cardBlock({ title: name ?? id.text, subtitle, body, buttons: [...wanted, ...details], id: id.text });
}
