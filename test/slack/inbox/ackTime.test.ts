import { expect, test } from 'vitest';
import { newInteraction } from '../../../src/slack/desk/interaction.ts';
import type { Doing } from '../../../src/slack/inbox/doing.ts';
import { takesInteractions } from '../../../src/slack/inbox/inbox.ts';
import { takeTyped } from '../../../src/slack/inbox/takeTyped.ts';
import { testClock } from '../../clock.ts';
import { board } from '../../jobs/deciding.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { wholeDesk } from '../../store/queues/leftTeam.ts';

test('a command that acts is acknowledged within Slack’s time where `users.info` and the store are both slow', async () => {
  const store = await storeIn(folder());
  const { parts, end } = await board(store);
  const clock = testClock(0);
  const whole = wholeDesk(store, { ...parts, clock });
  const desk = {
    ...whole,
    people: { ...whole.people, standingOf: () => clock.wait(1_000).then(() => 'member' as const) },
    inbox: { ...whole.inbox, keep: () => new Promise<never>(() => undefined) },
  };
  const doing: Doing = {
    acts: () => true,
    perform: async () => undefined,
    refuse: async () => {
      throw new Error('refused');
    },
  };
  const { takeOn } = takesInteractions(desk, doing);
  let ackedAt: number | undefined;
  const by = { team: 'T1', person: 'U1', channel: 'C1', trigger: 'x' };
  void takeTyped({ ...desk, takeOn }, doing, {
    ...{ by, text: 'backup shop', action: 'command', isRead: false },
    read: line => ({ line, hadPassword: false }),
    interactionOf: asked => newInteraction({ ...by, ...asked }),
    ack: async () => {
      ackedAt = clock.now();
    },
    tell: async () => undefined,
  });
  await clock.advance(4_000);
  expect(ackedAt).toBe(2_500);
  await end();
  await store.destroy();
});
