import type { ClaimName } from './claims.ts';
import type { QueueName } from './queues.ts';

type Pairs = Readonly<Partial<Record<ClaimName, Readonly<Partial<Record<QueueName, string>>>>>>;

const allNumbers = 'Its row has times, counts and ids only: there is nothing that could not be read.';
const firstPages = 'Its only text that is read is that of its pages, which are the first ones where it cannot be read.';
const ownRule = 'Its kind decides by its state: what was not sent is withdrawn, and what runs is followed to its end.';

/** The claims that a queue need not keep, each with the reason. */
export const notClaimed: Pairs = {
  'a workspace that uninstalled the app keeps its rows for later, and no failure is counted': {
    due: ownRule,
    looks: ownRule,
  },
  'a row that cannot be read is left as it is': { sights: allNumbers, homes: firstPages },
  'a row that cannot be read does not block the others': { sights: allNumbers, homes: firstPages },
  'a row that cannot be read is reported once': { sights: allNumbers, homes: firstPages },
};
