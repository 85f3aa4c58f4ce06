import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Channel } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { appOf, channelTitle, kindWord, partnerOf } from '../conversation.ts';
import { rememberedTheme, rememberTheme, type Theme } from '../memory.ts';
import { unreadOf } from '../unread.ts';
import { Avatar } from './avatar.tsx';
import { Icon } from './icon.tsx';

const SWITCH_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';
const NEXT_THEME = { system: 'light', light: 'dark', dark: 'system' } as const;
const THEME_ICON = { system: 'screen', light: 'sun', dark: 'moon' } as const;

/** The workspace: who I am, channels, direct messages, the app. A drawer on narrow windows. */
export function SideBar({ open, close, openSwitch }: { open: boolean; close(): void; openSwitch(): void }) {
  const { state, data, dispatch } = usePage();
  const app = appOf(data);
  const withApp = (channel: Channel): boolean => channel.kind === 'dm' && partnerOf(channel, data)?.isBot === true;
  const channels = data.channels.filter(channel => channel.kind !== 'dm');
  const directs = data.channels.filter(channel => channel.kind === 'dm' && !withApp(channel));
  const appMessages = data.channels.filter(withApp);
  const appUnread = appMessages.reduce((sum, channel) => sum + unreadCount(channel), 0);
  const inApp = state.place.type === 'home' || appMessages.some(channel => isHere(channel));

  function unreadCount(channel: Channel): number {
    const messages = data.messages[channel.id] ?? [];
    return unreadOf(messages, data.me.id, state.lastRead[channel.id], state.since, data.groups).count;
  }
  function isHere(channel: Channel): boolean {
    return state.place.type === 'channel' && state.place.id === channel.id;
  }
  function go(channel: Channel): void {
    dispatch({ type: 'go', place: { type: 'channel', id: channel.id } });
    close();
  }

  return (
    <nav class="side-bar" aria-label="Workspace" data-open={open}>
      <div class="workspace">
        <div>
          <div class="workspace-name">{data.team.name}</div>
          <div class="workspace-kind">Local and simulated</div>
        </div>
        <ThemeSwitch />
      </div>
      <PersonSwitch />
      <button type="button" class="jump" onClick={openSwitch}>
        <Icon name="search" /> Jump to… <kbd>{SWITCH_KEY}</kbd>
      </button>
      <Section title="Channels">
        {channels.map(channel => (
          <ChannelLink key={channel.id} channel={channel} here={isHere(channel)} go={() => go(channel)} />
        ))}
      </Section>
      {directs.length > 0 && (
        <Section title="Direct messages">
          {directs.map(channel => (
            <ChannelLink key={channel.id} channel={channel} here={isHere(channel)} go={() => go(channel)} />
          ))}
        </Section>
      )}
      {app && (
        <Section title="Apps">
          <li>
            <button
              type="button"
              class={appUnread > 0 ? 'place unread' : 'place'}
              aria-current={inApp ? 'page' : undefined}
              data-testid="app-link"
              onClick={() => {
                const [direct] = appMessages;
                if (appUnread > 0 && direct) return go(direct);
                dispatch({ type: 'go', place: { type: 'home' } });
                close();
              }}
            >
              <Avatar person={app} small />
              <span class="place-name">{app.realName}</span>
              {appUnread > 0 && <Badge count={appUnread} />}
            </button>
          </li>
        </Section>
      )}
      {Object.keys(data.functions).length > 0 && (
        <Section title="Automations">
          <li>
            <button
              type="button"
              class="place"
              aria-current={state.place.type === 'workflows' ? 'page' : undefined}
              onClick={() => {
                dispatch({ type: 'go', place: { type: 'workflows' } });
                close();
              }}
            >
              <Icon name="flow" />
              <span class="place-name">Workflows</span>
            </button>
          </li>
        </Section>
      )}
      <p class="simulated">This Slack is simulated on this computer. Nothing leaves it.</p>
    </nav>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h2>{title}</h2>
      <ul aria-label={title}>{children}</ul>
    </section>
  );
}

function ChannelLink({ channel, here, go }: { channel: Channel; here: boolean; go(): void }) {
  const { state, data } = usePage();
  const messages = data.messages[channel.id] ?? [];
  const unread = unreadOf(messages, data.me.id, state.lastRead[channel.id], state.since, data.groups);
  const badge = channel.kind === 'dm' ? unread.count : unread.mentions;
  return (
    <li>
      <button
        type="button"
        class={unread.count > 0 ? 'place unread' : 'place'}
        aria-current={here ? 'page' : undefined}
        data-channel={channel.id}
        onClick={go}
      >
        {channel.kind === 'dm' ? (
          <Avatar person={partnerOf(channel, data)} small />
        ) : (
          <Icon name={channel.kind === 'private' ? 'lock' : 'hash'} />
        )}
        <span class="place-name">{channelTitle(channel, data).replace(/^#/, '')}</span>
        {unread.count > 0 && <span class="hidden-text">unread</span>}
        {badge > 0 && <Badge count={badge} />}
      </button>
    </li>
  );
}

function Badge({ count }: { count: number }) {
  return (
    <span class="badge" title={`${count} new`}>
      {count}
    </span>
  );
}

function PersonSwitch() {
  const { data, become } = usePage();
  const people = data.people.filter(person => !person.isBot);
  return (
    <label class="person-switch">
      <Avatar person={data.me} />
      <span class="person-fields">
        {/* The choice below is cut where the side bar is too narrow for it; this is not. */}
        <span class="person-caption">You are{data.me.kind && ` (${kindWord(data.me)})`}</span>
        <select aria-label="Person" value={data.me.id} onChange={event => become(event.currentTarget.value)}>
          {people.map(person => (
            <option key={person.id} value={person.id}>
              {person.realName}
              {person.title ? ` · ${person.title}` : ''}
              {person.kind ? ` (${kindWord(person)})` : ''}
            </option>
          ))}
        </select>
      </span>
    </label>
  );
}

function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(rememberedTheme);
  const next = NEXT_THEME[theme];
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={`Theme: ${theme}. Switch to ${next}`}
      title={`Theme: ${theme}`}
      onClick={() => {
        rememberTheme(next);
        setTheme(next);
      }}
    >
      <Icon name={THEME_ICON[theme]} />
    </button>
  );
}
