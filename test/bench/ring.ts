import Sqlite from 'better-sqlite3';
import type { Store } from '../../src/store/database.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { type Bot, type Outside, startBot, startOutside } from './bots.ts';
import { newFolder } from './child.ts';
import type { Build } from './part.ts';
import { command, homeOpened, openFilledForm, refused, signedIn, signIn, submission } from './requests.ts';
import type { Kind } from './rounds.ts';

/** Both apps side by side, with what they talk to. The one that is not measured has nothing to do. */
export type Ring = Readonly<Record<Kind, Bot> & { outside: Outside; stop(): Promise<void> }>;

/**
 * Starts both apps, signs a person in at Dolly, and gives the bare app what Dolly says and keeps, so that it does the same.
 * `fill` puts more into Dolly's store.
 */
export async function startRing(build: Build, fill?: (store: Store) => Promise<unknown>): Promise<Ring> {
  const outside = await startOutside();
  const folder = newFolder();
  const said = {
    ...(await rehearsed(await startBot('dolly', outside, { environment: { DATA_DIR: folder } }), outside)),
    ROW: rowIn(folder),
  };
  if (fill) {
    const store = await openStore(folder);
    await fill(store).finally(() => store.destroy());
  }
  const dolly = await startBot('dolly', outside, { ...build, environment: { DATA_DIR: folder } });
  const bare = await startBot('bare', outside, { ...build, environment: said });
  return {
    bare,
    dolly,
    outside,
    async stop() {
      await Promise.all([bare.stop(), dolly.stop()]);
      await outside.stop();
    },
  };
}

/** What Dolly answers to `/db help` and shows as a form, in a process that then stops, so that its store can be read. */
async function rehearsed(dolly: Bot, { account }: Outside) {
  try {
    await signIn(dolly, account);
    await dolly.send(command(dolly, '/db', 'help'));
    await dolly.told('response', 1);
    const before = await dolly.told('chat.postEphemeral', 0);
    await dolly.send(submission(await openFilledForm(dolly, refused), signedIn, refused));
    await dolly.told('chat.postEphemeral', before + 1);
    await dolly.send(homeOpened());
    await dolly.told('views.publish', 1);
    return { HELP: await dolly.last('response'), FORM: await dolly.last('view'), HOME_VIEW: await dolly.last('home') };
  } finally {
    await dolly.stop();
  }
}

/** What Dolly writes before it acknowledges a form: the job as it is at first, and its entry in the trail. */
function rowIn(folder: string): string {
  const store = new Sqlite(`${folder}/dolly.sqlite`, { readonly: true });
  try {
    const job: unknown = store.prepare('SELECT * FROM jobs').get();
    const entry: unknown = store.prepare('SELECT * FROM audit WHERE job IS NOT NULL ORDER BY id').get();
    return JSON.stringify({ job: { ...Object(job), baseline: null, evidence: null }, entry });
  } finally {
    store.close();
  }
}
