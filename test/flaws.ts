import { z } from 'zod';

/* A log line with an error of the bot's own code: one that no answer, network, disk or database brought. */

const Line = z.object({
  level: z.number().min(40),
  msg: z.string().optional(),
  error: z.object({
    type: z.enum(['Error', 'TypeError', 'RangeError', 'ReferenceError', 'SyntaxError', 'AssertionError']),
    // A limit that Dolly sets itself passes: others are slow.
    message: z.string().regex(/^(?!there was no answer in)/),
    stack: z.string(),
    code: z.undefined().optional(),
  }),
});

/** The error of the bot's own code that a line of its log tells; `undefined` where it tells none. */
export function flawIn(line: string): string | undefined {
  if (!line.includes('"error":')) return undefined;
  const { data } = Line.safeParse(JSON.parse(line));
  const from = data?.error.stack.split('\n').find(part => part.trimStart().startsWith('at '));
  const isOwn = from !== undefined && /\/src\/(?!sandbox\/)/.test(from);
  return data && isOwn ? `${data.msg ?? ''}: ${data.error.stack}` : undefined;
}
