import { Decimal } from '@fundrail/contracts';
import { NOT_FOUND, YES } from '@fundrail/testing';
import { mandateUriFault } from '../mandate-uri.ts';
import { callbacksOf, NO_ANSWER, SAYING_NOTHING } from './conformance-stage.ts';
import { eventually } from './eventually.ts';
import { asked, authorisationOf, authorised, newRegistration, stateOf } from './mandate-stage.ts';
import type { MandateStage } from './mandate-stage.ts';

type Stage = () => MandateStage;

/** An authorisation from its URI to its end (MAN-11 to MAN-20). */
export function authorisationWalk(stage: Stage): void {
  it.each(['5000', '1001.5', '1.01', '100000'])(
    'given a limit of ₹%s, when the investor approves, then there is a mandate that is active',
    async (rupees) => {
      const registration = await newRegistration(stage(), { limit: Decimal.parse(rupees) });
      const answer = await stage().mandates.authoriseByUri(registration);
      if (answer.kind !== 'yes') throw new Error(JSON.stringify(answer));
      expect(mandateUriFault(answer.value.uri, registration, stage())).toBeNull();
      expect(await authorisationOf(stage(), registration.reference)).toEqual({ status: 'waiting' });
      await stage().pay(registration.payment_id);
      const status = await authorisationOf(stage(), registration.reference);
      if (status.status !== 'approved') throw new Error(status.status);
      const { mandate_token, provider_id, umrn } = status;
      const mandate = { mandate_type: 'UPI' as const, mandate_token, provider_id, umrn };
      expect(await stage().mandates.mandateStatus(mandate)).toEqual(stateOf(stage(), registration, 'active'));
    },
  );

  it('given an investor who declines, when it is asked about, then it failed with our code', async () => {
    const { reference, payment_id } = await asked(stage());
    await stage().decline(payment_id, 'investor_bank_declined');
    const failed = { status: 'failed', failure_code: 'investor_bank_declined' };
    expect(await authorisationOf(stage(), reference)).toMatchObject(failed);
  });

  it('given an investor who declined, when the approval comes late, then there is a mandate', async () => {
    const { reference, payment_id } = await asked(stage());
    await stage().decline(payment_id, 'user_cancelled');
    await stage().pay(payment_id);
    expect(await authorisationOf(stage(), reference)).toMatchObject({ status: 'approved' });
  });

  it('given a bank that takes days, when it approves, then it was submitted before', async () => {
    const { reference, mandate_id } = await asked(stage());
    await stage().act(mandate_id, 'SUBMITTED');
    const submitted = await authorisationOf(stage(), reference);
    if (submitted.status !== 'submitted') throw new Error(submitted.status);
    const { mandate_token } = submitted;
    expect(mandate_token).not.toBeNull();
    await stage().act(mandate_id, 'APPROVED');
    expect(await authorisationOf(stage(), reference)).toMatchObject({ status: 'approved', mandate_token });
  });

  it.each([true, false])(
    'given a bank that refuses the mandate (submitted before: %s), when it is asked about, then it is rejected',
    async (before) => {
      const { reference, mandate_id } = await asked(stage());
      if (before) await stage().act(mandate_id, 'SUBMITTED');
      await stage().act(mandate_id, 'REJECTED');
      expect(await authorisationOf(stage(), reference)).toMatchObject({ status: 'rejected' });
    },
  );
}

/** An authorisation that we cancel. */
export function authorisationCancellations(stage: Stage): void {
  it('given one that waits, when it is cancelled twice, then it is void both times', async () => {
    const { reference } = await asked(stage());
    expect(await stage().mandates.cancelAuthorisation(reference)).toEqual(YES);
    expect(await stage().mandates.cancelAuthorisation(reference)).toEqual(YES);
    const status = stage().voids ? 'failed' : 'waiting';
    expect(await authorisationOf(stage(), reference)).toMatchObject({ status });
  });

  it('given one that was approved, when it is cancelled, then that is a no', async () => {
    const { registration } = await authorised(stage());
    const answer = await stage().mandates.cancelAuthorisation(registration.reference);
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'already_authorised' });
  });

  it('given one that never arrived, when it is asked about, then it is not found', async () => {
    const { reference } = await newRegistration(stage());
    expect(await stage().mandates.authorisationStatus(reference)).toEqual(NOT_FOUND);
    expect(await stage().mandates.cancelAuthorisation(reference)).toEqual(NOT_FOUND);
  });
}

