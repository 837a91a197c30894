import type { BeginOperatorCall } from '@fundrail/contracts';
import { RefusalCounts } from './refusal-counts.ts';

const CALL: BeginOperatorCall = {
  ...{ tenant: 'demo', client_id: 'app', acted_in: 'demo', named_tenant: null },
  ...{ method: 'GET', path: '/admin/tenants', request_id: 'one', status: 403 },
};

describe('repeated refusals', () => {
  let now: number;
  let rows: number[];
  let isDown: boolean;
  let counts: RefusalCounts;
  beforeEach(() => {
    now = 0;
    rows = [];
    isDown = false;
    const begin = () => {
      if (isDown) return Promise.reject(new Error('identity is down'));
      rows.push(1);
      return Promise.resolve({ id: rows.length - 1, is_tenant_known: true });
    };
    const repeated = (id: number, more: number) => {
      rows[id] = (rows[id] ?? 0) + more;
      return Promise.resolve();
    };
    counts = new RefusalCounts({ begin, repeated }, () => now);
  });

  const note = (same = 'same') => counts.note(same, CALL);

  it('given a thousand of one kind within a minute, then they are one row with a count', async () => {
    for (let time = 0; time < 1_000; time += 1) await note();
    expect(rows).toEqual([1]);
    await counts.write();
    await counts.write();
    expect(rows).toEqual([1_000]);
  });

  it('given one after the minute, then it is another row, and the count of the first is written', async () => {
    await note();
    await note();
    now = 60_000;
    await note();
    await counts.write();
    expect(rows).toEqual([2, 1]);
  });

  it('given two kinds, then each has its row', async () => {
    await note('one');
    await note('other');
    expect(rows).toEqual([1, 1]);
  });

  it('given identity is down, then the first refusal after it is back is a row', async () => {
    isDown = true;
    await expect(note()).rejects.toThrow('down');
    isDown = false;
    await note();
    expect(rows).toEqual([1]);
  });

  it('given more kinds than are held, then no count is lost', async () => {
    await note('first');
    await note('first');
    for (let kind = 0; kind < 1_000; kind += 1) await note(`kind ${kind}`);
    await counts.write();
    expect(rows[0]).toBe(2);
  });
});
