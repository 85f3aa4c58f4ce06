import { useEffect } from 'preact/hooks';
import { blocksOf, isJson, string } from '../blocks.ts';
import { usePage } from '../context.ts';
import { appOf, partnerOf } from '../conversation.ts';
import { post } from '../requests.ts';
import { SurfaceContext, surfaceOf } from '../surface.ts';
import { Blocks } from './block.tsx';
import { PlaceHeader } from './place-header.tsx';

/** App Home: the view that the app published for me. Opening it tells the app, as Slack does. */
export function AppView({ openDrawer }: { openDrawer(): void }) {
  const page = usePage();
  const { data, complain } = page;
  const { home, me } = data;
  const app = appOf(data);
  useEffect(() => {
    post('/play/home', { as: me.id }).then(answer => {
      if (!answer.ok && 'error' in answer) complain(answer.error);
    });
  }, [me.id, complain]);
  const published = isJson(home) && blocksOf(home).length > 0;
  return (
    <>
      <PlaceHeader title={app?.realName ?? 'App'} detail={app?.title} openDrawer={openDrawer} />
      <AppTabs selected="home" />
      <div class="home" data-testid="app-home" role="tabpanel" aria-label="Home">
        {published ? (
          <SurfaceContext value={surfaceOf(page, { type: 'home' }, blocksOf(home))}>
            <Blocks key={string(home, 'root_view_id') || string(home, 'id')} blocks={blocksOf(home)} />
          </SurfaceContext>
        ) : (
          <p class="empty">{app?.realName ?? 'The app'} has not published a Home for you yet.</p>
        )}
      </div>
    </>
  );
}

/** The tabs of the app: its Home, and the direct messages with it. */
export function AppTabs({ selected }: { selected: 'home' | 'messages' }) {
  const { data, dispatch, complain } = usePage();
  const direct = data.channels.find(channel => channel.kind === 'dm' && partnerOf(channel, data)?.isBot === true);

  async function openMessages(): Promise<void> {
    if (direct) return dispatch({ type: 'go', place: { type: 'channel', id: direct.id } });
    const answer = await post('/play/dm', { as: data.me.id });
    if (!answer.ok) return complain(answer.error);
    const channel = 'channel' in answer ? answer.channel : undefined;
    const id = typeof channel === 'string' ? channel : string(channel, 'id');
    if (id) dispatch({ type: 'go', place: { type: 'channel', id } });
  }

  return (
    <div class="tabs" role="tablist" aria-label="App">
      <button
        type="button"
        role="tab"
        aria-selected={selected === 'home'}
        onClick={() => dispatch({ type: 'go', place: { type: 'home' } })}
      >
        Home
      </button>
      <button type="button" role="tab" aria-selected={selected === 'messages'} onClick={openMessages}>
        Messages
      </button>
    </div>
  );
}
