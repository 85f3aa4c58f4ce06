import { distance } from 'fastest-levenshtein';

/*
 * Words behind which people type passwords: those that sign in, and those that name a password. People misspell them,
 * and put blanks into them, so what is close to one counts as one.
 */

const signIn: readonly string[] = ['login', 'signin'];
/** Words that mean the same. They count only as they are: `logon` is as close to `logout`. */
const alike: readonly string[] = [
  ...['logon', 'signon', 'auth', 'authenticate', 'authorise', 'authorize', 'connect', 'anmelden', 'einloggen'],
];
const secrets: readonly string[] = ['password', 'passwort', 'passphrase', 'passcode', 'kennwort'];
const shortSecrets: readonly string[] = ['pass', 'passwd', 'pw', 'pwd', 'psw', 'pswd'];

/**
 * The letters that a word begins with, in lower case, and what stands behind them. In a command, hyphens and the like
 * divide no letters.
 */
export function beginningOf(word: string, isCommand = false): Readonly<{ letters: string; behind: string }> {
  const plain = word.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const [head = ''] = (isCommand ? /^[\p{L}._-]*/u : /^\p{L}*/u).exec(plain) ?? [];
  return { letters: head.replace(/[._-]/g, '').toLowerCase(), behind: plain.slice(head.length) };
}

/** Whether letters mean a sign-in, where a command stands: misspelt, or with a name glued to them. */
export function meansSignIn(letters: string): boolean {
  return (
    alike.includes(letters) ||
    signIn.some(word => letters.startsWith(word) || (letters.length > 2 && distance(letters, word) <= 2))
  );
}

/** Whether letters are a word for a sign-in as it is spelt. */
export function isSignIn(letters: string): boolean {
  return [...signIn, 'logon', 'signon'].includes(letters);
}

/** Whether letters may mean a password. */
export function meansSecret(letters: string): boolean {
  return shortSecrets.includes(letters) || (letters.length > 5 && secrets.some(word => distance(letters, word) <= 2));
}
