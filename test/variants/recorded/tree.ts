import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Looked } from '../../../src/store/jobs/queue/looks.ts';

const root = new URL('../../..', import.meta.url).pathname;

/** The folder with the code of a revision; `.` is the code as it stands here. */
export function treeOf(revision: string): string {
  if (revision === '.') return root;
  const folder = mkdtempSync(join(tmpdir(), 'replayed-'));
  process.once('exit', () => rmSync(folder, { recursive: true }));
  const archive = execFileSync('git', ['archive', revision, 'src', 'package.json'], {
    cwd: root,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** The parts of a revision that follow jobs up. What they are given stands in memory, and is as large as they need it. */
export async function codeIn(tree: string) {
  /** Loads a file by the first of its names, the latest one, that this tree has. */
  const load = (...names: readonly string[]) =>
    import(pathToFileURL(names.map(name => join(tree, 'src', name)).find(existsSync) ?? '').href);
  const following: Readonly<{ followUp: Follow }> = await load('jobs/followUp.ts');
  const sameLook: typeof import('../../../src/jobs/sameLook.ts') = await load('jobs/sameLook.ts');
  const request: typeof import('../../../src/jobs/request.ts') = await load('jobs/request.ts');
  const rules: typeof import('../../../src/jobs/approval/policy/rules.ts') = await load(
    'jobs/approval/policy/rules.ts',
  );
  const words: typeof import('../../../src/jobs/evidence/words/stateVocabulary.ts') = await load(
    'jobs/evidence/words/stateVocabulary.ts',
  );
  const reader: typeof import('../../../src/records/recordReader.ts') = await load('records/recordReader.ts');
  const depth: typeof import('../../../src/records/listDepth.ts') = await load('records/listDepth.ts');
  const failure: typeof import('../../../src/ground/failure.ts') = await load('ground/failure.ts');
  const answer: typeof import('../../../src/api/answers/serviceAnswer.ts') = await load('api/answers/serviceAnswer.ts');
  const refusals: typeof import('../../../src/api/answers/refusals.ts') = await load('api/answers/refusals.ts');
  const lists: typeof import('../../../src/api/reading/recordList.ts') = await load('api/reading/recordList.ts');
  const decoding: typeof import('../../../src/store/jobs/rows/decode.ts') = await load('store/jobs/rows/decode.ts');
  const encoding: typeof import('../../../src/store/jobs/rows/encode.ts') = await load('store/jobs/rows/encode.ts');
  const claims: typeof import('../../../src/store/jobs/recordClaims.ts') = await load(
    'store/jobs/recordClaims.ts',
    'store/jobs/claims.ts',
  );
  const baselines: Baselines = await load('jobs/evidence/gather.ts', 'jobs/evidence/takeBaseline.ts');
  return {
    ...{ ...following, ...sameLook, ...request, ...rules, ...words, ...reader, ...depth, ...failure, ...answer },
    ...{ ...refusals, ...lists, ...decoding, ...encoding, ...claims, takeBaseline: baselines.takeBaseline },
  };
}

/** What is followed needs less than all of Dolly: what stands in memory here. */
type Follow = (parts: object, owner: object, due: object, inVain: Looked[]) => Promise<void>;
type Baselines = Readonly<{
  takeBaseline: (parts: object, team: string, session: object, request: object) => Promise<unknown>;
}>;
export type Code = Awaited<ReturnType<typeof codeIn>>;
