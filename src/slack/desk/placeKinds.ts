/** Whether a place is a channel, and not somebody’s direct messages. */
export function isChannel(place: string): boolean {
  return /^[CG]/.test(place);
}

/** Whether a place is somebody's direct messages. */
export function isDirect(place: string): boolean {
  return place.startsWith('D');
}

/** Whether a place is a person rather than a channel. */
export function isPerson(place: string): boolean {
  return /^[UW]/.test(place);
}
