import type { Channel } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { appOf, channelTitle, partnerOf } from '../conversation.ts';

/** Lines worth a try, and what each does; shown where the app can be tried first. */
const TRY = [
  ['/db help', 'everything that can be asked'],
  ['/db login', 'sign in to the database service'],
  ['/clone', 'copy a database, with a form'],
] as const;

/** The first lines of a conversation: what it is for, and for a newcomer what to try. */
export function Welcome({ channel }: { channel: Channel }) {
  const { data, dispatch } = usePage();
  const app = appOf(data);
  const title = channelTitle(channel, data);
  const partner = channel.kind === 'dm' ? partnerOf(channel, data) : undefined;
  const lines = TRY.filter(([line]) => data.commands.some(({ command }) => command === line.split(' ')[0]));
  const suggests = lines.length > 0 && (channel.name === 'databases' || partner?.isBot === true);
  return (
    <div class="welcome">
      <h2>{partner ? partner.realName : `This is ${title}`}</h2>
      <p>
        {partner
          ? `Only you and ${partner.realName} see what is said here.`
          : channel.topic || 'A channel for everybody in it.'}
      </p>
      {suggests && app && (
        <div class="suggestions">
          <p>New here? Try one of these. {app.realName} answers.</p>
          <ul>
            {lines.map(([line, what]) => (
              <li key={line}>
                <button
                  type="button"
                  class="suggestion"
                  onClick={() => dispatch({ type: 'draft', key: channel.id, text: line })}
                >
                  <code>{line}</code> <span>{what}</span>
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
