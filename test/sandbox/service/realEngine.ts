import type { Engine, Host, Task } from '../../../src/sandbox/service/engine.ts';
import type { Database } from '../../../src/sandbox/service/estate.ts';
import { simulatedEngine } from '../../../src/sandbox/service/simulated.ts';
import { testClock } from '../../clock.ts';

/** Work that only the end of the service ends. */
export const untilClosed = <Result>({ signal }: Task): Promise<Result> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

export const host: Host = {
  name: 'this-machine',
  host: '127.0.0.1',
  operatingSystem: 'Debian 13',
  installs: [{ vendor: 'MARIADB', name: 'MariaDB 11.8', version: '11.8.3', path: '/usr' }],
  users: ['mysql'],
  mountRoot: '/srv/mounts',
  facts: { freeGb: 12 },
};

/** The other side of the engine's interface: answers at once, and notes what it was asked for. */
export type RealEngine = Engine & { recovered: (readonly Readonly<Database>[])[]; asked: string[] };

/** An engine for MARIADB that says that it is real; `over` answers instead of it. */
export function realEngine(over: Partial<Engine> = {}): RealEngine {
  const recovered: (readonly Readonly<Database>[])[] = [];
  const asked: string[] = [];
  const clock = testClock();
  return {
    ...simulatedEngine({ clock: { ...clock, wait: async () => undefined }, undiscovered: new Map(), hostOf: String }),
    simulated: false,
    host,
    async recover(databases) {
      recovered.push(structuredClone(databases));
      return new Map();
    },
    async discover({ known }) {
      asked.push('discover');
      return { found: known.length > 0 ? [] : [{ name: 'invoices', vendor: 'MARIADB', port: 3306 }] };
    },
    async backup({ id }) {
      asked.push(`backup ${id}`);
      return { type: 'FULL' };
    },
    ...over,
    recovered,
    asked,
  };
}
