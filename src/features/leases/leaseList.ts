import type { Button } from '@slack/types';
import { creationOf } from '../../api/reading/times.ts';
import { counted } from '../../ground/wording.ts';
import { zoneOrUtc } from '../../ground/zone.ts';
import { type CloneOwner, ownersOfClones } from '../../jobs/approval/people/cloneOwner.ts';
import type { Parts } from '../../jobs/parts.ts';
import { noneAmong } from '../../records/find.ts';
import { namesOfAll } from '../../records/meantWords.ts';
import { choiceMenu } from '../../slack/blocks/action.ts';
import { actionsRow, context, section, sectionsOf } from '../../slack/blocks/blocks.ts';
import { dataTable, lengthCell, timeCell, withoutNumber } from '../../slack/blocks/dataTable.ts';
import { tookWords } from '../../slack/blocks/durationWords.ts';
import { cut } from '../../slack/blocks/limits.ts';
import { mentionOf } from '../../slack/blocks/mentionPeople.ts';
import { type Content, message, said } from '../../slack/blocks/message.ts';
import { bold, code, plain } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { recordChoices } from '../../slack/records/chooser.ts';
import { runCommand } from '../../slack/words/commandActions.ts';
import { type Command, writeCommand } from '../../slack/words/commandText.ts';
import { meantButtons, saidVain } from '../../slack/words/meantButtons.ts';
import type { Lease } from '../../store/tables/leases.ts';
import { clonesByEnd, endsNext, type LeaseLine, leaseStands } from './clonesByEnd.ts';
import { leaseActions } from './leaseButtons.ts';
import { standing } from './leaseCommand.ts';

/** Max rows of the table of a list, and lines where Slack takes no tables. */
const max = { rows: 50, lines: 30 } as const;

/**
 * Answers `leases`: the clones that this person sees, those that end first at the top, those without an end last.
 * @throws {Failure} `signed-out`, or where the records cannot be read
 */
export async function leaseList(
  desk: Parts<'jobs' | 'keepersOf'> & Desk<'things' | 'people' | 'records' | 'clock' | 'names'>,
  interaction: Interaction,
  { words: [, ...words] }: Pick<Command, 'words'>,
): Promise<Content> {
  const { list, rows } = await clonesByEnd(desk, interaction, words);
  if (rows.length === 0)
    return words.length === 0
      ? said(noneAmong('There are no clones that you can see', list))
      : saidVain(
          noneAmong(`No clone matches ${code(words.join(' '), 80)}`, list),
          meantButtons({ command: ['leases'], words }, await namesOfAll(list.records)),
        );
  const now = desk.clock.now();
  const end = (shown: number) => {
    const part = list.cut ? ' The service shows only some of its records.' : '';
    const more = rows.length > shown ? ` ${rows.length - shown} more match: add words to find them.` : '';
    return context(
      `Or type ${code(`${desk.names.db} lease <clone> 3d`)} to keep one for 3 days from now.${more}${part}`,
    );
  };
  const shown = rows.slice(0, max.rows);
  const zone = zoneOrUtc(await desk.people.zoneOf(interaction));
  const clones = shown.map(({ record }) => record);
  const ownerOf = await ownersOfClones(desk, interaction.team, clones);
  const lines = shown.slice(0, max.lines).map(line => rowText(line, ownerOf(line.record), now));
  const heading = section(`*How long clones are kept*  ·  ${leaseCounts(rows)}`);
  return message(
    [
      heading,
      ...dataTable({
        caption: 'Clones, those that end first at the top',
        header: ['Clone', `Kept until (${zone})`, 'Owner', 'Status', 'Environment', 'Age'],
        rows: shown.map(line => leaseCells(line, ownerOf(line.record), { now, zone })),
        pageSize: 10,
      }),
      ...actionsRow([
        ...severalButton(words, rows.length),
        ...choiceMenu(
          leaseActions.more,
          'Keep one clone for…',
          recordChoices(clones, id => id),
        ),
      ]),
      end(max.rows),
    ],
    'equal',
    [heading, ...sectionsOf(lines, 500), ...actionsRow(severalButton(words, rows.length)), end(max.lines)],
  );
}

/** The button to the page on which several of these clones are ticked. */
function severalButton(words: readonly string[], many: number): Button[] {
  const line = writeCommand({ words: ['several', ...words], inputs: { show: 'clones' } });
  return many > 1 && runCommand.fits(line)
    ? [runCommand.button('Keep or delete several…', line, { style: 'primary', suffix: 'several' })]
    : [];
}

/** The number of clones, of those that end, and of those whose time is over. */
function leaseCounts(rows: readonly LeaseLine[]): string {
  const ending = rows.filter(({ lease }) => lease?.state === 'kept' && lease.endsAt !== null).length;
  const over = rows.filter(({ lease }) => lease && isOver.includes(lease.state)).length;
  const late = over > 0 ? [`*${over} past ${over === 1 ? 'its' : 'their'} end*`] : [];
  return [counted(rows.length, 'clone'), ...late, `${ending} with an end`].join('  ·  ');
}

const isOver: readonly Lease['state'][] = ['asking', 'stopping', 'stopped', 'deleting'];

function leaseCells(
  { record, lease }: LeaseLine,
  { person, named }: CloneOwner,
  { now, zone }: Readonly<{ now: number; zone: string }>,
) {
  const until = lease ? endsNext(lease) : null;
  const made = creationOf(record);
  const age = made === undefined ? undefined : Math.max(0, now - made);
  return [
    cut(record.name ?? record.id.text, 36),
    until === null ? withoutNumber('no end') : timeCell(zone, until),
    person === undefined ? cut(named ?? '–', 24) : { user: person },
    lease ? leaseStands[lease.state] : 'no lease',
    cut(record.environment?.label ?? record.environment?.id.text ?? '–', 24),
    lengthCell(age),
  ];
}

function rowText({ record, lease }: LeaseLine, { person, named }: CloneOwner, now: number): string {
  const place = record.environment?.label ?? record.environment?.id.text;
  const name = `${bold(record.name ?? record.id.text, 80)}${place === undefined ? '' : ` on ${plain(place, 60)}`}`;
  const made = creationOf(record);
  const age = made === undefined ? '' : ` · ${tookWords(now - made)} old`;
  const owner = person === undefined ? named && plain(named, 60) : mentionOf(person);
  const whose = owner === undefined ? '' : ` · owned by ${owner}`;
  if (!lease) return `${name} · no lease${whose}${age}`;
  return `${name} · ${standing(lease)}${whose}${lease.endsAt === null ? age : ''}`;
}
