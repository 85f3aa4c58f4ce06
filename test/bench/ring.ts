import { type Bot, type Outside, startBot, startOutside } from './bots.ts';
import { command, openForm, signIn } from './requests.ts';
import type { Kind } from './rounds.ts';

/** Both apps side by side, with what they talk to. The one that is not measured has nothing to do. */
export type Ring = Readonly<Record<Kind, Bot> & { outside: Outside; stop(): Promise<void> }>;

/** Starts both apps, signs a person in at Dolly, and gives the bare app what Dolly says, so that it says the same. */
export async function startRing(nodeOptions: readonly string[]): Promise<Ring> {
  const outside = await startOutside();
  const dolly = await startBot('dolly', outside, nodeOptions);
  await signIn(dolly, outside.account);
  await dolly.send(command(dolly, '/db', 'help'));
  await dolly.told('response', 1);
  await openForm(dolly);
  const said = { HELP: await dolly.last('response'), FORM: await dolly.last('view') };
  const bare = await startBot('bare', outside, nodeOptions, said);
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
