import { addDays, Decimal } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { SILENCE } from '../testing/fake-provider.ts';
import { MandatesUnderTest } from '../testing/mandates-under-test.ts';

/** The investor changes the limit and the last day at the issuer, with its second factor; the API offers no change. */
describe('a mandate that its investor has changed (mandate_modification, MAN-26)', () => {
  let mandates: MandatesUnderTest;
  beforeEach(async () => {
    mandates = await MandatesUnderTest.start(2);
  });
  afterEach(() => mandates.stop());

  /** The issuer has these terms, and reports them. */
  const change = async (id: number, limit: string | null, valid_to: string | null = null) => {
    const terms = { limit: limit === null ? null : Decimal.parse(limit), valid_to };
    mandates.provider.terms.set(`tok_${id}`, terms);
    await mandates.callback(`tok_${id}`, 'active');
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
    expect(await mandates.get(id)).toMatchObject({
      ...{ mandate_status: 'APPROVED', mandate_limit: { rawJSON: '3000.0000' }, valid_to: '2030-12-31' },
    });
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
    const hasFailed = async () => {
      mandates.wake();
      return (await mandates.debit()).state === 'failed';
    };
    await waitFor(hasFailed, { what: 'the debit to fail' });
    expect(mandates.provider.executed).toEqual([]);
  });
});
