import './tame.ts';

const { runSeeds } = await import('./run.ts');
const { Mistake } = await import('./choice.ts');
try {
  process.exitCode = await runSeeds(process.env);
} catch (error) {
  if (!(error instanceof Mistake)) throw error;
  console.error(error.message);
  process.exitCode = 2;
}
