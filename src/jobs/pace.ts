import type { Identifier } from '../api/identifiers.ts';
import { nothingOn } from '../ground/failure.ts';
import type { RecordReader } from '../records/recordReader.ts';
import type { Parts } from './parts.ts';
import { longestHold } from './plans/nextOfBatch.ts';

/*
 * One pace for the service and for each host, whoever asks: what runs by itself waits its turn where as many requests are
 * under way as the policy lets. What a person asks for alone goes at once, and counts.
 */

/** Lets jobs to the service. */
export type SendingPace = ReturnType<typeof openPace>;

/** Opens the pace of a process. It knows the hosts of the jobs that it lets in before their records show them again. */
export function openPace({ jobs, policy, clock }: Parts<'jobs' | 'policy' | 'clock'>) {
  const { service, host: onHost } = policy.pace;
  const hosts = new Map<string, string | undefined>();
  const entering = new Set<string>();
  return {
    /** Gives a place to a job that is about to be sent, or says in a sentence what it waits for. */
    async enter(id: string, target: Identifier, records: Pick<RecordReader, 'one'>) {
      const host = await hostOf(target, records);
      const sent = await jobs.atService(clock.now() - longestHold);
      // From here on nothing waits: two jobs never take one place.
      const places = new Map(sent.map(one => [one.id, one.environment ?? hosts.get(one.id)]));
      for (const other of entering) places.set(other, hosts.get(other));
      for (const other of hosts.keys()) if (!places.has(other)) hosts.delete(other);
      places.delete(id);
      const there = host === undefined ? [] : [...places.values()].filter(one => one === host);
      if (there.length >= onHost) return waitsFor(onHost, `on ${host}`);
      if (places.size >= service) return waitsFor(service, 'at the service');
      hosts.set(id, host);
      entering.add(id);
      return undefined;
    },
    /** Says that a job was sent, or was not: the store knows it from now on. */
    entered(id: string) {
      entering.delete(id);
    },
  };
}

function waitsFor(most: number, where: string): string {
  return `It waits its turn: ${most} ${most === 1 ? 'request is' : 'requests are'} under way ${where}, which is the most at a time.`;
}

/** The environment of a target as its record shows it; `undefined` where it shows none, or cannot be read. */
async function hostOf(target: Identifier, records: Pick<RecordReader, 'one'>): Promise<string | undefined> {
  const place = (await records.one(target).catch(nothingOn('missing', 'forbidden')))?.environment;
  return place && (place.label ?? place.id.text);
}
