import type { Noun } from '../identifiers.ts';
import type { Mapping, Paths } from './recordMapping.ts';

/** The places of facts that the operator's mapping gives for records of a noun. */
export function pathsOf(mapping: Mapping, noun: Noun | undefined): Paths {
  if (noun === 'live' || noun === 'clone') return mapping.database ?? nothing;
  if (noun === 'environment' || noun === 'user' || noun === 'project') return mapping[noun] ?? nothing;
  const { name, state } = (noun === 'snapshot' && mapping.database?.snapshots) || nothing;
  return name === undefined && state === undefined ? nothing : { name, state };
}

const nothing: Paths = {};
