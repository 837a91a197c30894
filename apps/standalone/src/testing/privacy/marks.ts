/** Personal values that are nobody else's: wherever one of them turns up, it came from the investor of `markedInvestor`. */
export const MARKS = {
  name: 'Zqmark Nameson',
  pan: 'ZQMPM1234K',
  email: 'zqmark@example.com',
  mobile: '9812093847',
  account_number: '918273645546372',
  vpa: 'zqmark.success@upi',
  date_of_birth: '1937-02-28',
  // Of the block that is for documents (RFC 5737): no machine has it.
  user_ip: '203.0.113.77',
} as const;
export type Mark = keyof typeof MARKS;

/** How else the same may be written: a day by day and month, and as the moment at which it begins in India. */
const SPELLINGS: Readonly<Partial<Record<Mark, readonly string[]>>> = {
  date_of_birth: ['28/02/1937', '28-02-1937', '1937-02-27T18:30'],
};
const spellingsOf = (kind: Mark): string[] => [MARKS[kind], ...(SPELLINGS[kind] ?? [])];

// Made once: a database has some hundred thousand values to be looked through.
const FORMS = (Object.keys(MARKS) as Mark[]).map((kind) => ({
  kind,
  folded: [...new Set(spellingsOf(kind).flatMap(foldedForms))],
  exact: [...new Set(spellingsOf(kind).flatMap(base64Forms))],
}));

/** The marks in a text, in whatever case; also as PostgreSQL prints bytes, as addresses escape them, and in base64. */
export function marksIn(text: string): Mark[] {
  const lower = text.toLowerCase();
  return FORMS.filter(
    ({ folded, exact }) =>
      folded.some((form) => lower.includes(form)) || exact.some((form) => text.includes(form)),
  ).map(({ kind }) => kind);
}

function foldedForms(value: string): string[] {
  const lower = value.toLowerCase();
  const ofForm = new URLSearchParams({ v: lower }).toString().slice('v='.length);
  const forms = [lower, Buffer.from(lower).toString('hex'), Buffer.from(value).toString('hex')];
  return [...forms, encodeURIComponent(lower).toLowerCase(), ofForm.toLowerCase()];
}

/** As it stands inside any encoded text: at each of the three places within a group of bytes, without what its neighbours share. */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    // A character holds six bits: of the first and the last some belong to what stands before and after.
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((kind) => padded.toString(kind).slice(from, to));
  });
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
