import type { Clock } from './clock.ts';
import type { Effects, Engines } from './engine.ts';
import type { Estate, User } from './estate.ts';
import type { Jobs, Keep } from './jobs.ts';
import type { Write } from './rules.ts';
import type { Tokens } from './tokens.ts';

/** What every endpoint works with. */
export type Context = { estate: Estate; engines: Engines; jobs: Jobs; clock: Clock; tokens: Tokens; keep: Keep };

/** A checked write. Nothing has changed yet: `begin` changes the estate and starts the job. */
export type Plan = {
  /** What a person typed, and the name of the record that it concerns: searched for provoking words. */
  texts: readonly (string | undefined)[];
  /** Returns when the job has begun, with what resolves at its end. Throws Refusal when it could not be begun. */
  begin(effects: Effects): Promise<void>;
};

type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/**
 * One row of spec §4. `takes` says where the request has its content, and with it what the function is given:
 * nothing; the identifier in the path, in a plain-string body or in the query `input`; or the parsed JSON body.
 */
export type Endpoint =
  | { method: Method; path: string; takes: 'nothing'; read(context: Context): unknown }
  | { method: Method; path: string; takes: 'path'; read(context: Context, id: string): unknown }
  | { method: Method; path: string; takes: 'text' | 'input'; write: Write; plan: PlanText }
  | { method: Method; path: string; takes: 'json'; write: Write; plan: PlanBody }
  /** The two endpoints without the Authorization header (spec §5.2). */
  | { method: Method; path: string; takes: 'credentials'; sign(context: Context, user: User): unknown };

/** Plans a write that is given as one identifier. Throws Refusal. */
export type PlanText = (context: Context, caller: User, id: string) => Plan;
/** Plans a write that is given as a JSON body. Throws Refusal. */
export type PlanBody = (context: Context, caller: User, body: unknown) => Plan;
