import { readFileSync, writeFileSync } from 'node:fs';
import { replaceRegion } from '../../src/docs/docs.ts';
import { groups } from './part.ts';
import { type Measured, section } from './report.ts';

const page = new URL('../../docs/figures.md', import.meta.url);
const [mariadbGroup] = groups.slice(-1);

/** Writes the tables of the page of figures anew: those of one run on one machine, which `machine` names. */
export function writeFigures(machine: string, measured: readonly Measured[]): void {
  const text = readFileSync(page, 'utf8');
  const isMariadb = measured.every(({ group }) => group === mariadbGroup);
  const name = isMariadb ? 'figures of MariaDB' : 'figures';
  writeFileSync(page, replaceRegion(text, name, tablesOf(machine, measured)));
}

/** A table for each group of parts that was measured. A part that failed is named, since its rows are missing. */
export function tablesOf(machine: string, measured: readonly Measured[]): string {
  const sections = groups.flatMap(group => {
    const own = measured.filter(part => part.group === group);
    if (own.length === 0) return [];
    const missing = own.filter(({ results }) => results.length === 0).map(({ part }) => part);
    const note = missing.length > 0 ? [`Not measured in this run: ${missing.join(', ')}.`] : [];
    return [[`### ${group}`, section(own.flatMap(({ results }) => results)), ...note].join('\n\n')];
  });
  return ['', `Measured on ${machine}.`, '', sections.join('\n\n'), ''].join('\n');
}
