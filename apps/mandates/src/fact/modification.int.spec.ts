import { addDays, Decimal } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { SILENCE } from '../testing/fake-provider.ts';
import { DAY_MS } from '../testing/mandate.builder.ts';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

const ROUNDS = [0, 1, 2, 3, 4, 5, 6, 7];

/** The investor changes the limit and the last day at the issuer, with its second factor; the API offers no change. */
describe('a mandate that its investor has changed (mandate_modification, MAN-26)', () => {
  let mandates: MandatesUnderTest;
  beforeEach(async () => {
    mandates = await MandatesUnderTest.start(2);
  });
  afterEach(() => mandates.stop());

  /** The issuer has these terms, and reports them. */
  const change = async (id: number, limit: string | null, valid_to: string | null = null, at = 0) => {
    const terms = { limit: limit === null ? null : Decimal.parse(limit), valid_to };
    mandates.provider.terms.set(`tok_${id}`, terms);
    return mandates.callback(
      `tok_${id}`,
      mandates.provider.states.get(`tok_${id}`) ?? 'active',
      undefined,
      'good',
      at,
    );
  };
  const limitOf = async (id: number) => Number(JSON.stringify((await mandates.get(id)).mandate_limit));
  const hasFailed = async () => {
    mandates.wake();
    return (await mandates.debit()).state === 'failed';
  };
  const modified = async (id: number, times = 1) => {
    const isTaken = async () => {
      mandates.wake();
      return (await mandates.eventsOf(id)).filter((type) => type === 'modified').length === times;
    };
    await waitFor(isTaken, { what: `mandate ${id} to be modified` });
  };

  it('has its new terms once for any number of reports, and an event with the former ones', async () => {
    const id = await mandates.createApproved();
    await change(id, '3000', '2030-12-31');
    await modified(id);
    await change(id, '3000', '2030-12-31');
    await mandates.settled();
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'modified']);
    expect(await mandates.get(id)).toMatchObject({ mandate_status: 'APPROVED', valid_to: '2030-12-31' });
    expect(await limitOf(id)).toBe(3000);
    const [event] = await mandates.rows<{ before: string }>(
      `SELECT data::json #>> '{previous_attributes,mandate_limit}' AS before FROM outbox WHERE type = 'mandate.modified'`,
    );
    expect(Number(event?.before)).toBe(5000);
  });

  it('lowered below a debit that waits, which fails before any call, and a lower one is admitted', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    await change(id, '999.99');
    await modified(id);
    await mandates.due(id, 9001);
    expect(await mandates.execute(9001)).toBe('not attempted');
    expect(await mandates.debit()).toMatchObject({ state: 'failed', failure_code: 'mandate_limit_exceeded' });
    expect(mandates.provider.executed).toEqual([]);
    const admit = (payment_id: number, amount: string) =>
      mandates.admit(id, { payment_id, old_id: payment_id, amount: Decimal.parse(amount) });
    expect((await admit(9002, '1000')).outcome).toBe('refused');
    expect((await admit(9003, '999.99')).outcome).toBe('admitted');
  });

  it('raised, allows a debit above the former limit', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE', mandate_limit: 999 });
    const asked = { payment_id: 9002, old_id: 502 };
    expect((await mandates.admit(id, asked)).outcome).toBe('refused');
    await change(id, '1000');
    await modified(id);
    expect((await mandates.admit(id, asked)).outcome).toBe('admitted');
  });

  it('shortened, expires after its new last day, and lengthened, not before', async () => {
    const [short, long] = [
      await mandates.createApproved(),
      await mandates.createApproved({ valid_to: mandates.today }),
    ];
    const { today } = mandates;
    await change(short, null, today);
    await change(long, null, addDays(today, 1));
    await modified(short);
    await modified(long);
    mandates.clock.set(`${addDays(today, 1)}T00:00:00.000+05:30`);
    expect((await mandates.inStatus(short, 'EXPIRED')).valid_to).toBe(today);
    await mandates.settled();
    expect((await mandates.get(long)).mandate_status).toBe('APPROVED');
    mandates.clock.set(`${addDays(today, 2)}T00:00:00.000+05:30`);
    await mandates.inStatus(long, 'EXPIRED');
  });

  it('while a debit is due on two replicas, is debited only once the new terms are known', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    await mandates.settled();
    const { onStatus } = mandates.provider;
    mandates.provider.onStatus = () => SILENCE;
    await change(id, '999.99');
    await mandates.due(id, 9001);
    for (const at of [0, 1]) expect(await mandates.tried(9001, at)).toBe('not attempted');
    mandates.provider.onStatus = onStatus;
    await mandates.pass(5_000);
    await modified(id);
    await mandates.pass(60_000);
    await waitFor(hasFailed, { what: 'the debit to fail' });
    expect(mandates.provider.executed).toEqual([]);
  });

  it('lowered below a debit whose notice is out, which fails at its time without a call, and whose notice is withdrawn', async () => {
    const id = await mandates.createApproved();
    await mandates.admit(id);
    await mandates.ready(id);
    const isPlanned = async () => {
      mandates.wake();
      return (await mandates.debit()).state === 'planned';
    };
    await waitFor(isPlanned, { what: 'the notice' });
    expect(mandates.provider.notices).toHaveLength(1);
    await change(id, '999.99');
    await modified(id);
    await mandates.pass(28 * 3_600_000);
    await waitFor(hasFailed, { what: 'the debit to fail' });
    await mandates.settled();
    expect((await mandates.debit()).failure_code).toBe('mandate_limit_exceeded');
    expect(
      await mandates.rows('SELECT FROM mandate_debits WHERE notice_withdrawn_at IS NOT NULL'),
    ).toHaveLength(1);
    expect(mandates.provider.executed).toEqual([]);
    expect((await mandates.get(id)).mandate_status).toBe('APPROVED');
  });

  it('shortened to before a planned debit, which fails before any call, and no other is admitted for such a day', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    await mandates.due(id, 9001, 2 * DAY_MS);
    await change(id, null, mandates.today);
    await modified(id);
    expect((await mandates.admit(id, { payment_id: 9002, old_id: 502 })).outcome).toBe('refused');
    await mandates.pass(2 * DAY_MS);
    await waitFor(hasFailed, { what: 'the debit to fail' });
    expect([await mandates.debit(), mandates.provider.executed]).toEqual([
      { state: 'failed', failure_code: 'mandate_cancelled' },
      [],
    ]);
    expect((await mandates.inStatus(id, 'EXPIRED')).valid_to < mandates.today).toBe(true);
  });

  it('lowered after the execution of a debit, whose result counts', async () => {
    const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
    await mandates.due(id, 9001);
    expect(await mandates.execute(9001)).toBe('attempted');
    await change(id, '1');
    await modified(id);
    expect(await mandates.debit()).toEqual({ state: 'attempting', failure_code: null });
  });

  it('twice has the last terms, also when the reports are late, doubled and out of order', async () => {
    const id = await mandates.createApproved();
    await change(id, '3000');
    await modified(id);
    await change(id, '4000');
    await modified(id, 2);
    const now = mandates.provider.onStatus;
    mandates.provider.onStatus = () => ({
      ...{
        kind: 'yes',
        value: { status: 'active', terms: { limit: Decimal.parse('4000'), valid_to: null } },
      },
    });
    for (const late of ['3000', '4000', '3000']) await change(id, late);
    await mandates.settled();
    mandates.provider.onStatus = now;
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'modified', 'modified']);
    expect(await limitOf(id)).toBe(4000);
    expect((await mandates.admit(id)).outcome).toBe('admitted');
  });

  it('above the law is debited up to the limit of the law', async () => {
    const id = await mandates.createApproved();
    await change(id, '200000', '2100-01-01');
    await modified(id);
    const { valid_to } = await mandates.get(id);
    expect([await limitOf(id), valid_to]).toEqual([100_000, '2056-12-21']);
    await change(id, '150000');
    await mandates.settled();
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'modified']);
  });

  it('before its approval has the terms after it, and while it is paused once it is resumed', async () => {
    const id = await mandates.create();
    await change(id, '3000');
    expect(await limitOf(id)).toBe(5000);
    await mandates.authorisationFact({ mandate_id: id });
    await modified(id);
    mandates.provider.states.set(`tok_${id}`, 'paused');
    await mandates.callback(`tok_${id}`, 'paused');
    await mandates.inStatus(id, 'PAUSED');
    await change(id, '2000');
    await mandates.settled();
    expect(await limitOf(id)).toBe(3000);
    mandates.provider.states.set(`tok_${id}`, 'active');
    await mandates.callback(`tok_${id}`, 'active');
    await modified(id, 2);
    expect(await mandates.eventsOf(id)).toEqual([
      ...['created', 'approved', 'modified', 'paused', 'resumed', 'modified'],
    ]);
  });

  it('after its end stays as it was', async () => {
    const id = await mandates.createApproved();
    await mandates.cancel(id);
    await change(id, '3000');
    await mandates.settled();
    expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'cancelled']);
  });

  it('at the moment of a pause has both, the terms first', async () => {
    for (const at of ROUNDS) {
      const id = await mandates.createApproved();
      mandates.provider.states.set(`tok_${id}`, 'paused');
      await Promise.all([
        change(id, '3000', null, at % 2),
        mandates.callback(`tok_${id}`, 'paused', undefined, 'good', 1 - (at % 2)),
      ]);
      await mandates.inStatus(id, 'PAUSED');
      await mandates.settled();
      expect(await mandates.eventsOf(id)).toEqual(['created', 'approved', 'modified', 'paused']);
      expect(await limitOf(id)).toBe(3000);
    }
  });

  it('at the moment of a cancel is cancelled, and nothing is changed after it', async () => {
    for (const at of ROUNDS) {
      const id = await mandates.createApproved();
      const [, cancelled] = await Promise.all([
        change(id, '3000', null, at % 2),
        mandates.cancel(id, { at: 1 - (at % 2) }),
      ]);
      expect(cancelled.status).toBe(200);
      await mandates.settled();
      expect((await mandates.eventsOf(id)).at(-1)).toBe('cancelled');
      expect((await mandates.get(id)).mandate_status).toBe('CANCELLED');
    }
  });

  it('at the moment of a debit: it is begun before the report has its answer, or not at all', async () => {
    for (const at of ROUNDS) {
      const id = await mandates.createApproved({ mandate_type: 'E_MANDATE' });
      const payment_id = 20_000 + id;
      await mandates.settled();
      const report = async () => {
        expect((await change(id, '999.99', null, at % 2)).status).toBe(200);
        return mandates.attempts(payment_id);
      };
      const debit = async () => {
        await mandates.due(id, payment_id);
        return mandates.tried(payment_id, 1 - (at % 2));
      };
      const [atAnswer, outcome] = await Promise.all([report(), debit()]);
      await modified(id);
      await mandates.settled();
      const begun = await mandates.attempts(payment_id);
      expect(begun).toEqual(atAnswer);
      expect(outcome).toBe(begun.length > 0 ? 'attempted' : 'not attempted');
    }
  });
});
