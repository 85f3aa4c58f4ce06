/**
 * The kinds of things that go wrong, as a person has to act on them:
 * - `input`: what was typed is wrong; say it again.
 * - `signed-out`: no token, or the service no longer honours it; sign in.
 * - `forbidden`: the service does not allow it to this person.
 * - `missing`: the record is not there (any more).
 * - `refused`: the service answered that it will not do it.
 * - `busy`: the service asks to wait (`retryAfter` milliseconds).
 * - `unsent`: the request never left; nothing can have happened.
 * - `unclear`: the request left and its fate is unknown.
 * - `unreadable`: the service answered something that cannot be used.
 */
export type FailureKind =
  | 'input'
  | 'signed-out'
  | 'forbidden'
  | 'missing'
  | 'refused'
  | 'busy'
  | 'unsent'
  | 'unclear'
  | 'unreadable';

/** An error whose `message` is one sentence that people see. What lies behind it stays in `cause`, for the log. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  /** Milliseconds to wait before the next try, where the service said so. */
  readonly retryAfter: number | undefined;

  constructor(kind: FailureKind, message: string, options: { cause?: unknown; retryAfter?: number } = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.kind = kind;
    this.retryAfter = options.retryAfter;
  }
}

/** The store does not work: no fault of what was asked. Its `message` is one sentence that people see, too. */
export class StoreTrouble extends Error {
  override readonly name = 'StoreTrouble';
}

/** The sentence to show for any thrown value: a Failure's own, or one that gives nothing away. */
export function sentence(error: unknown): string {
  return error instanceof Failure || error instanceof StoreTrouble
    ? error.message
    : 'Something went wrong inside Dolly. The log has the details.';
}

/** Whether a sign-in mends it. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'signed-out';
}

/** What kind of thing went wrong, for counting: `unstored` is the store, `fault` a defect of ours. */
export function kindOf(error: unknown): FailureKind | 'unstored' | 'fault' {
  if (error instanceof StoreTrouble) return 'unstored';
  return error instanceof Failure ? error.kind : 'fault';
}
