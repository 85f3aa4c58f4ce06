import { isNamedPassword, maskSurePasswords } from '../../../api/secrets/passwords.ts';
import { writeDatabaseParams, writeValues } from '../../../operations/fields.ts';
import type { DatabaseParam, Field, Values } from '../../../operations/operation.ts';

/** Whether a password surely stands in a text. */
export function isSecret(text: string): boolean {
  return maskSurePasswords(text) !== text;
}

/** Whether a database parameter is a password, by its name or by what stands in it. */
export function isSecretParam({ name, value }: DatabaseParam): boolean {
  return isNamedPassword(name, String(value));
}

/** A value that was left out: its field, and the parameter's name or the field's label. */
export type LeftOutValue = Readonly<{ field: string; called: string }>;

/**
 * Values as the texts of a form that somebody else reads, or many do: without passwords. Among database parameters a
 * comment stands for each that is left out, so that the form asks for it where it belongs.
 */
export function textsWithoutSecrets(fields: readonly Field[], values: Values) {
  const texts: Record<string, string> = { ...writeValues(values) };
  const left: LeftOutValue[] = [];
  for (const [field, value] of Object.entries(values)) {
    if (typeof value === 'object') {
      const secret = value.filter(isSecretParam);
      if (secret.length === 0) continue;
      const kept = value.filter(param => !isSecretParam(param));
      const comments = secret.map(({ name }) => `# ${name} is left out`);
      texts[field] = [...(kept.length > 0 ? [writeDatabaseParams(kept)] : []), ...comments].join('\n');
      left.push(...secret.map(({ name }) => ({ field, called: name })));
    } else if (isSecret(String(value))) {
      delete texts[field];
      left.push({ field, called: fields.find(({ name }) => name === field)?.label ?? field });
    }
  }
  return { texts, left };
}

/** Says what was left out, for whoever is to fill it in; none where nothing was. */
export function leftOutNotes(left: readonly LeftOutValue[]): readonly string[] {
  if (left.length === 0) return [];
  const names = left.map(({ called }) => called).join(', ');
  return [
    `Only the person who typed a password can see it, so I left this out: ${names}. Fill in what it needs; the service decides on fields that you leave empty.`,
  ];
}
