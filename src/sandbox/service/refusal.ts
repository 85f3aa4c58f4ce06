/** The error codes of this service and the HTTP status of each. The specification shows neither (spec §7). */
export const codes = {
  INVALID_REQUEST: 400,
  NOT_SIGNED_IN: 401,
  WRONG_CREDENTIALS: 401,
  TOKEN_EXPIRED: 401,
  NOT_PERMITTED: 403,
  NOT_FOUND: 404,
  NO_SUCH_ENDPOINT: 404,
  METHOD_NOT_ALLOWED: 405,
  IN_USE: 409,
  WRONG_STATE: 409,
  ENVIRONMENT_DISABLED: 409,
  HAS_DEPENDENT_CLONES: 409,
  SNAPSHOT_IN_USE: 409,
  LAST_SNAPSHOT: 409,
  NO_SNAPSHOT: 409,
  BODY_TOO_LARGE: 413,
  NOT_JSON: 415,
  INTERNAL_ERROR: 500,
  BUSY: 503,
} as const;
export type Code = keyof typeof codes;

/** A request that the service does not accept. Thrown by the checks, answered by the application. */
export class Refusal extends Error {
  readonly code: Code;
  readonly field: string | undefined;

  constructor(code: Code, message: string, field?: string) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.field = field;
  }
}

/** The JSON of a refused request (our choice: spec §7 shows none). */
export function errorResult(code: Code, message: string, field?: string) {
  return { objectType: 'ERROR_RESULT', status: 'FAILED', error: { code, message, field } };
}

/** The success envelope of every accepted write (spec §1.4). */
export const successResult = { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null } as const;
