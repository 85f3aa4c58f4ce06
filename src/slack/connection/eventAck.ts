import type { App } from '@slack/bolt';
import type { Clock } from '../../ground/clock.ts';
import { within } from '../../ground/within.ts';

/** Slack waits 3 s for an ack. What takes longer than so many milliseconds gets it before it is done. */
export const ackPatience = 2_500;

/**
 * Acknowledges each event once its listeners are done, so that what it asks for is stored by then: Slack sends an event
 * again that it hears nothing of. Bolt by itself acknowledges events before their listeners hear of them, except
 * `function_executed`, which is left to its listener (App.processEvent in @slack/bolt).
 */
export function ackEventsWhenDone(app: App, clock: Clock): void {
  const process = app.processEvent.bind(app);
  app.processEvent = async event => {
    const { type, event: inner } = event.body;
    if (type !== 'event_callback' || inner?.type === 'function_executed') return process(event);
    const work = process({ ...event, ack: async () => undefined });
    await within(clock, ackPatience, work).finally(() => event.ack());
    await work;
  };
}
