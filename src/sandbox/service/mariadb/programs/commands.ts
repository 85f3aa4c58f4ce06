import { type ChildProcess, spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../wall/account.ts';
import type { Room, Wall } from '../wall/wall.ts';
import { causeOf, isAnswer, startCause } from './causes.ts';
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
  /** Behind the wall, with this alone to be seen. */
  room?: Room | undefined;
  /** As the user behind the wall, but before it. */
  asGuest?: true;
};

/** A server that outlives this process. */
type Start = {
  cwd: string;
  /** The open file for its output, by number. */
  to: number;
  room?: Room | undefined;
  /** The socket on which it listens behind a wall, by number. */
  socket?: number | undefined;
};

/** Runs programs as the engine's user, each in a process group of its own, of which nothing is left at its end. */
export type Commands = {
  /** Resolves with the program's output. Rejects with the cause when it fails, is cut off or takes too long. */
  run(program: string, args: readonly string[], run: Run): Promise<string>;
  /** As {@link Commands.run}, for a program whose output and errors belong together. */
  script(program: string, run: Run): Promise<string>;
  /** Starts a program that outlives this process. */
  start(program: string, args: readonly string[], start: Start): ChildProcess;
};

/** `pulse` is the number of milliseconds between two questions to a server that a program works with; 10 seconds when left out. */
type Ways = { pulse?: number | undefined; wall?: Wall | undefined };

/** The number of characters that are kept of an output: its end. */
const kept = { output: 4_000_000, words: 256_000 } as const;
const patience = 5_000;
/** Milliseconds between two looks for what a program left behind. */
const pause = 20;

/**
 * Commands of a user. `state` marks what they start. In each pulse the server that a program works with is asked whether it is
 * still there, and has three times as long to answer.
 */
export function commandsOf(account: Account, state: string, { pulse = 10_000, wall }: Ways = {}): Commands {
  // Nothing of the sandbox's own environment reaches the tools: no secret, and no setting that would surprise them.
  const usual = { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', HOME: state, [mark]: state };

  /** How a program is begun: by whom, and behind what. */
  function launched(program: string, args: readonly string[], { room, asGuest }: Pick<Run, 'room' | 'asGuest'>) {
    if (room === undefined) return { program, args, env: {}, ...identityOf((asGuest && wall?.guest) || account) };
    if (wall === undefined) throw new Error('there is no wall');
    // To build a closed wall, root has to be root. It becomes the guest in there.
    return { ...wall.launch(program, args, room), ...(wall.isClosed ? {} : identityOf(wall.guest)) };
  }

  let count = 0;

  async function carryOut(program: string, args: readonly string[], run: Run, isTogether: boolean): Promise<string> {
    run.signal.throwIfAborted();
    const { input, from, to, env, cwd = run.room?.desk ?? state } = run;
    const own = `${process.pid}-${++count}`;
    const name = basename(program);
    const { program: launcher, args: words, env: more, ...identity } = launched(program, args, run);
    const child = begun(name, () =>
      spawn(launcher, words, {
        ...identity,
        cwd,
        env: { ...usual, ...more, ...env, [runMark]: own },
        detached: true,
        stdio: [input === undefined ? (from ?? 'ignore') : 'pipe', to ?? 'pipe', 'pipe'],
      }),
    );
    let why: string | undefined;
    const cut = (reason: string) => {
      why ??= reason;
      // The first process of a namespace does not hear a signal that it has not asked for.
      signalGroup(child, run.room === undefined ? 'SIGTERM' : 'SIGKILL');
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
      run.alive?.('SELECT 1', AbortSignal.any([run.signal, AbortSignal.timeout(3 * pulse)])).catch(error => {
        if (!isAnswer(error)) cut('was ended, since the server does not answer any more');
      });
    }, pulse);
    let output = '';
    let errors = '';
    collect(child.stdout, text => {
      output = grown(output, text, kept.output);
    });
    collect(child.stderr, text => {
      if (isTogether) output = grown(output, text, kept.output);
      errors = grown(errors, text, kept.words);
    });
    // A program that ends without reading its input is judged by its end alone.
    child.stdin?.on('error', () => undefined).end(input);
    try {
      const end = await ended(child, name);
      if (why === undefined && end === 0) return output;
      if (run.room !== undefined && why === undefined) throwUnstarted(name, end, errors);
      const cause = causeOf((isTogether ? output : errors).slice(-kept.words));
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
    start(program, args, { cwd, to, room, socket }) {
      const { program: launcher, args: words, env: more, ...identity } = launched(program, args, { room });
      const handed = socket === undefined ? {} : { ...more, LISTEN_FDS: '1' };
      const child = spawn(launcher, words, {
        ...identity,
        cwd,
        env: { ...usual, ...handed },
        detached: true,
        // The first one that is handed in has the number 3 (sd_listen_fds(3)).
        stdio: ['ignore', to, to, ...(socket === undefined ? [] : [socket])],
      });
      child.unref();
      return child;
    },
  };
}

function identityOf({ uid, gid, isOther }: Account): { uid?: number; gid?: number } {
  return isOther ? { uid, gid } : {};
}

/** What the programs say that begin another one behind the wall, where they cannot. */
const unstarted =
  /^(?:\S*\/)?(?:chroot|unshare|env|bwrap|setpriv|sh): .*(?<fault>No such file or directory|Permission denied|not found)/;

/** Throws the cause where a program behind the wall did not begin. */
function throwUnstarted(name: string, end: number | string, errors: string): void {
  if (end !== 126 && end !== 127 && end !== 1) return;
  const fault = unstarted.exec(errors)?.groups?.fault;
  if (fault === undefined) return;
  throw startCause(
    name,
    Object.assign(new Error(fault), { code: fault === 'Permission denied' ? 'EACCES' : 'ENOENT' }),
  );
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
