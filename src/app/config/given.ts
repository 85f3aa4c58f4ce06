/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values that are set, without the blanks and line ends around them: a mounted file and a clipboard leave some, and no
 * key means any. One of blanks alone is not set.
 */
export function givenIn(environment: Environment): Environment {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([key, value]) => (value?.trim() ? [[key, value.trim()]] : [])),
  );
}
