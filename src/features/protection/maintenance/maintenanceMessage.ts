import { z } from 'zod';
import { section, sectionsOf } from '../../../slack/blocks/blocks.ts';
import { mentionOf } from '../../../slack/blocks/mentionPeople.ts';
import { message, wordsFor } from '../../../slack/blocks/message.ts';
import { momentAfter } from '../../../slack/blocks/moments.ts';
import { bold, plain } from '../../../slack/blocks/mrkdwn.ts';

/** What a message about maintenance is made from; it is stored with the message. */
const MaintenanceNotice = z.discriminatedUnion('what', [
  z.object({
    ...{ what: z.literal('on'), name: z.string(), by: z.string(), until: z.number(), reason: z.string() },
    ...{ from: z.number().optional(), withoutRuns: z.boolean().default(false) },
  }),
  z.object({
    what: z.literal('over'),
    by: z.string().nullable(),
    standing: z.object({ names: z.array(z.string()), more: z.number() }).nullable(),
  }),
]);

/** The message that declares maintenance, and the reply at its end. */
export const maintenanceMessage = wordsFor(MaintenanceNotice, (told, outcome) => {
  if (told.what === 'on') {
    const { name, by, from, until, reason, withoutRuns } = told;
    const times = `${from === undefined ? '' : `${momentAfter('from', from)} `}${momentAfter('until', until)}`;
    const lead =
      outcome === null
        ? `is in maintenance ${times}${withoutRuns ? ', without scheduled runs' : ''}`
        : 'is no longer in maintenance';
    return message([section(`:construction: ${bold(name)} ${lead}: “${plain(reason, 300)}” (${mentionOf(by)})`)]);
  }
  const { by, standing } = told;
  const lead = by === null ? 'Maintenance is over.' : `${mentionOf(by)} ended the maintenance.`;
  if (!standing) return message([section(`:construction: ${lead} Alerts and reports count this environment again.`)]);
  if (standing.names.length === 0)
    return message([section(`:white_check_mark: ${lead} Nothing here is failed, late or disabled.`)]);
  const more = standing.more > 0 ? [`…and ${standing.more} more`] : [];
  const lines = [
    `:construction: ${lead} These problems remain:`,
    ...standing.names.map(name => `• ${plain(name, 200)}`),
    ...more,
  ];
  return message(sectionsOf(lines, 400));
});
