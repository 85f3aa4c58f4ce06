import crypto from 'node:crypto';
import http from 'node:http';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { type Host, type Kernel, runningKernel } from './kernel.ts';
import { SimulatedPool, simulatedFetch } from './network.ts';
import { SimulatedServer } from './server.ts';

/*
 * Takes chance, time, threads and sockets from the machine and gives them to the kernel that runs. It must be imported
 * before anything else, since modules keep what they import; while no kernel runs, all is as it was.
 */

const untamed = {
  Date: globalThis.Date,
  now: Date.now,
  random: Math.random,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  setInterval: globalThis.setInterval,
  performanceNow: performance.now.bind(performance),
  fetch: globalThis.fetch,
  createServer: http.createServer,
};

/** What Node's own setTimeout gives. */
const NodeTimer = (() => {
  const timer = untamed.setTimeout(() => undefined, 0);
  untamed.clearTimeout(timer);
  return timer.constructor;
})();

/** How often a reading of the time shows that its turn has taken long, so that what works in slices ends one. */
const slowReadings = 1 / 64;
const slowTurn = 5;

tameTime();
tameChance();
tameThreads();
tameSockets();
syncBuiltinESMExports();

function timeOfDay(kernel: Kernel): number {
  return Math.floor(kernel.now() + kernel.host().ahead);
}

function tameTime(): void {
  const tamedDate = new Proxy(untamed.Date, {
    construct(target, given, newTarget) {
      const kernel = given.length === 0 ? runningKernel() : undefined;
      return Reflect.construct(target, kernel ? [timeOfDay(kernel)] : given, newTarget);
    },
  });
  untamed.Date.now = () => {
    const kernel = runningKernel();
    return kernel ? timeOfDay(kernel) : untamed.now();
  };
  globalThis.performance.now = () => {
    const kernel = runningKernel();
    if (!kernel) return untamed.performanceNow();
    if (kernel.host().random.chance(slowReadings)) kernel.dawdle(slowTurn);
    return kernel.now();
  };
  const setTimeout = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const kernel = runningKernel();
    return kernel ? new SimulatedTimer(kernel, ms, () => act(...given)) : untamed.setTimeout(act, ms, ...given);
  };
  const setInterval = (act: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const kernel = runningKernel();
    return kernel
      ? new SimulatedTimer(kernel, ms, () => act(...given), 'again')
      : untamed.setInterval(act, ms, ...given);
  };
  const clear = (timer?: unknown) => {
    if (timer instanceof SimulatedTimer) timer.close();
    else if (timer instanceof Object && timer.constructor === NodeTimer)
      Reflect.apply(untamed.clearTimeout, globalThis, [timer]);
  };
  const tamed = { setTimeout, setInterval, clearTimeout: clear, clearInterval: clear };
  Object.assign(globalThis, { Date: tamedDate, ...tamed });
  Object.assign(timers, tamed);
  const real = timersPromises.setTimeout;
  Object.assign(timersPromises, {
    setTimeout(ms = 0, value?: unknown, options: { signal?: AbortSignal; ref?: boolean } = {}) {
      const kernel = runningKernel();
      return kernel ? waited(kernel, ms, value, options.signal) : real(ms, value, options);
    },
  });
  const realTimeout = AbortSignal.timeout;
  AbortSignal.timeout = ms => {
    const kernel = runningKernel();
    if (!kernel) return realTimeout.call(AbortSignal, ms);
    const limit = new AbortController();
    kernel.after(ms, kernel.host(), 'timer', () => {
      limit.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    });
    return limit.signal;
  };
}

function waited(kernel: Kernel, ms: number, value: unknown, signal: AbortSignal | undefined): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  if (signal?.aborted) return Promise.reject(aborted(signal));
  const timer = new SimulatedTimer(kernel, ms, () => resolve(value));
  signal?.addEventListener(
    'abort',
    () => {
      timer.close();
      reject(aborted(signal));
    },
    { once: true },
  );
  return promise;
}

const aborted = (signal: AbortSignal) =>
  Object.assign(new Error('The operation was aborted', { cause: signal.reason }), {
    name: 'AbortError',
    code: 'ABORT_ERR',
  });

