import { useCallback, useEffect, useMemo, useReducer, useState } from 'preact/hooks';
import { connect } from '../connection.ts';
import { type Page, PageContext } from '../context.ts';
import {
  openedAt,
  rememberedPerson,
  rememberedReading,
  rememberPerson,
  rememberReading,
  takePermalink,
} from '../memory.ts';
import { readSnapshot } from '../requests.ts';
import { emptyState, reduce } from '../store.ts';
import { Frame } from './frame.tsx';

const RETRY_MS = 1000;

/** Finds out who this tab is, then shows the page as that person sees it. */
export function App() {
  const [person, setPerson] = useState<string>();
  useEffect(() => {
    if (person) return rememberPerson(person);
    let retry: ReturnType<typeof setTimeout>;
    const choose = async (): Promise<void> => {
      try {
        // An address may name somebody from another workspace; then the playground chooses.
        const snapshot = (await readSnapshot(rememberedPerson())) ?? (await readSnapshot(undefined));
        setPerson(snapshot?.me.id);
      } catch {
        retry = setTimeout(choose, RETRY_MS);
      }
    };
    void choose();
    return () => clearTimeout(retry);
  }, [person]);
  // The key makes another person start with another page: nothing of one's drafts or forms passes to the other.
  return person ? <PersonsPage key={person} person={person} become={setPerson} /> : <Loading />;
}

function PersonsPage({ person, become }: { person: string; become(person: string): void }) {
  const [state, dispatch] = useReducer(reduce, person, () => emptyState(rememberedReading(person), openedAt()));
  useEffect(() => connect(person, dispatch), [person]);
  const ready = state.data !== undefined;
  useEffect(() => {
    const permalink = ready ? takePermalink() : undefined;
    if (permalink) dispatch({ type: 'visit', permalink });
  }, [ready]);
  useEffect(() => rememberReading(person, state.lastRead), [person, state.lastRead]);
  const complain = useCallback((text: string) => dispatch({ type: 'notice', kind: 'error', text }), []);
  const { data } = state;
  const page = useMemo<Page | undefined>(
    () => data && { state, data, dispatch, complain, become },
    [state, data, complain, become],
  );
  if (!page) return <Loading />;
  return (
    <PageContext value={page}>
      <Frame />
    </PageContext>
  );
}

function Loading() {
  return (
    <div class="loading" role="status">
      Waiting for the playground…
    </div>
  );
}
