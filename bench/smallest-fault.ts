/**
 * What is wrong with the output of a benchmark: its last line is one JSON object that has each of the figures. A figure that could
 * not be computed (`NaN` is `null` in JSON) counts as missing, inside of a figure too. `null`: nothing is wrong.
 */
export function findFault(output: string, fields: readonly string[]): string | null {
  const line = output.trim().split('\n').at(-1) ?? '';
  let figures: unknown;
  try {
    figures = JSON.parse(line);
  } catch {
    return 'its last line is not JSON';
  }
  if (typeof figures !== 'object' || figures === null) return 'its last line is not an object of JSON';
  const found = new Map(Object.entries(figures));
  const missing = fields.filter((field) => !isThere(found.get(field)));
  return missing.length === 0 ? null : `it has no ${missing.join(', ')}`;
}

function isThere(figure: unknown): boolean {
  if (figure === undefined || figure === null) return false;
  return typeof figure !== 'object' || Object.values(figure).every(isThere);
}
