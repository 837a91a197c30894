/**
 * How often something happens in this run: the number in the variable of that name, which `jest.config.mjs` sets (`tools/jest/sizes.ts`).
 * Throws without it: a test that does something no times would pass.
 */
export function timesOf(name: string): number {
  const times = Number(process.env[name]);
  if (!(times > 0)) throw new Error(`${name} is not a number above 0`);
  return times;
}
