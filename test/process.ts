import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** A bot that runs in a process of its own, as it does in production. */
export type BotProcess = {
  url: string;
  /** All that it has written to its standard output and error. */
  output(): string;
  /** Ends it as an operating system does that is out of patience: nothing of it runs any more when this resolves. */
  kill(): Promise<void>;
  /** Asks it to stop (SIGTERM), and waits until it has. */
  stop(): Promise<void>;
  signal(name: 'SIGTERM' | 'SIGINT'): void;
  /** With which code it ended; waits until it has. */
  exit(): Promise<number | null>;
};

/**
 * Starts a program of the bot with this environment and no other.
 * @throws Error with its output where it does not start
 */
export async function startProcess(
  environment: Record<string, string>,
  cwd: string,
  program: string,
): Promise<BotProcess> {
  const child = spawn(process.execPath, [program], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const listening = /Dolly listens at (\S+)/.exec(output)?.[1];
        if (listening !== undefined) resolve(listening);
      });
    }
    void exited.then(() => reject(new Error(`the bot did not start:\n${output}`)));
  });
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal);
    await exited;
  };
  return {
    url,
    output: () => output,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: name => void child.kill(name),
    async exit() {
      await exited;
      return child.exitCode;
    },
  };
}
