import type { NamesIn, PartGroup, Parts } from '../jobs/parts.ts';
import type { Desk, DeskGroup } from '../slack/desk/desk.ts';
import { readForms } from '../slack/forms/formReader.ts';

/* All parts at once, which nothing outside of the wiring takes. */

/** All parts for the work on jobs. */
export type AllParts = Parts<NamesIn<PartGroup>>;

/** All parts, under their own names, and under the names by which Slack’s side hands several on together. */
export type WholeDesk = ReturnType<typeof deskOf>;

/** Gives each part of Slack’s side what it takes as a whole. */
export function deskOf(parts: Desk<NamesIn<DeskGroup>>) {
  const fills = { ...parts, pages: parts, greeter: parts };
  const forms = { ...fills, reader: readForms(fills) };
  const schedules = { ...parts, sets: parts, work: parts };
  const setUp = { ...parts, watch: parts };
  const clicks = { forms, exchanger: parts, asks: parts, glance: parts, steps: parts };
  const commands = { signIns: parts, lists: parts, past: parts, trail: parts, maker: parts, examiner: forms };
  return { ...forms, ...schedules, ...clicks, ...commands, doctor: { ...parts, setUp }, setUp };
}
