import { commaList } from '@fundrail/contracts';
import { z } from 'zod';
import { listOf, listQuery, pageOf, pageQuery, pageSchema } from './paging.ts';

describe('paging of /v2 lists (CONV-21, CONV-23)', () => {
  const query = listQuery({ states: commaList(z.enum(['a', 'b'])).optional() });

  it('reads limit, starting_after and filters (CONV-15)', () => {
    expect(query.parse({ limit: '5', starting_after: 'mfp_1', states: 'a,b' })).toEqual({
      limit: 5,
      starting_after: 'mfp_1',
      states: ['a', 'b'],
    });
    expect(query.parse({})).toEqual({ limit: 100 });
  });

  it.each([
    { limit: '0' },
    { limit: '101' },
    { limit: '1.5' },
    { limit: '-1' },
    { limit: '' },
    { other: 'x' },
    { states: 'a,c' },
    { states: '' },
    { limit: ['1', '2'] },
    { size: '101' },
    { size: '' },
    { size: ['1'] },
    { limit: '5', size: '6' },
  ])('refuses %j', (bad) => {
    expect(query.safeParse(bad).success).toBe(false);
  });

  it('reads size as limit, and both when they agree', () => {
    expect(query.parse({ size: '7' })).toEqual({ limit: 7 });
    expect(query.parse({ size: '7', limit: '7' })).toEqual({ limit: 7 });
  });

  it.each([
    [{ size: '101' }, 'size'],
    [{ size: 'x' }, 'size'],
    [{ limit: '101' }, 'limit'],
    [{ limit: '5', size: '6' }, 'size'],
  ])('names the field that was sent: %j', (bad, field) => {
    expect(query.safeParse(bad).error?.issues.map(({ path }) => path)).toEqual([[field]]);
  });

  it('returns a list object', () => {
    expect(listOf([1])).toEqual({ object: 'list', data: [1] });
  });
});

describe('paging of /api pages (CONV-22, CONV-23)', () => {
  it('reads page and size', () => {
    expect(pageQuery({}).parse({})).toEqual({ page: 0, size: 20 });
    expect(pageQuery({}).parse({ limit: '7' })).toEqual({ page: 0, size: 7 });
    expect(pageQuery({}).safeParse({ limit: '7', size: '8' }).success).toBe(false);
    expect(pageQuery({}).safeParse({ size: '101' }).success).toBe(false);
    expect(pageQuery({}).safeParse({ page: '-1' }).success).toBe(false);
  });

  it.each([
    [
      { page: 0, size: 2, total: 5 },
      { first: true, last: false, total_pages: 3 },
    ],
    [
      { page: 2, size: 2, total: 5 },
      { first: false, last: true, total_pages: 3 },
    ],
    [
      { page: 0, size: 2, total: 0 },
      { first: true, last: true, total_pages: 0 },
    ],
    [
      { page: 9, size: 2, total: 5 },
      { first: false, last: true, total_pages: 3 },
    ],
  ])('counts %j', (request, counts) => {
    const page = pageOf('payments', ['x'], request);
    expect(page).toMatchObject({
      ...counts,
      number: request.page,
      size: request.size,
      total_elements: request.total,
      number_of_elements: 1,
      payments: ['x'],
    });
    expect(pageSchema('payments', z.string()).safeParse(page).success).toBe(true);
  });
});
