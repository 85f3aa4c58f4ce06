import { useEffect } from 'preact/hooks';
import { blocksOf, isJson, string } from '../blocks.ts';
import { usePage } from '../context.ts';
import { appOf, partnerOf } from '../conversation.ts';
import { post } from '../requests.ts';
import { SurfaceContext, surfaceOf } from '../surface.ts';
import { Blocks } from './block.tsx';
import { PlaceHeader } from './place-header.tsx';

/** App Home: the view that the app published for me. */
export function AppView({ openDrawer }: { openDrawer(): void }) {
  const page = usePage();
  const { data } = page;
  const { home } = data;
  const app = appOf(data);
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

/** The tabs of the app: its Home, and the direct messages with it. Opening either tells the app, as Slack does. */
export function AppTabs({ selected }: { selected: 'home' | 'messages' }) {
  const { data, dispatch, complain } = usePage();
  const { me, channels } = data;
  const direct = channels.find(channel => channel.kind === 'dm' && partnerOf(channel, data)?.isBot === true);
  useEffect(() => {
    void post(selected === 'home' ? '/play/home' : '/play/dm', { as: me.id }).then(answer => {
      if (!answer.ok && 'error' in answer) complain(answer.error);
    });
  }, [selected, me.id, complain]);

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
      <button
        type="button"
        role="tab"
        aria-selected={selected === 'messages'}
        onClick={() => direct && dispatch({ type: 'go', place: { type: 'channel', id: direct.id } })}
      >
        Messages
      </button>
    </div>
  );
}
