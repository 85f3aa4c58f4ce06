import type { ClaimName } from './claims.ts';
import type { QueueName } from './queues.ts';

type Pairs = Readonly<Partial<Record<ClaimName, Readonly<Partial<Record<QueueName, string>>>>>>;

const unsorted = 'An UPDATE gives its rows in any order, and nothing sorts them afterwards.';
const renewsAny = 'A renewal asks for the id alone, so it sets the lock that another process has by now.';
const restsAny =
  'A rest asks for the id alone, so it moves the row and frees the lock that another process has by now.';
const unreadPages = 'It is taken like any other; the loop then fails on its pages at each try, and says so each time.';

/**
 * The claims that queues of today do not keep, each with what is wrong. The suite expects these to fail: whoever mends
 * one takes it out of here.
 */
export const knownFaults: Pairs = {
  'what is due is taken once, the oldest first, up to the number that is asked for': {
    homes: 'Homes are chosen without a look at their locks: the first ones that somebody has hide all others.',
  },
  'what is taken at once comes in the order of its time': {
    ...{ due: unsorted, looks: unsorted },
  },
  'renewing keeps a row for as long as its process lives': {
    homes: 'There is no renewal: a Home that takes longer than 20 s is published by another process, too.',
  },
  'renewing a row that another process has meanwhile changes nothing of its lock': {
    ...{ due: renewsAny, looks: renewsAny },
  },
  'a late rest of the process that lost a row changes nothing': {
    due: 'A job is put off by compare-and-set on its state alone, which taking does not change.',
    looks: 'A look in vain is noted by the id of its job alone, whoever has the look by now.',
    homes: restsAny,
  },
  'a late pause after a failure of the process that lost a row changes nothing': {
    due: 'A job is put off by compare-and-set on its state alone, which taking does not change.',
    looks: 'A failed look is noted by the id of its job alone, whoever has the look by now.',
    homes: restsAny,
  },
  'a late last word of the process that lost a row changes nothing; of two steps, one is written': {
    homes: 'It is noted as published by its person alone, which frees the lock of the process that draws it now.',
  },
  'a team without the app keeps its rows for later, and no failure is counted': {
    homes: 'The Home is forgotten: after a new installation it stays old until its person opens it.',
  },
  'a row that cannot be read is left as it is': {
    homes: unreadPages,
  },
  'a row that cannot be read does not block the others': {
    homes: unreadPages,
  },
  'a row that cannot be read is said once': {
    homes: unreadPages,
  },
  'a thousand rows in the hands of slow work do not keep another person’s from being taken': {
    homes: 'Homes are chosen without a look at their locks: the first ones that somebody has hide all others.',
  },
  'a thousand rows that fail do not keep another person’s from being taken': {
    tell: 'Its order is by class and by the age of a job, and failures change neither: each card of the crowd is tried six times first.',
  },
  'the next time is that of the next row that nobody has taken': {
    looks: 'A look that is taken counts with the end of its lock, since one column is both.',
    homes: 'The time is that of the next Home that is behind, whoever has it.',
  },
};

const allNumbers = 'Its row has times, counts and ids only: there is nothing that could not be read.';
const ownRule = 'Its kind decides by its state: what was not sent is withdrawn, and what runs is followed to its end.';

/** The claims that a queue need not keep, each with the reason. */
export const notClaimed: Pairs = {
  'what one process puts off while another one chooses is given to nobody': {
    due: 'A job is put off by a transaction of its own, so the take of it is over by then.',
  },
  'a team without the app keeps its rows for later, and no failure is counted': { due: ownRule, looks: ownRule },
  'a row that cannot be read is left as it is': { sights: allNumbers },
  'a row that cannot be read does not block the others': { sights: allNumbers },
  'a row that cannot be read is said once': { sights: allNumbers },
};
