import { parseJson, raisedDebit, raisedDebits } from '@fundrail/contracts';
import { noSuchObject, setFaultHandler, serviceToken, waitFor } from '@fundrail/testing';
import { jest } from '@jest/globals';
import type { FakeMandate } from '../testing/fake-mandates.ts';
import type { FakeOrder } from '../testing/fake-neighbours.ts';
import { PaymentsStage } from '../testing/start-payments.ts';

describe('a debit that orders requests for an installment (PLAN-23)', () => {
  let stage: PaymentsStage;
  let mandate: FakeMandate;
  let order: FakeOrder;
  beforeEach(async () => {
    stage = await PaymentsStage.start();
    mandate = stage.neighbours.mandates.anApproved();
    order = stage.neighbours.anInstallment();
  });
  afterEach(() => stage.stop());

  const post = (changes: object = {}) =>
    stage.send(
      'POST',
      '/internal/payments/debits',
      { tenant: 'demo', mandate_id: mandate.id, old_id: order.old_id, order_id: order.id, ...changes },
      { authorization: serviceToken('orders') },
    );
  const request = async (changes: object = {}) => {
    const answer = await post(changes);
    if (answer.status !== 200) throw new Error(answer.body);
    return raisedDebit.parse(parseJson(answer.body));
  };
  const raised = async () => {
    const answer = await request();
    if (answer.outcome !== 'raised') throw new Error(answer.message);
    return answer.payment_id;
  };
  const payments = () => stage.rows<{ id: number }>('SELECT id FROM payments');

  it('is a NACH payment, and mandates may start immediately, because the installment is confirmed', async () => {
    const id = await raised();
    expect(await stage.get(id)).toMatchObject({ payment_type: 'NACH', amc_order_ids: [order.old_id] });
    const [pending, fact, ...others] = await stage.eventRows(id);
    expect([pending?.type, fact?.type, others]).toEqual(['payment.pending', 'payment.debit_fact', []]);
    expect(parseJson(fact?.data ?? '')).toMatchObject({ object: { payment_id: id, order: 'ready' } });
  });

  it.each([
    ['E_MANDATE', 'calendar_day', 'calendar_day'],
    ['E_MANDATE', 'sometimes', undefined],
    ['UPI', 'calendar_day', undefined],
  ] as const)(
    'of a %s with the choice %s has its first day as %s (DEB-12)',
    async (mandate_type, first_on, sent) => {
      Object.assign(stage.neighbours.settings, { policies: { nach_debit_days: { first_on } } });
      mandate = stage.neighbours.mandates.anApproved({ mandate_type });
      const admitted = `admit ${await raised()}`;
      expect(stage.neighbours.mandates.calls).toContain(sent ? `${admitted} ${sent}` : admitted);
    },
  );

  it('is raised without the choice where identity does not answer (DEB-12)', async () => {
    Object.assign(stage.neighbours.settings, { policies: { nach_debit_days: { first_on: 'calendar_day' } } });
    mandate = stage.neighbours.mandates.anApproved({ mandate_type: 'E_MANDATE' });
    stage.neighbours.silent.add('identity');
    expect(stage.neighbours.mandates.calls).toContain(`admit ${await raised()}`);
  });

  it('gets the same answer when it is requested again, also after it has ended', async () => {
    const id = await raised();
    expect(await request()).toEqual({ outcome: 'raised', payment_id: id, status: 'PENDING' });
    await stage.send('POST', `/api/pg/payments/${id}/cancel`, {});
    await stage.until(id, ({ status }) => status === 'FAILED');
    expect(await request()).toEqual({ outcome: 'raised', payment_id: id, status: 'FAILED' });
    expect(await payments()).toEqual([{ id }]);
  });

  it('is raised once when it is requested many times concurrently', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post()));
    const ids = answers
      .filter(({ status }) => status === 200)
      .map(({ body }) => raisedDebit.parse(parseJson(body)));
    expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 503)).toEqual(
      [],
    );
    const again = await request();
    expect(
      new Set([...ids, again].map((answer) => answer.outcome === 'raised' && answer.payment_id)).size,
    ).toBe(1);
    expect([(await payments()).length, stage.neighbours.mandates.debits.size]).toEqual([1, 1]);
  });

  it('is raised with others in one call, each with its own result, in the order of the request (SIP-25)', async () => {
    const other = stage.neighbours.anInstallment();
    const debit = { tenant: 'demo', mandate_id: mandate.id, old_id: order.old_id, order_id: order.id };
    const debits = [
      { ...debit, old_id: other.old_id, order_id: other.id },
      { ...debit, mandate_id: 999_999 },
    ];
    const send = () =>
      stage.send(
        'POST',
        '/internal/payments/debits/batch',
        { debits },
        { authorization: serviceToken('orders') },
      );
    const { results } = raisedDebits.parse(parseJson((await send()).body));
    expect(results).toMatchObject([{ outcome: 'raised', status: 'PENDING' }, { outcome: 'refused' }]);
    expect(raisedDebits.parse(parseJson((await send()).body)).results).toEqual(results);
    expect(await payments()).toHaveLength(1);
  });

  describe('together with others', () => {
    const PATH = '/internal/payments/debits/batch';
    const raiseAll = async (orders: readonly FakeOrder[], at = stage) => {
      const debits = orders.map(({ old_id, id: order_id }) => ({
        ...{ tenant: 'demo', mandate_id: mandate.id, old_id, order_id },
      }));
      const answer = await at.send('POST', PATH, { debits }, { authorization: serviceToken('orders') });
      return raisedDebits.parse(parseJson(answer.body)).results;
    };
    const outcomes = async (orders: readonly FakeOrder[]) =>
      (await raiseAll(orders)).map(({ outcome }) => outcome);
    /** On a busy machine an outcome may not be known in time, and is asked for again. */
    const untilKnown = (orders: readonly FakeOrder[]) =>
      waitFor(
        async () => {
          const found = await outcomes(orders);
          return found.includes('unknown') ? null : found;
        },
        { what: 'the outcome of each debit' },
      );
    const untilStored = (count: number) =>
      waitFor(async () => (await payments()).length === count, { what: `${count} payments` });
    const more = () => [order, stage.neighbours.anInstallment(), stage.neighbours.anInstallment()];

    it('shares the calls to other services, and one transaction', async () => {
      const orders = [...more(), stage.neighbours.anOrder({ state: 'submitted' })];
      await raiseAll(orders);
      await untilStored(orders.length);
      expect(stage.neighbours.claimCalls).toBe(1);
      expect(stage.neighbours.mandates.paths).toEqual(['batch', 'debits/batch']);
      const rows = await stage.rows<{ by: string }>('SELECT DISTINCT xmin::text AS by FROM payments');
      expect(rows).toHaveLength(1);
      const facts = `SELECT aggregate_id FROM outbox WHERE type = 'payment.debit_fact' GROUP BY 1 HAVING count(*) = 1`;
      expect(await stage.rows(facts)).toHaveLength(orders.length);
    });

    it('waits for its order on its own, and is reported so', async () => {
      const waiting = stage.neighbours.anOrder();
      await raiseAll([order, waiting]);
      await untilStored(2);
      const due = "SELECT key FROM due_work WHERE kind = 'debit.unconfirmed'";
      expect(await stage.rows(due)).toEqual([{ key: String(waiting.claimed_by) }]);
      const reported = async ({ claimed_by }: FakeOrder) => {
        const rows = await stage.eventRows(claimed_by ?? 0);
        return rows.flatMap(({ type, data }) => (type === 'payment.debit_fact' ? [parseJson(data)] : []));
      };
      expect(await reported(order)).toMatchObject([{ object: { order: 'ready' } }]);
      expect(await reported(waiting)).toMatchObject([{ object: { order: 'waiting' } }]);
    });

    it('is raised although another one of the group can not be stored', async () => {
      const { mandates } = stage.neighbours;
      stage.neighbours.realMandates = async ({ path, body = '' }) => {
        const answer = await mandates.answer(new URL(path, 'http://mandates'), body);
        if (path.endsWith('debits/batch'))
          await stage.rows(
            `INSERT INTO payment_ids (id, kind) SELECT payment_id, 'void' FROM order_debits WHERE old_id = $1`,
            order.old_id,
          );
        return answer;
      };
      const orders = more();
      expect((await outcomes(orders))[0]).toBe('unknown');
      await untilStored(orders.length - 1);
      stage.neighbours.realMandates = null;
      expect(await untilKnown(orders)).toEqual(['raised', 'raised', 'raised']);
      expect(await payments()).toHaveLength(orders.length);
    });

    it.each(['one call', 'two replicas'])('is raised once when it is requested twice at %s', async (what) => {
      const orders = more();
      if (what === 'one call') await raiseAll([...orders, ...orders]);
      else {
        const replica = await stage.replica();
        await Promise.all([raiseAll(orders), raiseAll([...orders].reverse(), replica)]);
        await replica.stop();
      }
      expect(await untilKnown(orders)).toEqual(['raised', 'raised', 'raised']);
      expect([(await payments()).length, stage.neighbours.mandates.debits.size]).toEqual([3, 3]);
      expect(new Set(orders.map(({ claimed_by }) => claimed_by)).size).toBe(3);
    });

    it('is raised by the next call when the answer about its admission is lost', async () => {
      const { mandates } = stage.neighbours;
      mandates.loses.add('debits/batch');
      expect(await outcomes(more())).toEqual(['unknown', 'unknown', 'unknown']);
      expect(await payments()).toEqual([]);
      mandates.loses.clear();
      const orders = more();
      expect(await untilKnown(orders)).toEqual(['raised', 'raised', 'raised']);
      expect(await payments()).toHaveLength(orders.length);
    });

    it('gets a new id after it was given up, in one statement for all', async () => {
      const { loses } = stage.neighbours.mandates;
      const orders = more();
      loses.add('debits/batch');
      expect(await outcomes(orders)).toEqual(['unknown', 'unknown', 'unknown']);
      loses.clear();
      const given = () => stage.rows<{ id: number }>(`SELECT id FROM payment_ids WHERE kind = 'void'`);
      expect(await given()).toHaveLength(orders.length);
      const queries = jest.spyOn(stage.service.database, 'query');
      expect(await untilKnown(orders)).toEqual(['raised', 'raised', 'raised']);
      const renewals = queries.mock.calls.filter(([{ name }]) => name === 'order_debits.renew');
      expect(renewals).toHaveLength(1);
      expect(await given()).toHaveLength(orders.length);
      expect(await payments()).toHaveLength(orders.length);
    });

    it('is raised where mandates of the release before admits each alone', async () => {
      const { mandates } = stage.neighbours;
      stage.neighbours.realMandates = async ({ path, body = '' }) =>
        path.endsWith('debits/batch')
          ? noSuchObject()
          : mandates.answer(new URL(path, 'http://mandates'), body);
      expect(await untilKnown(more())).toEqual(['raised', 'raised', 'raised']);
      expect(mandates.paths.filter((path) => path === 'debits')).toHaveLength(3);
    });

    it('is not refused when the whole call is, and is raised by the next one', async () => {
      const { mandates } = stage.neighbours;
      const refusal = { status: 400, code: 'BAD_REQUEST_ERROR', message: 'no', errors: [] };
      const body = JSON.stringify({ error: { ...refusal, request_id: 'req_1' } });
      for (const path of ['/internal/mandates/batch', '/internal/mandates/debits/batch']) {
        stage.neighbours.realMandates = async (request) =>
          request.path === path
            ? { status: 400, body }
            : mandates.answer(new URL(request.path, 'http://mandates'), request.body ?? '');
        expect(await outcomes(more())).toEqual(['unknown', 'unknown', 'unknown']);
      }
      stage.neighbours.realMandates = null;
      expect(await untilKnown(more())).toEqual(['raised', 'raised', 'raised']);
    });
  });

  it('does not hold up the answer about others while it takes long', async () => {
    const other = stage.neighbours.anInstallment();
    const debits = [order, other].map(({ old_id, id: order_id }) => ({
      ...{ tenant: 'demo', mandate_id: mandate.id, old_id, order_id },
    }));
    const fault = setFaultHandler('payments.debit_admitted');
    const path = '/internal/payments/debits/batch';
    const answer = await stage.send('POST', path, { debits }, { authorization: serviceToken('orders') });
    const { results } = raisedDebits.parse(parseJson(answer.body));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['raised', 'unknown']);
    fault.resume();
    await waitFor(async () => (await payments()).length === debits.length, { what: 'both debits' });
  });

  it.each(['payments.id_drawn', 'payments.claimed', 'payments.debit_admitted'] as const)(
    'continues where a call stopped at %s',
    async (point) => {
      const fault = setFaultHandler(point);
      const first = post();
      await fault.reached;
      const id = await raised();
      expect(order.claimed_by).toBe(id);
      fault.resume();
      expect(raisedDebit.parse(parseJson((await first).body))).toMatchObject({ payment_id: id });
      expect([await payments(), order.claimed_by]).toEqual([[{ id }], id]);
    },
  );

  it('gets a new id after a call without an answer was given up', async () => {
    stage.neighbours.losesClaimAnswers = true;
    expect((await post()).status).toBe(503);
    stage.neighbours.losesClaimAnswers = false;
    expect(order.claimed_by).toBe(null);
    const id = await raised();
    expect([await payments(), order.claimed_by]).toEqual([[{ id }], id]);
  });

  it('stays refused when it is requested again', async () => {
    mandate.mandate_status = 'PAUSED';
    const refusal = { outcome: 'refused', code: 'MANDATE_NOT_APPROVED', message: 'MANDATE_NOT_APPROVED' };
    expect(await request()).toEqual(refusal);
    mandate.mandate_status = 'APPROVED';
    expect(await request()).toEqual(refusal);
    expect([await payments(), order.claimed_by]).toEqual([[], null]);
  });

  it('stays raised when a late call is refused', async () => {
    const fault = setFaultHandler('payments.claimed');
    const late = post();
    await fault.reached;
    const id = await raised();
    mandate.mandate_status = 'PAUSED';
    fault.resume();
    expect(raisedDebit.parse(parseJson((await late).body))).toMatchObject({ payment_id: id });
    expect(await request()).toMatchObject({ outcome: 'raised', payment_id: id });
    expect([await payments(), order.claimed_by]).toEqual([[{ id }], id]);
  });

  it.each([
    ['an unknown mandate', { mandate_id: 999 }],
    ['another order of that number', { order_id: `mfrd_${'f'.repeat(32)}` }],
    ['another tenant', { tenant: 'other' }],
  ])('is refused for %s, and does not claim the order', async (_what, changes) => {
    expect(await request(changes)).toMatchObject({ outcome: 'refused', code: 'BAD_REQUEST_ERROR' });
    expect([await payments(), order.claimed_by]).toEqual([[], null]);
  });

  it('is the debit that a client has already requested', async () => {
    const { id } = (await stage.debit(mandate.id, order)).json<{ id: number }>();
    expect(await request()).toEqual({ outcome: 'raised', payment_id: id, status: 'PENDING' });
    expect(await request()).toEqual({ outcome: 'raised', payment_id: id, status: 'PENDING' });
  });
});
