import type { Someone } from '../person.ts';

/** What something costs a person after the command is typed. */
export type Cost = Readonly<{ clicks: number; characters: number; typed: number }>;

/** A person who counts: each click, each character, and each field that is typed into. */
export type Counting = Readonly<{
  /** Opens a picker and takes a choice of it. */
  picks(field: string, words: string): Promise<void>;
  /** Takes one of the choices that stand there openly. */
  ticks(field: string, words: string): Promise<void>;
  /** Opens a picker, types letters, and takes the first choice. */
  finds(field: string, letters: string): Promise<void>;
  /** Types into a field, and clicks into it first unless the cursor is there already. */
  types(field: string, text: string): Promise<void>;
  presses(words: string): Promise<void>;
  /** Presses the form's own button. @throws where the form is not taken */
  submits(): Promise<void>;
  cost(): Cost;
}>;

/** Counts what `someone` does in forms. A field must stand there: nothing is opened that is not counted. */
export function counting(someone: Someone): Counting {
  let [clicks, characters, typed] = [0, 0, 0];
  const fills = async (field: string, text: string) => {
    const isThere = () => JSON.stringify(someone.sees().views.at(-1)?.view ?? {}).includes(`"block_id":"${field}`);
    await someone.until(isThere, `the field ${field}`);
    await someone.fills({ [field]: text });
  };
  return {
    async picks(field, words) {
      clicks += 2;
      await fills(field, words);
    },
    async ticks(field, words) {
      clicks += 1;
      await fills(field, words);
    },
    async finds(field, letters) {
      clicks += 2;
      characters += letters.length;
      const before = someone.sees().views.at(-1)?.hash;
      const [first = ''] = await someone.choices(field, letters);
      await fills(field, first);
      await someone.until(() => someone.sees().views.at(-1)?.hash !== before, 'what the choice fills in');
    },
    async types(field, text) {
      const drawn = (await someone.modal()).blocks.find(({ block_id }) => String(block_id).split(':')[0] === field);
      clicks += JSON.stringify(drawn ?? {}).includes('"focus_on_load":true') ? 0 : 1;
      characters += text.length;
      typed += 1;
      await fills(field, text);
    },
    async presses(words) {
      clicks += 1;
      const before = someone.sees().views.at(-1)?.hash;
      await someone.presses(words);
      await someone.until(() => someone.sees().views.at(-1)?.hash !== before, 'what the button does');
    },
    async submits() {
      clicks += 1;
      const { errors, error } = await someone.submits();
      if (error !== '' || Object.keys(errors).length > 0)
        throw new Error(`not taken: ${JSON.stringify(errors)} ${error}`);
    },
    cost: () => ({ clicks, characters, typed }),
  };
}
