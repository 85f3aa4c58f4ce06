import { useEffect, useState } from 'preact/hooks';
import { usePage } from '../context.ts';
import { AppView } from './app-view.tsx';
import { ChannelSwitch } from './channel-switch.tsx';
import { ChannelView } from './channel-view.tsx';
import { Inspector } from './inspector.tsx';
import { Modals } from './modal.tsx';
import { Notices } from './notices.tsx';
import { SideBar } from './side-bar.tsx';
import { ThreadPanel } from './thread-panel.tsx';
import { ViolationBar, ViolationList } from './violations.tsx';
import { WorkflowsView } from './workflows-view.tsx';

/** The window: side bar, conversation, side panel; modals and notices above them. */
export function Frame() {
  const { state } = usePage();
  const [drawer, setDrawer] = useState(false);
  const [switching, setSwitching] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) setSwitching(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const closeDrawer = (): void => setDrawer(false);
  const openDrawer = (): void => setDrawer(true);
  return (
    <div class="frame" data-side={state.side?.type ?? 'none'}>
      {state.connection === 'broken' && (
        <div class="bar reconnecting" role="status">
          Connection lost, reconnecting…
        </div>
      )}
      <ViolationBar />
      <div class="columns">
        <SideBar open={drawer} close={closeDrawer} openSwitch={() => setSwitching(true)} />
        {drawer && <button type="button" class="drawer-shade" aria-label="Close the side bar" onClick={closeDrawer} />}
        <main class="middle">
          {state.place.type === 'home' && <AppView openDrawer={openDrawer} />}
          {state.place.type === 'workflows' && <WorkflowsView openDrawer={openDrawer} />}
          {state.place.type === 'channel' && <ChannelView openDrawer={openDrawer} />}
        </main>
        {state.side?.type === 'thread' && <ThreadPanel channel={state.side.channel} ts={state.side.ts} />}
        {state.side?.type === 'inspector' && <Inspector />}
        {state.side?.type === 'violations' && <ViolationList />}
      </div>
      <Modals />
      {switching && <ChannelSwitch close={() => setSwitching(false)} />}
      <Notices />
    </div>
  );
}
