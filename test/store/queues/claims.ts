import { claimsOnClocks } from './claimsOnClocks.ts';
import { claimsOnLosing } from './claimsOnLosing.ts';
import { claimsOnTaking } from './claimsOnTaking.ts';
import { claimsOnTrouble } from './claimsOnTrouble.ts';

/** All that every queue promises. */
export const claims = { ...claimsOnTaking, ...claimsOnLosing, ...claimsOnClocks, ...claimsOnTrouble } as const;
export type ClaimName = keyof typeof claims;
