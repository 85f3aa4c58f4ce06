import './tame.ts';
import { readFileSync } from 'node:fs';

const { runSeeds } = await import('./run.ts');
process.exitCode = await runSeeds(process.env, path => readFileSync(path, 'utf8'));
