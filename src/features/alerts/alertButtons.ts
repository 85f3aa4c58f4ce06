import { z } from 'zod';
import { asJson, asNothing, asText, defineAction } from '../../slack/blocks/action.ts';
import { type Snooze, snoozes } from './incidents/incidentActs.ts';

const rests = [...snoozes, 'close'] as const;

/** The buttons of alerts. Those of an incident carry its id. */
export const alertActions = {
  take: defineAction('alert.take', asText),
  handOver: defineAction('alert.hand', asText),
  /** A menu: what is to be done with an incident, and its id. */
  rest: defineAction<Readonly<{ does: Snooze | 'close'; incident: string }>>('alert.rest', {
    write: ({ does, incident }) => `${does} ${incident}`,
    read(text) {
      const does = rests.find(one => text.startsWith(`${one} `));
      return does && { does, incident: text.slice(does.length + 1) };
    },
  }),
  takeOver: defineAction('alert.over', asNothing),
  choose: defineAction('alert.choose', asNothing),
} as const;

/** Under these names what the forms asked for is kept until it is done. */
export const handByForm = defineAction('alert.handed', asJson(z.object({ incident: z.string(), to: z.string() })));
export const callByForm = defineAction('alert.called', asJson(z.array(z.string())));
