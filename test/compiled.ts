/** Where Node keeps the compiled code of programs that tests start dozens of times: half of each start is compiling. */
export const compiled = new URL('../node_modules/.cache/compiled', import.meta.url).pathname;
