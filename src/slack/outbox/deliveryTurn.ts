import type { KnownNews } from '../../jobs/standing.ts';
import type { RowHold } from '../../store/overtaken.ts';
import type { Desk } from '../desk/desk.ts';
import type { JobNews } from './jobNews.ts';
import type { Poster } from './post.ts';

/**
 * What the messages of jobs are told with. `begunAt` is the time when this process began to tell people.
 */
export type Office = Poster &
  Desk<'jobs' | 'meter' | 'responseUrls' | 'audit'> &
  Readonly<{ begunAt: number; news: JobNews }>;

/**
 * One job's turn. `counted` is the place where one post already used the rate; `isCrowded` sends the end by direct
 * message, since its channel is crowded; `mayUpdate` allows updates; `staysBehind` tells that an update had to wait;
 * `faults` collects the failures that must not prevent the job's other messages.
 */
export type DeliveryTurn = Office & {
  counted: string | undefined;
  isCrowded: boolean;
  mayUpdate: boolean;
  staysBehind: boolean;
  faults: unknown[];
  /** How its bad end stands where it is told, where that is no news. */
  standing: KnownNews | undefined;
  /** Is asked right before something is said of the job. */
  mustHold: RowHold<never>['mustHold'];
};
