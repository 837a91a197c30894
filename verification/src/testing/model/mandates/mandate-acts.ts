import { addDays, istDate, type MandateDto, type ProviderName } from '@fundrail/contracts';
import type { AuthorisationStatus, MandateState } from '@fundrail/providers';
import type { MandatesStage } from './mandates-stage.ts';
import type { Asked, MandatesWorld, Token } from './mandates-world.ts';
import { mandateOf, one, type ModelMandate, type Run } from './mandates-model.ts';

export type Way = 'uri' | 'collect' | 'sdk';
const WAYS: Readonly<Record<Way, object>> = {
  uri: { upi: { type: 'uri' } },
  collect: { upi: { type: 'collect', vpa: 'somebody@upi' } },
  sdk: {},
};

/** `days`: how long it is valid; null for the maximum. */
export function createMandate(
  type: ModelMandate['type'],
  provider: ProviderName,
  limit: string,
  days: number | null,
): Run {
  return async (model, stage) => {
    const today = istDate(stage.clock.now());
    const { status, body } = await stage.send('POST', '/api/pg/mandates', {
      ...{ mandate_type: type, bank_account_id: 7, provider_name: provider, mandate_limit: Number(limit) },
      ...(days === null ? {} : { valid_to: addDays(today, days) }),
    });
    expect(status).toBe(201);
    model.mandates.push({ id: Number(body['id']), type, provider });
  };
}

/** The client starts an authorisation; each obstacle is refused with its own code. */
export function authorise(which: number, way: Way): Run {
  return async (model, stage) => {
    const mandate = one(model.mandates, which);
    if (!mandate) return;
    const before = await mandateOf(stage, mandate.id);
    const running = await runningAuthorisations(stage, mandate.id);
    const excuses = [...stage.excuses, ...((await isHeldByTheDead(stage, mandate.id)) ? [409] : [])];
    const { status, body } = await stage.send('POST', '/api/pg/payments/emandate/auth', {
      mandate_id: mandate.id,
      ...WAYS[way],
    });
    const expected = expectedAnswers(mandate, before, way, running.length, istDate(stage.clock.now()));
    expect([...expected, ...excuses]).toContain(status);
    if (status === 200) model.authorisations.push({ id: Number(body['id']), mandate: mandate.id });
  };
}

/** The obstacles; if there are several, the refusal may name any of them. */
function expectedAnswers(
  { type, provider }: ModelMandate,
  { mandate_status, valid_to }: MandateDto,
  way: Way,
  running: number,
  today: string,
): readonly number[] {
  const isTaken = type === 'UPI' || (way === 'sdk' && provider === 'SDKVENDOR');
  const isFree = running === 0 && mandate_status === 'CREATED';
  const refusals = [...(isTaken && today <= valid_to ? [] : [400]), ...(isFree ? [] : [409])];
  return refusals.length > 0 ? refusals : [200];
}

/** A dead request holds the mandate's only authorisation until mandates asks about it a minute later. */
async function isHeldByTheDead(stage: MandatesStage, mandate: number): Promise<boolean> {
  const text = `SELECT FROM mandates WHERE id = $1 AND authorising_payment IS NOT NULL AND authorising_check_at > $2`;
  return (await stage.rows('mandates', text, [mandate, stage.clock.now()])).length > 0;
}

function runningAuthorisations(stage: MandatesStage, mandate: number): Promise<{ id: number }[]> {
  const text = `SELECT id FROM payments WHERE mandate_id = $1 AND payment_type = 'AUTH_TRANSACTION' AND status IN ('PENDING', 'SUBMITTED')`;
  return stage.rows('payments', text, [mandate]);
}

/** What the investor and the bank do about an authorisation. */
export type Answer = 'approve' | 'refuse' | 'reject' | 'receive' | 'submit';
const MAY: Readonly<Record<Answer, readonly AuthorisationStatus['status'][]>> = {
  approve: ['waiting', 'received', 'submitted'],
  refuse: ['waiting'],
  reject: ['waiting', 'received', 'submitted'],
  receive: ['waiting'],
  submit: ['waiting', 'received'],
};

export function answerAuthorisation(which: number, answer: Answer, isReported: boolean): Run {
  return async (_, stage) => {
    const { world } = stage;
    const open = [...world.asked.values()].filter(({ status }) => MAY[answer].includes(status.status));
    const asked = one(open, which);
    if (!asked) return;
    asked.status = statusAfter(world, asked, answer);
    const { reference } = asked.registration;
    const fact = { about: 'authorisation', authorisation: asked.status } as const;
    const callback = { event_id: `e${world.reports.length}`, reference, fact };
    world.report({ provider: asked.provider, path: pathOf(asked.provider), callback });
    if (isReported) await stage.sendReport(world.reports.length - 1);
  };
}

