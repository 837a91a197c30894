/** Personal values that are unique: each occurrence comes from the investor of `markedInvestor`. */
export const MARKS = {
  name: 'Zqmark Nameson',
  pan: 'ZQMPM1234K',
  email: 'zqmark@example.com',
  mobile: '9812093847',
  account_number: '918273645546372',
  vpa: 'zqmark.success@upi',
  date_of_birth: '1937-02-28',
  // From the block for documentation (RFC 5737): no machine has it.
  user_ip: '203.0.113.77',
} as const;
type Mark = keyof typeof MARKS;

/** Other spellings of the same value: a date with day and month first, and the moment at which that day starts in India. */
const SPELLINGS: Readonly<Partial<Record<Mark, readonly string[]>>> = {
  date_of_birth: ['28/02/1937', '28-02-1937', '1937-02-27T18:30'],
};
const spellingsOf = (kind: Mark): string[] => [MARKS[kind], ...(SPELLINGS[kind] ?? [])];

// Built once: some hundred thousand values of a database are searched.
const FORMS = (Object.keys(MARKS) as Mark[]).map((kind) => ({
  kind,
  folded: [...new Set(spellingsOf(kind).flatMap(foldedForms))],
  exact: [...new Set(spellingsOf(kind).flatMap(base64Forms))],
}));

/** The marks in a text, in any case; also as PostgreSQL prints bytes, as addresses escape them, and in base64. */
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

/**
 * The base64 of the value inside an encoded text: one form for each of the three offsets in a group of bytes, without the
 * characters that depend on the surrounding bytes.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value);
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    // A character holds six bits: the first and the last share bits with the surrounding bytes.
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6)];
    return (['base64', 'base64url'] as const).map((kind) => padded.toString(kind).slice(from, to));
  });
}

/** The places of marks in a JSON value: `path mark`, with `[]` for any index of a list. */
export function markedPaths(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one: unknown) => markedPaths(one, `${path}[]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => [
      ...marksIn(key).map((mark) => `${path} has the key ${mark}`),
      ...markedPaths(one, path === '' ? key : `${path}.${key}`),
    ]);
  return marksIn(String(value)).map((mark) => `${path} ${mark}`);
}