/** An authorisation that is requested from a VPA. */
export function authorisationCollectWalk(stage: Stage): void {
  const collected = async (vpa: string) => {
    const registration = await newRegistration(stage());
    const answer = await stage().mandates.authoriseByCollect(registration, vpa);
    expect(answer).toEqual(YES);
    return registration;
  };
  const ended = (reference: string) =>
    eventually(
      () => authorisationOf(stage(), reference),
      ({ status }) => status !== 'waiting',
    );

  it('given a payer who approves, when it is asked, then there is a mandate', async () => {
    const { reference } = await collected(stage().payers.pays);
    expect(await ended(reference)).toMatchObject({ status: 'approved' });
  });

  it('given a payer who declines, when it is asked, then it failed', async () => {
    const { reference } = await collected(stage().payers.declines);
    expect(await ended(reference)).toMatchObject({ status: 'failed' });
  });

  it('given a payer who does nothing, when it is asked, then it waits', async () => {
    const { reference } = await collected(stage().payers.waits);
    expect(await authorisationOf(stage(), reference)).toEqual({ status: 'waiting' });
  });

  it('given a VPA that does not exist, when the authorisation is requested, then the answer is a no: invalid_upi_id', async () => {
    const registration = await newRegistration(stage());
    const answer = await stage().mandates.authoriseByCollect(registration, stage().payers.unknown);
    expect(answer).toMatchObject({ kind: 'no', failure_code: 'invalid_upi_id' });
  });

  it.each(['lost', 'late'] as const)(
    'given a %s request, when it is sent again, then the payer is asked once',
    async (how) => {
      const registration = await newRegistration(stage());
      await stage().disturb('authorisation_collect', how);
      const { pays } = stage().payers;
      expect(await stage().mandates.authoriseByCollect(registration, pays)).toMatchObject(NO_ANSWER);
      const again = await stage().mandates.authoriseByCollect(registration, pays);
      expect(again).toEqual(YES);
      const { mandate_token } = (await ended(registration.reference)) as { mandate_token?: string };
      expect(mandate_token).toBeDefined();
      expect((await authorisationOf(stage(), registration.reference)) as object).toMatchObject({
        mandate_token,
      });
    },
  );
}

/** Calls that go wrong. */
export function authorisationDisturbances(stage: Stage): void {
  it.each(['lost', 'late'] as const)(
    'given a %s call, when it is sent again, then the authorisation has one URI',
    async (how) => {
      const registration = await newRegistration(stage());
      await stage().disturb('authorisation', how);
      const first = await stage().mandates.authoriseByUri(registration);
      expect(first).toMatchObject(NO_ANSWER);
      const again = await stage().mandates.authoriseByUri(registration);
      expect(again).toMatchObject({ kind: 'yes' });
      const third = await stage().mandates.authoriseByUri(registration);
      if (stage().drawsTr) expect(third).toMatchObject({ kind: 'yes' });
      else expect(third).toEqual(again);
    },
  );

  it('given a slow answer, when it comes in time, then it counts', async () => {
    await stage().disturb('authorisation', 'slow');
    await asked(stage());
  });

  it.each(SAYING_NOTHING)('given %s, when it is asked about, then it is unknown: %s', async (how, why) => {
    const { reference } = await asked(stage());
    await stage().disturb('authorisation_status', how);
    expect(await stage().mandates.authorisationStatus(reference)).toMatchObject({ kind: 'unknown', why });
    expect(await stage().mandates.authorisationStatus(reference)).toMatchObject({ kind: 'yes' });
  });
}

/** Callbacks about authorisations: signed, by the payment's reference, and equal to the status, or without a fact. */
export function authorisationCallbacks(stage: Stage): void {
  it('given an approval, when it is reported, then the callback has our reference and the same status', async () => {
    const { registration } = await authorised(stage());
    const [callback] = await callbacksOf(stage(), registration.reference);
    if (!callback) throw new Error('none');
    const { reference, fact } = await stage().read(callback);
    expect(reference).toBe(registration.reference);
    const authorisation = await authorisationOf(stage(), reference);
    // Razorpay reports the attempt and the token separately: then the status is requested.
    if (fact !== null) expect(fact).toEqual({ about: 'authorisation', authorisation });
  });

  it('given an unknown word, when it is reported, then it only identifies the authorisation', async () => {
    await stage().disturbCallback('payments', 'nonsense');
    const { registration } = await authorised(stage());
    const [callback] = await callbacksOf(stage(), registration.reference);
    expect(callback && (await stage().read(callback))).toMatchObject({
      reference: registration.reference,
      fact: null,
    });
  });

  it('given a lost callback, when the status is asked, then nothing is lost', async () => {
    await stage().disturbCallback('payments', 'lost');
    await authorised(stage());
  });
}