function statusAfter(world: MandatesWorld, asked: Asked, answer: Answer): AuthorisationStatus {
  const { registration, provider } = asked;
  const { reference } = registration;
  const names = { provider_id: provider === 'SDKVENDOR' ? 'cust_1' : null, umrn: `umrn${reference}` };
  const token = `tok${reference}`;
  switch (answer) {
    case 'approve':
      world.tokens.set(token, { token, provider, registration, state: 'active' });
      return { status: 'approved', provider_reference: `a${reference}`, mandate_token: token, ...names };
    case 'receive':
      return { status: 'received', mandate_token: null, provider_id: null, umrn: null };
    case 'submit':
      return { status: 'submitted', mandate_token: token, provider_id: names.provider_id, umrn: null };
    case 'refuse':
      return { status: 'failed', failure_code: 'user_cancelled', message: '' };
    case 'reject':
      return { status: 'rejected', failure_code: 'investor_bank_declined', message: '' };
    default:
      return answer satisfies never;
  }
}

export function pathOf(provider: ProviderName): string {
  return provider === 'SDKVENDOR' ? '/callbacks/sdkvendor' : '/callbacks/gatewaypoa/payments';
}

export type AtProvider = 'pause' | 'resume' | 'revoke' | 'expire';
const MOVES: Readonly<Record<AtProvider, readonly [MandateState['status'][], MandateState['status']]>> = {
  pause: [['active'], 'paused'],
  resume: [['paused'], 'active'],
  revoke: [['active', 'paused'], 'cancelled'],
  expire: [['active', 'paused'], 'expired'],
};

/** The investor changes the mandate in the UPI app or at the bank. */
export function changeAtProvider(which: number, move: AtProvider, isReported: boolean): Run {
  return async (_, stage) => {
    const [from, to] = MOVES[move];
    const token = one(
      [...stage.world.tokens.values()].filter(({ state }) => from.includes(state)),
      which,
    );
    if (token) await moveToken(stage, token, to, isReported);
  };
}

async function moveToken(
  stage: MandatesStage,
  token: Token,
  state: MandateState['status'],
  isReported: boolean,
): Promise<void> {
  const { world } = stage;
  token.state = state;
  const event_id = `e${world.reports.length}`;
  const { provider, token: mandate_token } = token;
  const onReceived = () => void (token.reported = state);
  if (provider === 'GATEWAYPOA')
    world.report({
      ...{ provider, path: '/callbacks/gatewaypoa/mandates', onReceived },
      callback: { event_id, mandate_token, state },
    });
  else
    world.report({
      ...{ provider, path: pathOf(provider), onReceived },
      callback: { event_id, reference: mandate_token, fact: { about: 'mandate', mandate_token, state } },
    });
  if (isReported) await stage.sendReport(world.reports.length - 1);
}

/** Sends one of all the providers' reports: late, again, or out of order. */
export function deliver(which: number, onlyNews: boolean): Run {
  return async (_, stage) => {
    const all = stage.world.reports.map(({ isReported }, index) => ({ isReported, index }));
    const report = one(onlyNews ? all.filter(({ isReported }) => !isReported) : all, which);
    if (report) await stage.sendReport(report.index);
  };
}

/** Cancels by the API. The answer contains exactly the debits in flight. */
export function cancelMandate(which: number): Run {
  return async (model, stage) => {
    const mandate = one(model.mandates, which);
    if (!mandate) return;
    const before = await mandateOf(stage, mandate.id);
    const inFlight = await debitsInFlight(stage, mandate.id);
    const { excuses } = stage;
    const { status, body } = await stage.send('POST', `/api/pg/mandates/${mandate.id}/cancel`);
    const may = before.mandate_status === 'APPROVED' || before.mandate_status === 'PAUSED';
    expect([may ? 200 : 409, ...excuses]).toContain(status);
    if (status !== 200) return;
    expect([...(body['debits_in_flight'] as number[])].sort()).toEqual(inFlight.sort());
    stage.world.book.close(mandate.id, 'CANCELLED', inFlight);
  };
}

/** The debits that are really in flight: attempts whose outcome the product does not know. */
export async function debitsInFlight(stage: MandatesStage, mandate: number): Promise<number[]> {
  const open = await stage.rows<{ payment_id: number }>(
    'mandates',
    `SELECT a.payment_id FROM debit_attempts a JOIN mandate_debits d USING (payment_id)
      WHERE d.mandate_id = $1 AND a.ended_at IS NULL`,
    [mandate],
  );
  return open.map(({ payment_id }) => payment_id);
}

/** The caller cancels, or the investor pauses, between the intent of a call about a debit and the call. */
export function meetCall(
  which: number,
  how: 'cancel' | 'pause',
  when: 'mandates.notice_begun' | 'mandates.attempt_begun',
): Run {
  return (model, stage) => {
    const mandate = one(model.mandates, which);
    if (!mandate) return Promise.resolve();
    const act = async () => {
      if (how === 'cancel') {
        const { status, body } = await stage.send('POST', `/api/pg/mandates/${mandate.id}/cancel`);
        if (status === 200)
          stage.world.book.close(mandate.id, 'CANCELLED', body['debits_in_flight'] as number[]);
        return;
      }
      const { mandate_token } = await mandateOf(stage, mandate.id);
      const token = stage.world.tokens.get(mandate_token ?? '');
      if (token?.state === 'active') await moveToken(stage, token, 'paused', true);
    };
    stage.meetOnce(when, act);
    return Promise.resolve();
  };
}
