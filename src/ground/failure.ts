/**
 * The kinds of failure, by what a person has to do about them:
 * - `input`: the typed text is wrong; type it again.
 * - `signed-out`: no token, or the service no longer honours it; sign in.
 * - `forbidden`: the service does not allow this person to do it.
 * - `missing`: the record is not there (any more).
 * - `refused`: the service answered that it will not do it.
 * - `busy`: the service asks to wait (`retryAfter` milliseconds).
 * - `unsent`: the request never left; nothing can have happened.
 * - `unclear`: the request left and its fate is unknown.
 * - `unreadable`: the service's answer cannot be used, or did not come.
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

/** An error whose `message` is one sentence that people see. Its technical reason stays in `cause`, for the log. */
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

/**
 * The store does not work; the request is not at fault. Its `message` is one sentence that people see, too. `isOpen` says
 * that nobody knows whether the store has taken what it was given.
 */
export class StoreTrouble extends Error {
  override readonly name = 'StoreTrouble';
  readonly isOpen: boolean;

  constructor(message: string, { isOpen = false, ...options }: ErrorOptions & { isOpen?: boolean } = {}) {
    super(message, options);
    this.isOpen = isOpen;
  }
}

/** The code of an error of a system, a connection or a store; empty where it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The end of a sentence on trouble that is open. */
export const outcomeUnknown =
  'so I do not know yet whether I saved this. If nothing happens within a minute, please ask again.';

/** Whether the store may have taken what it was given as it failed. */
export function mayHaveStored(error: unknown): boolean {
  return error instanceof StoreTrouble && error.isOpen;
}

/** The sentence to show for any thrown value: that of a Failure or StoreTrouble, else one that gives nothing away. */
export function sentence(error: unknown): string {
  return error instanceof Failure || error instanceof StoreTrouble
    ? error.message
    : 'Something went wrong inside Dolly. The log has the details.';
}

/** For a `catch`: gives the failure. @throws any other error, and a failure of one of these kinds */
export function failureBut(...kinds: readonly FailureKind[]): (error: unknown) => Failure {
  return error => {
    if (!(error instanceof Failure) || kinds.includes(error.kind)) throw error;
    return error;
  };
}

/** For a `catch`: gives nothing in place of a failure. @throws any other error, and a failure of one of these kinds */
export function nothingBut(...kinds: readonly FailureKind[]): (error: unknown) => undefined {
  return error => void failureBut(...kinds)(error);
}

/** For a `catch`: gives nothing in place of a failure of one of these kinds. @throws any other error */
export function nothingOn(...kinds: readonly FailureKind[]): (error: unknown) => undefined {
  return error => {
    if (!(error instanceof Failure) || !kinds.includes(error.kind)) throw error;
  };
}

/** For a `catch`: notes in the log that something could not be had, and gives nothing in its place. */
export function notedIn(
  log: { info(fields: object, what: string): void },
  what: string,
  about: object = {},
): (error: unknown) => undefined {
  return error => void log.info({ error, ...about }, what);
}

/** Whether a new sign-in mends the failure. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Failure && error.kind === 'signed-out';
}

/** The kind of an error, for counting: `unstored` is trouble of the store, `fault` a defect of Dolly. */
export function kindOf(error: unknown): FailureKind | 'unstored' | 'fault' {
  if (error instanceof StoreTrouble) return 'unstored';
  return error instanceof Failure ? error.kind : 'fault';
}
