import { distance } from 'fastest-levenshtein';

/*
 * Words behind which people type passwords: those that sign in, and those that name a password. People misspell them,
 * and put blanks into them, so what is close to one counts as one.
 */

const signIn: readonly string[] = ['login', 'signin'];
/** Words that mean the same. They count only as they are: `logon` is as close to `logout`. */
const alike = [
  'logon signon auth authenticate authorise authorize connect anmelden einloggen reconnect relogin relogon',
  'resignin reauth reauthenticate',
].flatMap(line => line.split(' '));
const secrets = 'password passwort passphrase passcode kennwort contraseña motdepasse wachtwoord lösenord пароль'.split(
  ' ',
);
const shortSecrets = 'pass passe passwd pw pwd psw pswd senha heslo hasło parola geheim şifre'.split(' ');
/** Words for a secret of which people write two. */
const keys: readonly string[] = ['apikey', 'accesskey', 'secretkey', 'privatekey'];
/** The same in scripts that put no blanks between words. */
const unspaced: readonly string[] = ['密码', '密碼', 'パスワード', '비밀번호', '암호'];
/** Words that mean a secret only where a sign says that one follows: they are names of things as well. */
const signed = 'secret token credential credentials cred creds bearer pin'.split(' ');
/** Words that people put into the middle of a sign-in: “log me in”. */
const between: readonly string[] = ['me', 'us', 'myself'];

/** Letters for which people write other signs, as in `p@ssw0rd`. */
const lettersOfSigns: Readonly<Record<string, string>> = {
  '@': 'a',
  '4': 'a',
  '0': 'o',
  '5': 's',
  $: 's',
  '3': 'e',
  '1': 'l',
};

/** An option with a password glued to it, with which a word begins; quotes and marks of text may stand before it. */
const passwordOption = /^[\p{Pi}\p{Pf}\p{Ps}"'`*_~]*(-p(?!ort).+)/su;

/** How a word begins. In a command, hyphens and the like divide no letters. */
export function beginningOf(word: string, isCommand = false): WordHead {
  const visible = word.normalize('NFKC').replace(/\p{Cf}/gu, '');
  const [, option = ''] = passwordOption.exec(visible) ?? [];
  const plain = visible
    .replace(/^[^\p{L}\p{N}-]+/u, '')
    .replace(/^(api|access|secret|private)[-_.](?=key(?!\p{L}))/iu, '$1');
  const read = { ...headOf(plain, isCommand), option };
  const start = plain.slice(0, longestWord);
  if (meansSecret(read.letters) || !/[@$\d]/.test(start)) return read;
  const spelt = headOf(
    start.replace(/[@$\d]/g, sign => lettersOfSigns[sign] ?? sign) + plain.slice(longestWord),
    false,
  );
  return meansSecret(spelt.letters) ? { ...spelt, option } : read;
}

/**
 * The letters that a word begins with, in lower case, and what stands behind them; and the option with a password that it
 * is, such as `-phunter22`, or `''`. What a name has within it, as `ora-prod-01` has, is none.
 */
export type WordHead = Readonly<{ letters: string; behind: string; option: string }>;

function headOf(plain: string, isCommand: boolean): Omit<WordHead, 'option'> {
  const [letters = ''] = (isCommand ? /^[\p{L}._-]*/u : /^\p{L}*/u).exec(plain) ?? [];
  const head = unspaced.find(word => letters.startsWith(word)) ?? letters;
  return { letters: head.replace(/[._-]/g, '').toLowerCase(), behind: plain.slice(head.length) };
}

/** Max characters of a word for a secret that are read with signs for letters. */
const longestWord = 12;

const among = (words: readonly string[]) => (letters: string) => words.includes(letters);

/** Whether letters mean nothing beside a sign-in: they may stand within it. */
export const isBetween = among(between);

/** Whether letters of several words together mean a secret: `pass word`, `api key`. */
export function joinsToSecret(letters: string): boolean {
  return keys.includes(letters) || letters === 'password' || letters === 'motdepasse';
}

/** Whether an option is a password even in a command: `-phunter22`. There, `-prod` may be a name. */
export function isSurePassword({ option }: WordHead): boolean {
  return /[^\p{L}-]/u.test(option);
}

/** Whether letters mean a secret if a sign behind them says that one follows. */
export const mayMeanSecret = among(signed);

/** Whether letters mean a sign-in, where a command stands: misspelt, or with a name glued to them. */
export function meansSignIn(letters: string): boolean {
  return (
    alike.includes(letters) ||
    signIn.some(
      word => letters.startsWith(word) || (letters.length > 2 && letters.length < 9 && distance(letters, word) <= 2),
    )
  );
}

/** Whether letters are a word for a sign-in as it is spelt. */
export const isSignIn = among([...signIn, 'logon', 'signon', 'reconnect', 'relogin']);

/** Whether letters mean a password in a script that puts no blank behind it. */
export const needsNoBlank = among(unspaced);

/** Whether letters may mean a password. */
export function meansSecret(letters: string): boolean {
  if (shortSecrets.includes(letters) || keys.includes(letters) || needsNoBlank(letters)) return true;
  return letters.length > 5 && letters.length < 15 && secrets.some(word => distance(letters, word) <= 2);
}
