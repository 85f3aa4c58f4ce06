import type { KnownBlock } from '@slack/types';
import type { Lease } from '../../store/tables/leases.ts';
import { context, section } from '../blocks/blocks.ts';
import { plain } from '../blocks/limits.ts';
import { standing } from '../leases/leaseCommand.ts';
import { recordRow } from '../records/recordBlocks.ts';
import type { Clones } from './homeClones.ts';
import { headerBlock, type Pages, pagedTitle, pager } from './homePages.ts';

/** The clones in a Home, each with its menu and its lease; or why none are shown. */
export function cloneRows(clones: Clones, leases: ReadonlyMap<string, Lease>, pages: Pages): KnownBlock[] {
  if (clones.type === 'looking')
    return [
      headerBlock('Clones'),
      section(':hourglass_flowing_sand: The service has not answered yet. Clones appear here when it does.'),
    ];
  if (clones.type === 'fault')
    return [
      headerBlock('Clones'),
      section(`:warning: Your clones cannot be shown at the moment: ${plain(clones.sentence, 500)}`),
    ];
  const { page, mine, isCut } = clones;
  const first = page.page * page.size;
  const titled = page.rows.flatMap((record, index) => {
    const place = first + index;
    const isFirst = index === 0 || place === mine;
    const others = mine > 0 ? '*Others that you can see*' : 'None of these was made by a job of yours here.';
    const title = place < mine ? '*Made by your jobs here*' : others;
    const lease = leases.get(record.id.text);
    const row = recordRow(record, lease && `:hourglass: ${standing(lease)}`);
    return [...(isFirst ? [context(title)] : []), { ...row, block_id: record.id.text }];
  });
  return [
    headerBlock(pagedTitle('Clones', page)),
    ...(isCut ? [context(':warning: This list is incomplete: the service says that there are more.')] : []),
    ...(page.all === 0 ? [section('There are no clones that you can see.')] : titled),
    ...pager('clones', page, pages),
  ];
}
