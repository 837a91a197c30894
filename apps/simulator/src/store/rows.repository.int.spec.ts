import { Decimal } from '@fundrail/contracts';
import { sql, type Queryable, type Tx } from '@fundrail/persistence';
import type { Database } from '@fundrail/service-kit/db';
import { waitFor } from '@fundrail/testing';
import { SimulatorStage } from '../testing/simulator-stage.ts';
import { store, type Notes, type StoreRow } from './simulator.tables.ts';

const AT = new Date('2026-11-25T04:00:00.123Z');
const LATER = new Date(AT.getTime() + 1);

type Order = StoreRow<'orders'>;

let numbers = 0;
/** An order with its own reference and `old_id`. */
function order(parts: Partial<Order> = {}): Order {
  numbers += 1;
  return {
    ...{
      reference: `mfp_${String(numbers).padStart(4, '0')}`,
      tenant: 'demo',
      old_id: numbers,
      created_at: AT,
    },
    ...{ kind: 'purchase', scheme: 'INF000000001', folio_number: null, amount: null, units: null },
    ...{ collected: false, review: 'in_review', submission: 'none', order_reference: null },
    ...{ outcome: 'processing', failure_code: null, money_arrived: false, traded_on: null },
    ...{ allotted_units: null, allotted_amount: null, nav: null, allotted_folio: null },
    ...{ submitted_at: null, money_arrived_at: null, paid_out_at: null },
    ...parts,
  };
}

function transfer(payment_reference: string, parts: Partial<StoreRow<'transfers'>> = {}) {
  numbers += 1;
  return {
    ...{ reference: `T${numbers}`, tenant: 'demo', created_at: AT, payment_reference, shares: [] },
    ...{ status: 'processing' as const, failure_code: null },
    ...parts,
  };
}

