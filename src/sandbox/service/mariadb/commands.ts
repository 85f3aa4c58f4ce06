import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from './account.ts';
import { causeOf, startCause } from './causes.ts';
import { mark, signal as send, withVariable } from './processes.ts';

/** Tells one run from another, for what it leaves behind. */
const runMark = 'DOLLY_SANDBOX_RUN';

type Run = {
  signal: AbortSignal;
  /** Given to the program as its input. */
  input?: string | undefined;
  /** Open file to read from or to write to, by number. */
  from?: number | undefined;
  to?: number | undefined;
  /** Milliseconds until the program is ended; without a limit when left out. */
  limit?: number | undefined;
  /** A session with the server that the program works with. While it runs the server has to answer there. */
  alive?: ((statement: string, signal: AbortSignal) => Promise<unknown>) | undefined;
  env?: Readonly<Record<string, string>> | undefined;
  cwd?: string | undefined;
};

/** Runs programs as the engine's user, each in a process group of its own, of which nothing is left at its end. */
export type Commands = {
  /** Resolves with the program's output. Rejects with the cause when it fails, is cut off or takes too long. */
  run(program: string, args: readonly string[], run: Run): Promise<string>;
  /** As {@link Commands.run}, for a program whose output and errors belong together. */
  script(program: string, run: Run): Promise<string>;
  /** Starts a program that outlives this process; its output goes to the open file `to`. */
  start(program: string, args: readonly string[], cwd: string, to: number): ChildProcess;
};

/** The number of characters that are kept of an output: its end. */
const kept = { output: 4_000_000, words: 256_000 } as const;
const patience = 5_000;
/** Milliseconds between two looks for what a program left behind. */
const pause = 20;

/**
 * Commands of a user. `state` marks what they start. Every `pulse` milliseconds (10 seconds when left out) the server that a program works with is
 * asked whether it is still there, and has three times as long to answer.
 */
export function commandsOf(account: Account, state: string, pulse = 10_000): Commands {
  const identity = account.isOther ? { uid: account.uid, gid: account.gid } : {};
  // Nothing of the sandbox's own environment reaches the tools: no secret, and no setting that would surprise them.
  const usual = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', HOME: state, [mark]: state };

  let count = 0;

  async function carryOut(program: string, args: readonly string[], run: Run, isTogether: boolean): Promise<string> {
    run.signal.throwIfAborted();
    const { input, from, to, env, cwd = state } = run;
    const own = `${process.pid}-${++count}`;
    const name = basename(program);
    const child = begun(name, () =>
      spawn(program, args, {
        ...identity,
        cwd,
        env: { ...usual, ...env, [runMark]: own },
        detached: true,
        stdio: [input === undefined ? (from ?? 'ignore') : 'pipe', to ?? 'pipe', 'pipe'],
      }),
    );
    let why: string | undefined;
    const cut = (reason: string) => {
      why ??= reason;
      signalGroup(child, 'SIGTERM');
      setTimeout(() => signalGroup(child, 'SIGKILL'), patience).unref();
    };
    const stop = () => cut('was cut off, since the service is closing');
    run.signal.addEventListener('abort', stop, { once: true });
    const timer =
      run.limit === undefined
        ? undefined
        : setTimeout(() => cut(`took longer than ${(run.limit ?? 0) / 1_000} seconds and was ended`), run.limit);
    // A process that left the group still has the run's name, and may hold the output open for ever.
    if (isTogether)
      child.once('exit', () => {
        clearTimeout(timer);
        void endAll(child, `${runMark}=${own}`);
      });
    const watch = setInterval(() => {
      // A busy server may take its time. One that hangs takes for ever.
      run
        .alive?.('SELECT 1', AbortSignal.any([run.signal, AbortSignal.timeout(3 * pulse)]))
        .catch(() => cut('was ended, since the server does not answer any more'));
    }, pulse);
    let output = '';
    let words = '';
    collect(child.stdout, text => {
      output = grown(output, text, kept.output);
    });
    collect(child.stderr, text => {
      if (isTogether) output = grown(output, text, kept.output);
      words = grown(words, text, kept.words);
    });
    // A program that ends without reading its input is judged by its end alone.
    child.stdin?.on('error', () => undefined).end(input);
    try {
      const end = await ended(child, name);
      if (why === undefined && end === 0) return output;
      const cause = causeOf((isTogether ? output : words).slice(-kept.words));
      if (why !== undefined) throw new Error(`${name} ${why}.${cause === '' ? '' : ` It said: ${cause}`}`);
      throw new Error(cause === '' ? `${name} ended with ${end}.` : `${cause} (${name} ended with ${end})`);
    } finally {
      clearTimeout(timer);
      clearInterval(watch);
      run.signal.removeEventListener('abort', stop);
    }
  }

  return {
    run: (program, args, run) => carryOut(program, args, run, false),
    script: (program, run) => carryOut(program, [], run, true),
    start(program, args, cwd, to) {
      const child = spawn(program, args, { ...identity, cwd, env: usual, detached: true, stdio: ['ignore', to, to] });
      child.unref();
      return child;
    },
  };
}

/** Some faults of a start are thrown, others told later. */
function begun<Begun>(name: string, start: () => Begun): Begun {
  try {
    return start();
  } catch (error) {
    throw startCause(name, error);
  }
}

/** Resolves with the exit code or the signal's name. Rejects when the program could not be started. */
function ended(child: ChildProcess, name: string): Promise<number | string> {
  const { promise, resolve, reject } = Promise.withResolvers<number | string>();
  child.once('error', error => reject(startCause(name, error)));
  // Processes that it left behind hold the pipes open, and must not go on.
  child.once('exit', () => signalGroup(child, 'SIGKILL'));
  child.once('close', (code, signal) => resolve(code ?? signal ?? 'no code'));
  return promise;
}

/**
 * Ends every process with this variable that a program left behind, until there is none and nobody holds its output. A
 * process that just begins another program shows no variables for a moment, so one look is not enough. Who hides for
 * good only loses the output: nobody reads it any more after {@link patience}.
 */
async function endAll(child: ChildProcess, variable: string): Promise<void> {
  let isClosed = false;
  child.once('close', () => {
    isClosed = true;
  });
  for (const until = performance.now() + patience; ; await sleep(pause)) {
    const found = await withVariable(variable);
    if (found.length === 0 && isClosed) return;
    for (const { pid } of found) send(pid, 'SIGKILL');
    if (performance.now() > until) {
      child.stdout?.destroy();
      child.stderr?.destroy();
      return;
    }
  }
}

/** A text with more at its end, cut to that end now and then: at each piece it would take longer than reading does. */
function grown(text: string, more: string, limit: number): string {
  const all = text + more;
  return all.length > 2 * limit ? all.slice(-limit) : all;
}

function collect(stream: Readable | null | undefined, take: (text: string) => void): void {
  stream?.setEncoding('utf8').on('data', take);
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined) send(-pid, signal);
}

/** Opens a file for as long as `use` takes. */
export async function withFile<Result>(
  path: string,
  flags: 'r' | 'w' | 'a',
  use: (fd: number) => Promise<Result>,
): Promise<Result> {
  const file = await open(path, flags, 0o600);
  try {
    return await use(file.fd);
  } finally {
    await file.close();
  }
}
