import { usePage } from '../context.ts';
import { channelTitle, mainMessages, partnerOf } from '../conversation.ts';
import { AppTabs } from './app-view.tsx';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { PlaceHeader } from './place-header.tsx';
import { Welcome } from './welcome.tsx';

/** A channel or a direct message: its messages and the composer. */
export function ChannelView({ openDrawer }: { openDrawer(): void }) {
  const { state, data } = usePage();
  const { place } = state;
  const channel = data.channels.find(({ id }) => place.type === 'channel' && id === place.id);
  if (!channel) return <p class="empty">There is no channel yet.</p>;
  const title = channelTitle(channel, data);
  const withApp = channel.kind === 'dm' && partnerOf(channel, data)?.isBot === true;
  const shared = channel.isShared ? 'Shared with another workspace' : '';
  const members = `${channel.members.length} ${channel.members.length === 1 ? 'member' : 'members'}`;
  const detail =
    channel.kind === 'dm'
      ? partnerOf(channel, data)?.title
      : [members, shared, channel.topic].filter(Boolean).join(' · ');
  return (
    <>
      <PlaceHeader title={title} detail={detail} openDrawer={openDrawer} />
      {withApp && <AppTabs selected="messages" />}
      <MessageList
        key={channel.id}
        label={`Messages in ${title}`}
        messages={mainMessages(data.messages[channel.id] ?? [])}
        before={<Welcome channel={channel} />}
      />
      <Composer key={`composer ${channel.id}`} channel={channel.id} label={`Message ${title}`} />
    </>
  );
}
