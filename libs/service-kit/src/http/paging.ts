import { plainText, sizedQuery } from '@fundrail/contracts';
import { z } from 'zod';

/** An integer in a query string. */
const queryInteger = (low: number, high: number) =>
  z.codec(z.string().regex(/^\d{1,9}$/, 'must be a whole number'), z.int().min(low).max(high), {
    decode: Number,
    encode: String,
  });

const sameAs = (name: string) =>
  queryInteger(1, 100)
    .optional()
    .meta({ description: `The same as ${name}; one of them is enough` });

/** The query of a `/v2` list: `limit` or `size` (1-100, default 100), `starting_after` and its filters; anything else is a 400. */
export function listQuery<F extends z.ZodRawShape>(filters: F) {
  return sizedQuery(
    'limit',
    z.strictObject({
      limit: queryInteger(1, 100).default(100),
      size: sameAs('limit'),
      starting_after: plainText(64).optional(),
      ...filters,
    }),
  );
}

/** A `/v2` list (CONV-21). */
export function listOf<T>(data: readonly T[]): { object: 'list'; data: readonly T[] } {
  return { object: 'list', data };
}

/** The query of an `/api` page: `page` from 0, `size` or `limit` (1-100, default 20) and its filters; anything else is a 400. */
export function pageQuery<F extends z.ZodRawShape>(filters: F) {
  // Beyond this the offset is no longer a 32-bit integer; no tenant has so many rows.
  return sizedQuery(
    'size',
    z.strictObject({
      page: queryInteger(0, 9_999_999).default(0),
      size: queryInteger(1, 100).default(20),
      limit: sameAs('size'),
      ...filters,
    }),
  );
}

/** An `/api` page: `{ first, last, …, <key>: rows }` (CONV-22). */
export function pageOf<K extends string, T>(
  key: K,
  rows: readonly T[],
  request: { page: number; size: number; total: number },
) {
  const totalPages = Math.ceil(request.total / request.size);
  return {
    first: request.page === 0,
    last: request.page >= totalPages - 1,
    total_pages: totalPages,
    total_elements: request.total,
    size: request.size,
    number: request.page,
    number_of_elements: rows.length,
    [key]: rows,
  } as PageOf<K, T>;
}

export type PageOf<K extends string, T> = {
  first: boolean;
  last: boolean;
  total_pages: number;
  total_elements: number;
  size: number;
  number: number;
  number_of_elements: number;
} & Record<K, readonly T[]>;

/** The schema of an `/api` page. */
export function pageSchema<K extends string, S extends z.ZodType>(key: K, item: S) {
  const counts = {
    first: z.boolean(),
    last: z.boolean(),
    total_pages: z.int(),
    total_elements: z.int(),
    size: z.int(),
    number: z.int(),
    number_of_elements: z.int(),
  };
  return z.strictObject({ ...counts, [key]: z.array(item) } as typeof counts & Record<K, z.ZodArray<S>>);
}
