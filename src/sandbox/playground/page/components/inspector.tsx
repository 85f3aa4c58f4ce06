import { useState } from 'preact/hooks';
import type { Traffic } from '../../protocol.ts';
import { isJson, string } from '../blocks.ts';
import { usePage } from '../context.ts';
import { matchesWords } from '../traffic.ts';
import { JsonView } from './json-view.tsx';
import { SidePanel } from './side-panel.tsx';

/** The raw traffic between Slack (the playground) and the bot, newest first. */
export function Inspector() {
  const { state } = usePage();
  const [words, setWords] = useState('');
  const shown = state.traffic.filter(traffic => matchesWords(traffic, words)).toReversed();
  return (
    <SidePanel title="Inspector" wide>
      <div class="panel-tools">
        <input
          type="search"
          aria-label="Filter the traffic"
          placeholder="Filter: words, e.g. views.open or 500"
          value={words}
          onInput={event => setWords(event.currentTarget.value)}
        />
      </div>
      <ol class="traffic" data-testid="traffic">
        {shown.map(traffic => (
          <TrafficRow key={`${traffic.at} ${traffic.what} ${traffic.milliseconds}`} traffic={traffic} />
        ))}
      </ol>
      {shown.length === 0 && (
        <p class="empty">{words ? 'Nothing fits these words.' : 'No traffic yet. Type a command and watch.'}</p>
      )}
    </SidePanel>
  );
}

function TrafficRow({ traffic }: { traffic: Traffic }) {
  const toBot = traffic.direction === 'to bot';
  const failed = traffic.status >= 400 || traffic.status === 0;
  // Slack says no with a 200 and a word.
  const refused = isJson(traffic.response) && traffic.response.ok === false ? string(traffic.response, 'error') : '';
  return (
    <li>
      <details class="traffic-row">
        <summary class="traffic-line">
          <span class={toBot ? 'direction to-bot' : 'direction from-bot'}>{toBot ? '→ bot' : '← bot'}</span>
          <span class="traffic-what">{traffic.what}</span>
          <span class={refused || failed ? 'status failed' : 'status'}>{refused || traffic.status}</span>
          <span class="milliseconds">{Math.round(traffic.milliseconds)} ms</span>
        </summary>
        <time>{new Date(traffic.at).toLocaleTimeString()}</time>
        <h3>Request</h3>
        <JsonView value={traffic.request} />
        <h3>Response</h3>
        <JsonView value={traffic.response} />
      </details>
    </li>
  );
}
