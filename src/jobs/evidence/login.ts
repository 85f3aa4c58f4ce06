import { splitWords } from '../../api/reading/jsonTree.ts';

/**
 * Whether a name in a record may be this login: a display name holds the login as often as not (`maria@corp`). `undefined`
 * where the login is not known, where the name is no login at all, such as a person's full name or an identifier (`USER-7`), and
 * where one is a part of the other's word: `msanchez` may or may not be `sanchez`, as `dana` may or may not be `ana`.
 */
export function agreesWithLogin(name: string, login: string | null): boolean | undefined {
  const [one, other] = [name.trim().toLowerCase(), login?.toLowerCase()];
  if (other === undefined || !/^(?!.*-\d+$)[\w.@-]+$/.test(one)) return undefined;
  if (holds(one, other) || holds(other, one)) return true;
  return one.includes(other) || other.includes(one) ? undefined : false;
}

/** Whether a name is the other one, or has it as a whole word of its own. */
function holds(name: string, other: string): boolean {
  const at = name.indexOf(other);
  return at >= 0 && !/[a-z]/.test(name.charAt(at - 1) + name.charAt(at + other.length));
}

/** Whether a name is that of an account of the host, the database or the service, which says nothing of who asked. */
export function isAccountName(name: string): boolean {
  return accounts.includes(name.trim().toLowerCase());
}

const accounts = splitWords('oracle grid mysql mariadb root system sys admin dba service unknown none');