describe('the rows of a table', () => {
  let stage: SimulatorStage;
  let db: Database;
  beforeAll(async () => {
    stage = await SimulatorStage.start();
    db = stage.service.database;
  });
  afterAll(() => stage.end());

  const { orders } = store;
  const kept = (row: Pick<Order, 'reference'>) => orders.find(db, { reference: row.reference });

  describe('are unique', () => {
    it('given a reference, when it is inserted again, then that rejects and the first row stays', async () => {
      const first = order({ scheme: 'INF000000002' });
      await orders.insert(db, first);
      await expect(orders.insert(db, { ...order(), reference: first.reference })).rejects.toThrow(
        'duplicate key value',
      );
      expect(await kept(first)).toEqual(first);
    });

    it.each<[string, (first: Order) => Partial<Order>]>([
      ['reference', ({ reference }) => ({ reference })],
      ['old_id of the tenant', ({ old_id }) => ({ old_id })],
    ])(
      'given a known %s, when it is inserted once, then it is not new, and nothing is stored',
      async (_, same) => {
        const first = order();
        const again = order(same(first));
        expect(await orders.insertOnce(db, first)).toBe(true);
        expect(await orders.insertOnce(db, again)).toBe(false);
        expect(
          await orders.list(db, { reference: [first.reference, again.reference] }, 't.reference'),
        ).toEqual([first]);
      },
    );

    it('given ten calls with one reference, when they run at once, then one of them is new', async () => {
      const row = order();
      const stored = await Promise.all(
        Array.from({ length: 10 }, () => db.transaction((tx) => orders.insertOnce(tx, row))),
      );
      expect(stored.filter(Boolean)).toHaveLength(1);
    });

    it('given a transaction that has inserted, when it rolls back, then the waiting one is new', async () => {
      const row = order();
      let waiting: Promise<boolean> | undefined;
      await expect(
        db.transaction(async (tx) => {
          await orders.insertOnce(tx, row);
          waiting = orders.insertOnce(db, row);
          await untilWaiting(db);
          throw new Error('rolled back');
        }),
      ).rejects.toThrow('rolled back');
      expect(await waiting).toBe(true);
    });
  });

  describe('are exact', () => {
    it.each(['0.0001', '0.1000', '12345678901234.5678', '999999999999999999.9999', '-1.0000'])(
      'given the amount %s, when it is read, then it is the same to the last place',
      async (amount) => {
        const row = order({ amount: Decimal.parse(amount) });
        await orders.insert(db, row);
        expect((await kept(row))?.amount?.toString()).toBe(amount);
      },
    );

    it('given times, days and lists, when they are read, then they are as they were written', async () => {
      const row = order({ traded_on: '2026-11-25', order_reference: null });
      await orders.insert(db, row);
      expect(await kept(row)).toEqual(row);
      const customer = { name: null, contact: null, created_at: AT };
      const stored = new Map<string, Notes>([
        ['c_list', []],
        ['c_object', { about: 'a "quoted" note' }],
      ]);
      for (const [id, notes] of stored) {
        await store.customers.insert(db, { ...customer, id, notes, email: `${id}@example.com` });
        expect(await store.customers.find(db, { id })).toMatchObject({ id, notes, created_at: AT });
      }
    });
  });

  describe('are found', () => {
    const mine = (where: Parameters<typeof orders.list>[1], page?: { limit: number; offset?: number }) =>
      orders
        .list(db, { ...where, tenant: 'finder' }, 't.old_id', page)
        .then((rows) => rows.map(({ scheme }) => scheme));
    beforeAll(async () => {
      const amount = Decimal.parse('5');
      await orders.insert(db, order({ tenant: 'finder', scheme: 'a', created_at: AT }));
      await orders.insert(db, order({ tenant: 'finder', scheme: 'b', created_at: LATER, amount }));
      await orders.insert(db, order({ tenant: 'finder', scheme: 'c', review: 'passed', amount }));
      await orders.insert(db, order({ tenant: 'another', scheme: 'd' }));
    });

    it.each<[string, Parameters<typeof orders.list>[1], readonly string[]]>([
      ['a value', { scheme: 'b' }, ['b']],
      ['null', { amount: null }, ['a']],
      ['an amount', { amount: Decimal.parse('5.00') }, ['b', 'c']],
      ['one of several', { scheme: ['a', 'c', 'd'] }, ['a', 'c']],
      ['none of several', { scheme: [] }, []],
      ['another value', { review: { not: 'passed' } }, ['a', 'b']],
      ['not null', { amount: { not: null } }, ['b', 'c']],
      ['a greater one', { created_at: { after: AT } }, ['b']],
      ['a smaller one', { created_at: { before: LATER } }, ['a', 'c']],
      ['a range with its ends', { created_at: { from: AT, to: LATER } }, ['a', 'b', 'c']],
      ['two conditions', { review: 'in_review', amount: { not: null } }, ['b']],
      ['no condition', {}, ['a', 'b', 'c']],
    ])('by %s', async (_, where, schemes) => {
      expect(await mine(where)).toEqual(schemes);
    });

    it('in parts', async () => {
      expect(await mine({}, { limit: 2 })).toEqual(['a', 'b']);
      expect(await mine({}, { limit: 2, offset: 2 })).toEqual(['c']);
      expect(await orders.find(db, { tenant: 'finder' }, 't.old_id DESC')).toMatchObject({ scheme: 'c' });
      expect(await orders.find(db, { tenant: 'no such' })).toBeNull();
    });
  });

  describe('are locked', () => {
    it('given ten transactions that add to one row, when each locks it, then no addition is lost', async () => {
      const row = order({ amount: Decimal.parse('0') });
      await orders.insert(db, row);
      const add = async (tx: Tx) => {
        const locked = await orders.lock(tx, { reference: row.reference });
        const folio = Number(locked?.allotted_folio ?? 0) + 1;
        await orders.save(tx, { ...row, allotted_folio: String(folio) });
      };
      await Promise.all(Array.from({ length: 10 }, () => db.transaction(add)));
      expect(await kept(row)).toMatchObject({ allotted_folio: '10' });
    });

    it('given a locked row, when another transaction locks it, then that waits for the first one', async () => {
      const row = order();
      await orders.insert(db, row);
      const isLocked = Promise.withResolvers<void>();
      const first = db.transaction(async (tx) => {
        await orders.lock(tx, { tenant: row.tenant, old_id: row.old_id });
        isLocked.resolve();
        await untilWaiting(db);
        await orders.save(tx, { ...row, review: 'passed' });
      });
      await isLocked.promise;
      const second = db.transaction((tx) => orders.lock(tx, { reference: row.reference }));
      await first;
      expect(await second).toMatchObject({ review: 'passed' });
    });

    it('given transactions that find the same rows by other indexes, when they lock all, then all succeed', async () => {
      const rows = [4, 3, 2, 1].map((old_id) => order({ tenant: 'locker', old_id }));
      for (const row of rows) await orders.insert(db, row);
      const reference = rows.map((row) => row.reference);
      const lockAll = (where: Parameters<typeof orders.lockAll>[1]) =>
        db.transaction(async (tx) => (await orders.lockAll(tx, where)).map((row) => row.reference));
      const locked = await Promise.all(
        Array.from({ length: 10 }, (_, call) => lockAll(call % 2 ? { reference } : { tenant: 'locker' })),
      );
      for (const each of locked) expect(each).toEqual(reference);
    });

    it('locks the row of an order of Razorpay, and none that it is read with', async () => {
      await insertPayment(db, 'order_lock');
      const created = { id: 'order_lock', reference: 'order_lock', tenant: 'demo', created_at: AT };
      const terms = { receipt: null, amount: Decimal.parse('1'), currency: 'INR', notes: [], method: null };
      await store.sdkOrders.insert(db, { ...created, ...terms, repeats: false });
      const isFree = sql(
        'spec.is_free',
        `SELECT reference FROM provider_payments WHERE reference = 'order_lock' FOR UPDATE NOWAIT`,
      );
      await db.transaction(async (tx) => {
        const locked = await store.sdkOrders.lock(tx, { id: 'order_lock' });
        expect(locked).toMatchObject({ ...created, paid: false, attempts: 0, notified_token: null });
        expect(await db.query(isFree)).toHaveLength(1);
      });
    });
  });

  describe('are changed', () => {
    it('given a row, when a step is saved, then what only the creation writes stays', async () => {
      const row = order();
      await orders.insert(db, row);
      await db.transaction((tx) => orders.save(tx, { ...row, scheme: 'other', review: 'passed' }));
      expect(await kept(row)).toEqual({ ...row, review: 'passed' });
    });

    it('given some rows, when a column of them is changed, then no other row and no other column changes', async () => {
      await insertPayment(db, 'P1');
      const [first, ended, other] = [transfer('P1'), transfer('P1', { status: 'settled' }), transfer('P1')];
      for (const row of [first, ended, other]) await store.transfers.insert(db, row);
      const running = { reference: [first.reference, ended.reference], status: 'processing' } as const;
      const shares = [{ order: 'mfp_1', old_id: 1, amount_paise: 12_345 }];
      await store.transfers.update(db, running, { failure_code: null, shares });
      const rows = await store.transfers.list(db, { payment_reference: 'P1' }, 't.reference');
      expect(rows).toEqual([{ ...first, shares }, ended, other]);
    });
  });

  it('keeps the statements apart: each text has its own name', async () => {
    const asked: string[] = [];
    const recording: Queryable = {
      query: <Row>({ name, text }: { name: string; text: string }) => {
        asked.push(`${name}: ${text}`);
        return Promise.resolve<Row[]>([]);
      },
    };
    await orders.find(recording, { reference: 'a' });
    await orders.find(recording, { reference: 'b' });
    await orders.find(recording, { reference: ['a', 'b'] });
    await orders.find(recording, { order_reference: null });
    const names = asked.map((text) => text.split(':')[0]);
    expect(asked[0]).toBe(asked[1]);
    expect(new Set(names).size).toBe(3);
    expect(names.every((name) => name && name.length < 64)).toBe(true);
  });
});

/** Waits until another connection waits for a lock. */
async function untilWaiting(db: Database): Promise<void> {
  const waiting = sql(
    'spec.waiting',
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  await waitFor(async () => (await db.query(waiting)).length > 0);
}

async function insertPayment(db: Database, reference: string): Promise<void> {
  await store.payments.insertOnce(db, {
    ...{
      reference,
      tenant: 'demo',
      created_at: AT,
      kind: 'payment',
      provider: 'gatewaypoa',
      payment_id: null,
    },
    ...{ amount: Decimal.parse('1'), payee_name: 'Payee', upi_uri: '', vpa: null, expires_at: AT },
    ...{ status: 'awaiting_payer', provider_reference: null, failure_code: null, failure_message: null },
    ...{ transfer_refusal: null, third_party: false, captures: 0, first_reference: null },
  });
}
