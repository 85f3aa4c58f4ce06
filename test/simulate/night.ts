import { readDefects, search } from './defects.ts';

/* Plants every defect and tells which seed finds it. `DEFECT` names one. */

let missed = 0;
for (const defect of readDefects()) {
  if (process.env.DEFECT && process.env.DEFECT !== defect.name) continue;
  const { foundBy, said } = search(defect);
  if (foundBy === undefined) missed += 1;
  console.log(
    `${defect.name}: ${foundBy === undefined ? `not found within ${defect.seeds} seeds` : `found by seed ${foundBy}`}`,
  );
  if (foundBy === undefined)
    console.log(
      said
        .split('\n')
        .filter(line => line.startsWith('  ') || line.includes('rror'))
        .slice(0, 8)
        .join('\n'),
    );
}
process.exitCode = missed > 0 ? 1 : 0;
