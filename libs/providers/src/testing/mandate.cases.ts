import { YES } from '@fundrail/testing';
import { NO_ANSWER, SAYING_NOTHING } from './conformance-stage.ts';
import { eventually } from './eventually.ts';
import { authorised, stateOf, type MandateStage, type ReportedMandateState } from './mandate-stage.ts';

type Stage = () => MandateStage;

/** A mandate's life at the provider, controlled by the investor in the UPI app or at the bank. */
export function mandateWalk(stage: Stage): void {
  const statesOf = async (token: string, atLeast: number) => {
    const all = await eventually(
      () => stage().reportedStates(token),
      (events) => events.length >= atLeast,
    );
    return all.map(({ state }) => state);
  };

  it('given a mandate, when the investor pauses, resumes and revokes it, then each state is returned and reported', async () => {
    const { registration, mandate } = await authorised(stage());
    const steps = [
      ['PAUSED', 'paused'],
      ['ACTIVE', 'active'],
      ['CANCELLED', 'cancelled'],
    ] as const;
    const before = (await stage().reportedStates(mandate.mandate_token)).length;
    for (const [what, status] of steps) {
      await stage().act(registration.mandate_id, what);
      expect(await stage().mandates.mandateStatus(mandate)).toEqual(stateOf(stage(), registration, status));
    }
    const states = await statesOf(mandate.mandate_token, before + 3);
    expect(states.slice(-3)).toEqual(['paused', 'active', 'cancelled']);
  });

  it('given reordered and doubled callbacks, when they are read, then each has the state of its time and its own id', async () => {
    const { registration, mandate } = await authorised(stage());
    await stage().disturbCallback('mandates', 'duplicate');
    await stage().act(registration.mandate_id, 'PAUSED');
    const events = await eventually(
      () => stage().reportedStates(mandate.mandate_token),
      (all) => all.filter(({ state }) => state === 'paused').length === 2,
    );
    const paused = events.filter(({ state }) => state === 'paused');
    expect(new Set(paused.map(({ event_id }) => event_id)).size).toBe(1);
    await stage().disturbCallback('mandates', 'reorder');
    await stage().act(registration.mandate_id, 'ACTIVE');
    await stage().act(registration.mandate_id, 'CANCELLED');
    const last = await statesOf(mandate.mandate_token, events.length + 2);
    expect(last.slice(-2)).toEqual<ReportedMandateState[]>(['cancelled', 'active']);
  });
}

/** A mandate that we end, and status requests that fail. */
export function mandateRevocations(stage: Stage): void {
  it('given a mandate, when it is revoked twice, then it is cancelled and both calls return yes', async () => {
    const { registration, mandate } = await authorised(stage());
    expect(await stage().mandates.revoke(mandate, 'V1')).toEqual(YES);
    expect(await stage().mandates.revoke(mandate, 'V1')).toEqual(YES);
    const status = await stage().mandates.mandateStatus(mandate);
    expect(status).toEqual(stateOf(stage(), registration, 'cancelled'));
  });

  it('given a mandate that the investor revoked, when we revoke it, then the answer is yes', async () => {
    const { registration, mandate } = await authorised(stage());
    await stage().act(registration.mandate_id, 'CANCELLED');
    expect(await stage().mandates.revoke(mandate, 'V2')).toEqual(YES);
  });

  it.each(['lost', 'late'] as const)(
    'given a %s revocation, when it is sent again, then the mandate has ended',
    async (how) => {
      const { mandate } = await authorised(stage());
      await stage().disturb('revoke', how);
      const first = await stage().mandates.revoke(mandate, 'V3');
      expect(first).toMatchObject(NO_ANSWER);
      expect(await stage().mandates.revoke(mandate, 'V3')).toEqual(YES);
    },
  );

  it.each(SAYING_NOTHING)(
    'given %s, when the status of a mandate is requested, then it is unknown: %s',
    async (how, why) => {
      const { mandate } = await authorised(stage());
      await stage().disturb('mandate_status', how);
      expect(await stage().mandates.mandateStatus(mandate)).toMatchObject({ kind: 'unknown', why });
    },
  );
}
