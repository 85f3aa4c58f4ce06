/** Does something `count` times, with `inFlight` of them under way at any time, and waits for all. */
export async function flood(count: number, inFlight: number, work: () => Promise<unknown>): Promise<void> {
  let begun = 0;
  const worker = async () => {
    while (begun < count) {
      begun++;
      await work();
    }
  };
  await Promise.all(Array.from({ length: Math.min(inFlight, count) }, worker));
}
