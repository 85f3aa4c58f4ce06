import { type Logger, pino } from 'pino';
import { z } from 'zod';

const Line = z.looseObject({ level: z.number(), msg: z.string() });

/** A log that is kept line by line. */
export type KeptLog = {
  log: Logger;
  lines: z.infer<typeof Line>[];
  /** How many lines say this. */
  count(words: string): number;
};

/** Makes a {@link KeptLog}. */
export function keptLog(): KeptLog {
  const lines: z.infer<typeof Line>[] = [];
  const write = (line: string) => void lines.push(Line.parse(JSON.parse(line)));
  const log = pino({ level: 'info', serializers: { error: pino.stdSerializers.err } }, { write });
  return { log, lines, count: words => lines.filter(({ msg }) => msg.includes(words)).length };
}
