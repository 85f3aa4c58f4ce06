/** A breach of Block Kit's rules: what Slack says, and the JSON pointer that it says it of. */
export type Fault = { says: string; pointer: string };

/** A fault as Slack's `response_metadata.messages` has it, without its `[ERROR] `. */
export const sentence = (fault: Fault) => `${fault.says} [json-pointer:${fault.pointer}]`;
