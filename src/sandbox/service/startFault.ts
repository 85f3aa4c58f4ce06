/** Why the service cannot start, in a sentence for whoever starts it: nothing is wrong with the program itself. */
export class StartFault extends Error {
  override readonly name = 'StartFault';
}
