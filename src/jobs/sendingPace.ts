import { LRUCache } from 'lru-cache';
import type { Identifier } from '../api/identifiers.ts';
import type { RecordReader } from '../records/recordReader.ts';
import { unlessHidden } from '../records/shown.ts';
import type { Parts } from './parts.ts';
import { longestHold } from './plans/nextOfBatch.ts';

/*
 * One pace for the service and for each host, whoever asks: what runs by itself waits its turn where as many requests are
 * under way as the policy lets. What a person asks for alone goes at once, and counts.
 */

/** Lets jobs to the service. */
export type SendingPace = Readonly<{
  /**
   * Gives a place to a job that is about to be sent, or says in a sentence what it waits for.
   * @throws {Failure} where the record of its target was not read
   */
  enter(id: string, target: Identifier, records: Pick<RecordReader, 'one'>): Promise<string | undefined>;
  /** Says that a job was sent, or was not: the store knows it from now on. */
  entered(id: string): void;
}>;

/** The host of a job’s target as its record shows it, where it shows one. */
type Host = Readonly<{ id?: string; label?: string | undefined }>;

/** Max jobs of which the host is remembered. */
const maxHosts = 10_000;

/** Opens the pace of a process. It remembers the hosts: a job may ask for hours, and its record may show its host later. */
export function openPace({ jobs, policy, clock }: Parts<'jobs' | 'policy' | 'clock'>): SendingPace {
  const { service, host: onHost } = policy.pace;
  const hosts = new LRUCache<string, Host>({ max: maxHosts });
  const entering = new Set<string>();
  return {
    async enter(id, target, records) {
      const host = hosts.get(id) ?? (await hostOf(target, records));
      hosts.set(id, host);
      const sent = await jobs.atService(clock.now() - longestHold, service + 1);
      // From here on nothing waits: two jobs never take one place.
      const places = new Map([...[...entering].map(other => [other, undefined] as const), ...sent]);
      places.delete(id);
      if (places.size >= service) return waitsFor(service, 'at the service');
      const name = host.label ?? host.id;
      // Two hosts may have the same name, by which alone the store knows them.
      const isThere = ([other, shown]: readonly [string, string | undefined]) => {
        const known = hosts.get(other)?.id;
        return known === undefined ? shown === name : known === host.id;
      };
      if (name !== undefined && [...places].filter(isThere).length >= onHost) return waitsFor(onHost, `on ${name}`);
      entering.add(id);
      return undefined;
    },
    entered(id) {
      entering.delete(id);
    },
  };
}

function waitsFor(most: number, where: string): string {
  return `It waits its turn: ${most} ${most === 1 ? 'request is' : 'requests are'} under way ${where}, the most allowed at a time.`;
}

/** The host of a target; none where it is not shown. @throws {Failure} where it was not read */
async function hostOf(target: Identifier, records: Pick<RecordReader, 'one'>): Promise<Host> {
  const place = (await records.one(target).catch(unlessHidden))?.environment;
  return place ? { id: place.id.text, label: place.label } : {};
}
