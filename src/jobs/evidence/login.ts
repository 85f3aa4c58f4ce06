/**
 * Whether a name in a record may be this login: a display name holds the login as often as not. `undefined` where the
 * name is no login at all, such as a person's full name or an identifier (`USER-7`).
 */
export function agreesWithLogin(name: string, login: string): boolean | undefined {
  const [one, other] = [name.trim().toLowerCase(), login.toLowerCase()];
  if (!/^[\w.@-]+$/.test(one) || /-\d+$/.test(one)) return undefined;
  return one.includes(other) || other.includes(one);
}
