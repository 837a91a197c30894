import { istTimestamp, type MfRedemptionPlanDto, type SkipInstructionDto } from '@fundrail/contracts';
import { waitFor } from '@fundrail/testing';
import { countSilentSince } from './plan.repository.ts';
import { quietDayAfter } from '../testing/days.ts';
import { PASSED, REGISTERED, SILENCE } from '../testing/fake-plan-gateway.ts';
import { aPlanBody, DAY_MS } from '../testing/plan.builder.ts';
import { PLANS, PlansUnderTest } from '../testing/plans-under-test.ts';

const CONSENT = { email: 'asha.rao@example.com' };

describe('plans over HTTP', () => {
  let stage: PlansUnderTest;
  beforeAll(async () => {
    stage = await PlansUnderTest.start();
  });
  afterAll(() => stage.stop());

  const patch = (id: string, body: object) => stage.refused('PATCH', PLANS, { body: { id, ...body } });
  const idsOf = async (query: string, tenant = 'demo') => {
    const { body } = await stage.ask<{ data: MfRedemptionPlanDto[] }>('GET', `${PLANS}?${query}`, { tenant });
    return body.data.map(({ id }) => id);
  };

  it('take the proof of their consent, on which every installment is confirmed, and need it where so chosen (ORD-32)', async () => {
    const at = istTimestamp(stage.clock.now());
    const proof = { method: 'otp', channel: 'email', sent_at: at, verified_at: at };
    const evidence = { ...proof, reference: 'otp-check-5521', verified_by: 'rta' };
    const date = quietDayAfter(await stage.service.database.now());
    const day = { installment_day: Number(date.slice(8)) };
    const { id: later } = await stage.create({ consent: undefined });
    await stage.callback(later, PASSED);
    stage.neighbours.settings.policies = { two_factor_consent: { evidence: 'required' } };
    const created = await stage.refused('POST', PLANS, { body: aPlanBody({ consent: CONSENT }) });
    expect([created.status, created.body.error.code]).toEqual([422, 'TWO_FACTOR_MISSING']);
    expect((await patch(later, { consent: CONSENT })).body.error.code).toBe('TWO_FACTOR_MISSING');
    const old = {
      ...evidence,
      sent_at: '2020-01-01T10:00:00.000+05:30',
      verified_at: '2020-01-01T10:00:00.000+05:30',
    };
    const long = { ...evidence, sent_at: `2026-12-21T10:00:00.${'0'.repeat(10)}+05:30` };
    const future = istTimestamp(new Date(stage.clock.now().getTime() + 1));
    for (const faulty of [old, long, { ...evidence, verified_at: future }]) {
      const consent = { ...CONSENT, evidence: faulty };
      expect((await patch(later, { consent })).status).toBe(400);
      expect((await stage.refused('POST', PLANS, { body: aPlanBody({ consent }) })).status).toBe(400);
    }
    const again = { ...CONSENT, evidence: { ...evidence, reference: 'another' } };
    const both = [{ ...CONSENT, evidence }, again].map((consent) => patch(later, { consent }));
    expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([200, 409]);
    const { id } = await stage.createActive({ ...day, consent: { ...CONSENT, evidence } });
    stage.neighbours.settings.policies = {};
    await stage.at(`${date}T00:05`);
    expect(await stage.published(id)).toMatchObject([{ consent: { evidence } }]);
  });

  it('accept their consent separately after the review, and once; another contact is a 400 (PLAN-7)', async () => {
    const { id } = await stage.create({ consent: undefined });
    expect((await patch(id, { consent: CONSENT })).body.error.code).toBe('ILLEGAL_TRANSITION');
    await stage.callback(id, PASSED);
    const foreign = await patch(id, { consent: { email: 'other@example.com' } });
    expect([foreign.status, foreign.body.error.errors[0]?.field]).toEqual([400, 'consent.email']);
    expect((await patch(id, { state: 'confirmed' })).body.error.code).toBe('CONSENT_MISSING');

    const alone = await stage.ask('PATCH', PLANS, { body: { id, consent: CONSENT } });
    expect(alone.body).toMatchObject({ state: 'review_completed', consent: CONSENT });
    expect((await patch(id, { consent: CONSENT })).body.error.code).toBe('CONSENT_ALREADY_SET');
    const created = await stage.refused('POST', PLANS, {
      body: aPlanBody({ consent: { mobile: '9999999999' } }),
    });
    expect([created.status, created.body.error.errors[0]?.field]).toEqual([400, 'consent.mobile']);
  });

  it('are found by their states, account and reference, newest first, and only by their tenant (PLAN-11)', async () => {
    const failed: string[] = [];
    for (const source_ref_id of ['list-1', 'list-2', 'list-3']) {
      const { id } = await stage.create({ source_ref_id });
      const review = { result: 'failed', failure_code: 'no' } as const;
      await stage.callback(id, { review, registration: { result: 'none' } });
      failed.unshift(id);
    }
    const { id: active } = await stage.createActive();

    expect(await idsOf('states=failed')).toEqual(failed);
    expect(await idsOf('states=failed&limit=2')).toEqual(failed.slice(0, 2));
    expect(await idsOf(`states=failed&starting_after=${failed[0]}`)).toEqual(failed.slice(1));
    const both = await idsOf('states=failed,active');
    expect(both.slice(0, 4)).toEqual([active, ...failed]);
    expect(await idsOf('source_ref_id=list-2')).toEqual([failed[1]]);
    expect(await idsOf(`states=failed&mf_investment_account=mfia_${'b'.repeat(32)}`)).toEqual([]);
    expect(await idsOf('states=failed', 'other')).toEqual([]);
    const foreign = await stage.refused('GET', `${PLANS}?starting_after=${active}`, { tenant: 'other' });
    expect([foreign.status, foreign.body.error.errors[0]?.field]).toEqual([400, 'starting_after']);
    const again = await stage.refused('POST', PLANS, { body: aPlanBody({ source_ref_id: 'list-1' }) });
    expect([again.status, again.body.error.errors[0]?.field]).toEqual([400, 'source_ref_id']);
  });

  it('without an answer of the gateway count as unresolved after a day, until it answers (PLAN-8, GATE-5)', async () => {
    stage.gateway.onRegister = () => SILENCE;
    const { id } = await stage.create();
    await stage.callback(id, PASSED);
    await stage.settled();
    const unresolved = async () => {
      const { database } = stage.service;
      return countSilentSince(database, new Date((await database.now()).getTime() - DAY_MS));
    };
    expect(await unresolved()).toBe(0);
    for (let hours = 0; hours < 26; hours += 1) {
      stage.clock.advance(3_600_000);
      await stage.settled();
    }
    expect(await unresolved()).toBe(1);
    const line = stage.log.findLast((text) => text.includes('a plan is unresolved')) ?? '{}';
    expect(JSON.parse(line)).toMatchObject({ id, in_all: 1 });

    stage.gateway.onRegister = () => ({ kind: 'yes', value: REGISTERED });
    stage.clock.advance(3_600_000);
    await stage.inState(id, 'active');
    expect(await unresolved()).toBe(0);
  });

  it('cause a status question when a callback cannot be read; a cancelled plan changes no more', async () => {
    const [{ id }, { id: cancelled }] = [await stage.create(), await stage.create()];
    await stage.ask('POST', `${PLANS}/${cancelled}/cancel`, { body: { cancellation_code: 'invest_later' } });
    await stage.settled();
    stage.gateway.known.set(id, PASSED);
    await stage.callback(id, null);
    await stage.callback(cancelled, REGISTERED);

    await waitFor(() => stage.gateway.callsAbout(id).includes('status'));
    await stage.inState(id, 'active');
    expect((await stage.eventsOf(cancelled)).at(-1)).toBe('cancelled');
    expect(await stage.rows('SELECT FROM due_work WHERE key = $1', cancelled)).toEqual([]);
  });

  it('ignore the end of an installment that is reported for another redemption', async () => {
    const date = quietDayAfter(await stage.service.database.now());
    const { id } = await stage.createActive({
      installment_day: Number(date.slice(8)),
      number_of_installments: 1,
    });
    await stage.at(`${date}T00:05`);
    const [installment] = await stage.published(id);
    if (!installment) throw new Error('one was due');
    await stage.ended({ ...installment, redemption: `mfrd_${'f'.repeat(32)}` });
    expect((await stage.get(id)).state).toBe('active');
    await stage.ended(installment);
    expect((await stage.get(id)).state).toBe('completed');
  });

  describe('and their skips', () => {
    const skip = (id: string, body: object) =>
      stage.refused('POST', `${PLANS}/${id}/skip_instructions`, { body });

    it('are refused with 409 and both states when nothing more will be generated', async () => {
      const { id: created } = await stage.create();
      const date = quietDayAfter(await stage.service.database.now());
      const day = { installment_day: Number(date.slice(8)), number_of_installments: 1 };
      const { id: made } = await stage.createActive(day);
      await stage.at(`${date}T00:05`);
      for (const [id, state] of [
        [created, 'created'],
        [made, 'active'],
      ] as const) {
        const { status, body } = await skip(id, { from: '2099-01-01' });
        expect([status, body.error.code]).toEqual([409, 'ILLEGAL_TRANSITION']);
        expect(body.error.message).toMatch(new RegExp(`"${state}".*"active"`));
      }
    });

    it('count what is to come, without the first date that an installment "now" has replaced', async () => {
      const date = quietDayAfter(await stage.service.database.now());
      await stage.service.dueWorker.stop();
      const { id } = await stage.create({
        ...{ installment_day: Number(date.slice(8)), generate_first_installment_now: true },
      });
      await stage.callback(id, REGISTERED);
      const skipped = async (from: string, to: string) =>
        (
          await stage.ask<SkipInstructionDto>('POST', `${PLANS}/${id}/skip_instructions`, {
            body: { from, to },
          })
        ).body;

      expect((await skipped(date, date)).remaining_installments).toBe(0);
      expect((await skipped(date, '2099-01-01')).remaining_installments).toBe(11);
      stage.service.dueWorker.start();
      await stage.settled();
    });

    it('show orders the plan and the days that they skip, up to the last day of a cancelled one (ORD-33)', async () => {
      const { id } = await stage.createActive();
      const days = { from: '2098-01-01', to: '2098-12-31' };
      const made = await stage.ask<SkipInstructionDto>('POST', `${PLANS}/${id}/skip_instructions`, {
        body: days,
      });
      const read = (tenant: string) =>
        stage.asService('orders', `/internal/plans/skip_instructions/${made.body.id}?tenant=${tenant}`);
      expect((await read('demo')).body).toEqual({ plan: id, ...days });
      expect((await read('other')).status).toBe(404);
      await stage.ask('POST', `${PLANS}/skip_instructions/${made.body.id}/cancel`);
      const { body } = await read('demo');
      expect((body as { to: string }).to < days.from).toBe(true);
    });

    it('are listed newest first, after one of the same plan (PLAN-26)', async () => {
      const [{ id }, other] = [await stage.createActive(), await stage.createActive()];
      const made = async (plan: string, from: string) =>
        (
          await stage.ask<SkipInstructionDto>('POST', `${PLANS}/${plan}/skip_instructions`, {
            body: { from, to: from },
          })
        ).body.id;
      const [first, second] = [await made(id, '2098-01-01'), await made(id, '2098-02-01')];
      const idsAfter = async (after: string) => {
        const url = `${PLANS}/${id}/skip_instructions?starting_after=${after}`;
        return (await stage.ask<{ data: SkipInstructionDto[] }>('GET', url)).body.data.map((skip) => skip.id);
      };
      expect([await idsAfter(second), await idsAfter(first)]).toEqual([[first], []]);
      const foreign = await made(other.id, '2098-01-01');
      const url = `${PLANS}/${id}/skip_instructions?starting_after=${foreign}`;
      const refused = await stage.refused('GET', url);
      expect([refused.status, refused.body.error.errors[0]?.field]).toEqual([400, 'starting_after']);
    });

    it('leave the investor’s contacts out of the event of a skipped installment', async () => {
      const date = quietDayAfter(await stage.service.database.now());
      const day = { installment_day: Number(date.slice(8)), user_ip: '203.0.113.24' };
      const [skipped, made] = [await stage.createActive(day), await stage.createActive(day)];
      await skip(skipped.id, { from: date });
      await stage.at(`${date}T00:05`);

      expect(await stage.published(skipped.id)).toMatchObject([
        { state: 'cancelled', consent: null, user_ip: null },
      ]);
      expect(await stage.published(made.id)).toMatchObject([
        { consent: { mobile: '9800012345' }, user_ip: '203.0.113.24' },
      ]);
    });
  });
});
