import { day, hour, minute } from '../../ground/durations.ts';
import { Failure } from '../../ground/failure.ts';
import { isKeyOf } from '../../ground/keys.ts';
import { readAnyTime } from '../../ground/timeText.ts';
import type { AuditFilter } from '../../store/tables/audit/auditSearch.ts';
import { cut } from '../blocks/limits.ts';
import { readCommand } from '../words/commandText.ts';
import { auditTurn } from './auditPage.ts';

const units = { m: minute, h: hour, d: day, w: 7 * day } as const;

/** Room for an entry's id, which the buttons that turn pages carry beside the query. */
const anyEntry = 'x'.repeat(200);

/** Who reads the trail: the person that `by=me` means, and whether they may read what others did. */
export type TrailReader = Readonly<{ person: string; isForAll: boolean }>;

/**
 * Reads the text after `audit`: words, and `since`, `until` and `by`. Times are UTC; a date as `until` includes that
 * day.
 * @throws {Failure} `input` with one sentence on the part that cannot be read, `forbidden` where it is for others
 */
export function readQuery(text: string, now: number, { person: me, isForAll }: TrailReader): AuditFilter {
  if (!auditTurn.fits({ q: text, before: anyEntry }))
    throw new Failure('input', 'This search is too long. Use fewer or shorter words.');
  const { words, inputs } = readCommand(text);
  const known: { since?: number; until?: number; by?: string } = {};
  for (const [name, value] of Object.entries(inputs)) {
    switch (name.toLowerCase()) {
      case 'since':
        known.since = momentIn(name, value, now).at;
        break;
      case 'until': {
        const { at, isDay } = momentIn(name, value, now);
        known.until = isDay ? at + units.d : at;
        break;
      }
      case 'by':
        known.by = personTyped(value, me);
        break;
      default:
        throw new Failure('input', `I understand since=, until= and by= here, but not ${name}=.`);
    }
  }
  if (known.since !== undefined && known.until !== undefined && known.since >= known.until)
    throw new Failure('input', 'since= must be earlier than until=.');
  if (!isForAll && known.by !== undefined && known.by !== me)
    throw new Failure('forbidden', 'No approvers are named here, so you can read only what you did yourself.');
  return { words, ...known, ...(isForAll ? {} : { by: me }) };
}

function momentIn(name: string, value: string, now: number): { at: number; isDay: boolean } {
  const ago = /^(\d{1,4}) ?([mhdw])$/.exec(value.trim().toLowerCase());
  const unit = ago?.[2] ?? '';
  if (ago?.[1] && isKeyOf(units, unit)) return { at: now - Number(ago[1]) * units[unit], isDay: false };
  const date = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}))?$/i.exec(value.trim());
  const written = date && `${date[1]}T${date[2] ?? '00:00'}`;
  const at = readAnyTime(`${written}Z`)?.at;
  if (!date || at === undefined)
    throw new Failure(
      'input',
      `I cannot read ${name}=${cut(value, 40)} as a time. Write 7d, 12h or 30m for a time that long ago, or a date such as 2026-11-01 or 2026-11-01T09:30 (UTC).`,
    );
  return { at, isDay: date[2] === undefined };
}

/**
 * A Slack user as a mention or an id, or a user name of the service.
 * @throws {Failure} `input` for nothing
 */
export function personTyped(value: string, me: string): string {
  const mention = /^<@([UW][A-Z0-9]+)(?:\|[^>]*)?>$/.exec(value.trim())?.[1];
  if (mention !== undefined) return mention;
  const name = value.trim().replace(/^@/, '');
  if (name === '') throw new Failure('input', 'Say by whom: a Slack user, a user name of the service, me, or dolly.');
  return name === 'me' ? me : name;
}