/** What setTimeout and setInterval give. */
class SimulatedTimer {
  readonly #kernel: Kernel;
  readonly #host: Host;
  readonly #ms: number;
  readonly #act: () => void;
  readonly #isInterval: boolean;
  #alarm;
  constructor(kernel: Kernel, ms: number, act: () => void, again?: 'again') {
    this.#kernel = kernel;
    this.#host = kernel.host();
    // As Node does: no timer counts to infinity, and none to nothing.
    this.#ms = ms >= 1 && ms <= 0x7fffffff ? ms : 1;
    this.#act = act;
    this.#isInterval = again !== undefined;
    this.#alarm = this.#set();
  }
  #set() {
    return this.#kernel.after(this.#ms, this.#host, 'timer', () => {
      if (this.#isInterval) this.#alarm = this.#set();
      this.#act();
    });
  }
  close(): this {
    this.#alarm.isOver = true;
    return this;
  }
  refresh(): this {
    this.#alarm.isOver = true;
    this.#alarm = this.#set();
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  hasRef(): boolean {
    return false;
  }
  [Symbol.toPrimitive](): number {
    return 0;
  }
  [Symbol.dispose](): void {
    this.close();
  }
}

function tameChance(): void {
  const bytes = (count: number): Buffer | undefined => {
    const random = runningKernel()?.host().random;
    return random && Buffer.from(Array.from({ length: count }, () => random.whole(0, 255)));
  };
  Math.random = () => runningKernel()?.host().random.next() ?? untamed.random();
  const { randomBytes, randomUUID, randomInt } = crypto;
  const uuid = (hex: string) =>
    [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join('-');
  const tamedUuid = () => {
    const drawn = bytes(16);
    return drawn ? uuid(drawn.toString('hex')) : randomUUID();
  };
  const tamedBytes = (count: number) => bytes(count) ?? randomBytes(count);
  Object.assign(crypto, {
    randomBytes: tamedBytes,
    pseudoRandomBytes: tamedBytes,
    randomUUID: tamedUuid,
    randomInt: (...range: readonly number[]) => {
      const random = runningKernel()?.host().random;
      const [from = 0, to = 0] = range.length > 1 ? range : [0, ...range];
      return random ? random.whole(from, to - 1) : randomInt(from, to);
    },
  });
  const { getRandomValues } = globalThis.crypto;
  Object.defineProperties(globalThis.crypto, {
    randomUUID: { value: tamedUuid },
    getRandomValues: {
      value(into: NodeJS.TypedArray<ArrayBuffer>) {
        const drawn = bytes(into.byteLength);
        if (!drawn) return getRandomValues.call(globalThis.crypto, into);
        new Uint8Array(into.buffer, into.byteOffset, into.byteLength).set(drawn);
        return into;
      },
    },
  });
}

/** Web Crypto works in threads; the vault uses AES-GCM, which node:crypto does at once. */
function tameThreads(): void {
  const { subtle } = globalThis.crypto;
  type Algorithm = Readonly<{ name: string; iv: Uint8Array; additionalData?: Uint8Array; tagLength?: number }>;
  const tag = 16;
  const keyOf = (key: CryptoKey) => crypto.KeyObject.from(key);
  Object.defineProperties(subtle, {
    encrypt: {
      async value({ iv, additionalData }: Algorithm, key: CryptoKey, data: Uint8Array) {
        const cipher = crypto.createCipheriv('aes-256-gcm', keyOf(key), iv);
        if (additionalData) cipher.setAAD(additionalData);
        return toArrayBuffer(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]));
      },
    },
    decrypt: {
      async value({ iv, additionalData }: Algorithm, key: CryptoKey, data: Uint8Array) {
        const sealed = Buffer.from(data);
        const opener = crypto.createDecipheriv('aes-256-gcm', keyOf(key), iv);
        if (additionalData) opener.setAAD(additionalData);
        opener.setAuthTag(sealed.subarray(sealed.length - tag));
        return toArrayBuffer(Buffer.concat([opener.update(sealed.subarray(0, sealed.length - tag)), opener.final()]));
      },
    },
  });
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

function tameSockets(): void {
  globalThis.fetch = (input, init) => {
    const kernel = runningKernel();
    return kernel ? simulatedFetch(kernel, input, init) : untamed.fetch(input, init);
  };
  const createServer: typeof http.createServer = (...given: unknown[]) => {
    const listener = given.findLast(one => typeof one === 'function');
    if (!runningKernel() || listener === undefined) return Reflect.apply(untamed.createServer, http, given);
    return Reflect.construct(SimulatedServer, [listener]);
  };
  http.createServer = createServer;
  // Its exports are read when it is imported, so they are changed before that.
  Object.assign(createRequire(import.meta.url)('undici'), { Pool: SimulatedPool });
}
