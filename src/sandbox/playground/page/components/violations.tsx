import { usePage } from '../context.ts';
import { clockTime } from '../dates.ts';
import { Icon } from './icon.tsx';
import { SidePanel } from './side-panel.tsx';

/** The red bar: the bot broke a rule of Slack. Stays until it is waved away, and returns with the next one. */
export function ViolationBar() {
  const { state, data, dispatch } = usePage();
  const { violations } = data;
  const last = violations.at(-1);
  if (!last || violations.length <= state.violationsSeen) return null;
  return (
    <div class="bar violation" role="alert" data-testid="violation">
      <Icon name="warning" />
      <span class="violation-text">
        <b>{last.what}</b> {last.detail}
      </span>
      <button
        type="button"
        class="violation-button"
        onClick={() => dispatch({ type: 'side', side: { type: 'violations' } })}
      >
        {violations.length === 1 ? 'Details' : `All ${violations.length}`}
      </button>
      <button
        type="button"
        class="violation-button"
        aria-label="Hide this bar"
        onClick={() => dispatch({ type: 'violations seen' })}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

/** Every rule that the bot broke, newest first. */
export function ViolationList() {
  const { data } = usePage();
  const newest = data.violations.toReversed();
  return (
    <SidePanel title="Violations">
      <p class="panel-note">What real Slack would have refused, or warned of. Each one is a bug of the app.</p>
      <ol class="violation-list">
        {newest.map((violation, at) => (
          <li key={newest.length - at}>
            <div>
              <b>{violation.what}</b> <time>{clockTime(new Date(violation.at))}</time>
            </div>
            <div>{violation.detail}</div>
          </li>
        ))}
      </ol>
      {newest.length === 0 && <p class="empty">None so far.</p>}
    </SidePanel>
  );
}
