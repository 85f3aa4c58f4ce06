import { describe, expect, test } from 'vitest';
import { generatedFiles } from '../src/docs.ts';

describe('what is generated from the catalogue', () => {
  test.each(generatedFiles())('$file is up to date (npm run docs)', ({ before, after }) => {
    expect(before).toBe(after);
  });
});
