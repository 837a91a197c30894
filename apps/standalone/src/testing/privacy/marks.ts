/** Personal values that are nobody else's: wherever one of them turns up, it came from the investor of `markedInvestor`. */
export const MARKS = {
  name: 'Zqmark Nameson',
  pan: 'ZQMPM1234K',
  email: 'zqmark@example.com',
  mobile: '9812093847',
  account_number: '918273645546372',
  vpa: 'zqmark.success@upi',
} as const;
export type Mark = keyof typeof MARKS;

const KINDS = Object.keys(MARKS) as Mark[];

/** The marks in a text, in whatever case; also as PostgreSQL prints bytes. */
export function marksIn(text: string): Mark[] {
  const lower = text.toLowerCase();
  const isIn = (value: string) => lower.includes(value) || lower.includes(Buffer.from(value).toString('hex'));
  return KINDS.filter((kind) => isIn(MARKS[kind].toLowerCase()));
}

/** Where in a JSON value the marks stand: `path mark`, with `[]` for any place in a list. */
export function markedPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => markedPaths(one, `${path}[]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => [
      ...marksIn(key).map((mark) => `${path} has the key ${mark}`),
      ...markedPaths(one, path === '' ? key : `${path}.${key}`),
    ]);
  return marksIn(String(value)).map((mark) => `${path} ${mark}`);
}
