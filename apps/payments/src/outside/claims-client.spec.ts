import type { Claim, ClaimResult } from '@fundrail/contracts';
import { ClaimBatches } from './claims-client.ts';

const claimOf = (payment_id: number): Claim => ({
  tenant: 'demo',
  payment_id,
  amc_order_ids: [payment_id],
  investor_profile: null,
  replaces: [],
});
const claimed = (claim: Claim): ClaimResult => ({
  outcome: 'claimed',
  payment_id: claim.payment_id,
  mf_investment_account: 'mfia_x',
  orders: [],
});

/** A neighbour that answers when it is told to. */
function aSlowNeighbour() {
  const calls: { readonly ids: number[]; readonly answer: () => void; readonly fail: () => void }[] = [];
  const send = (claims: readonly Claim[]) =>
    new Promise<readonly ClaimResult[]>((resolve, reject) => {
      calls.push({
        ids: claims.map((claim) => claim.payment_id),
        answer: () => {
          resolve(claims.map(claimed));
        },
        fail: () => {
          reject(new Error('no answer'));
        },
      });
    });
  return { calls, send };
}

it('sends a lone claim at once, and gathers the next ones while it is under way', async () => {
  const { calls, send } = aSlowNeighbour();
  const batches = new ClaimBatches(send);
  const results = [1, 2, 3].map((id) => batches.claim(claimOf(id)));
  expect(calls.map((call) => call.ids)).toEqual([[1]]);
  calls[0]?.answer();
  await results[0];
  await Promise.resolve();
  expect(calls.map((call) => call.ids)).toEqual([[1], [2, 3]]);
  calls[1]?.answer();
  expect((await Promise.all(results)).map((result) => result.payment_id)).toEqual([1, 2, 3]);
});

it('a call without an answer fails its claims and no others', async () => {
  const { calls, send } = aSlowNeighbour();
  const batches = new ClaimBatches(send);
  const first = batches.claim(claimOf(1));
  const second = batches.claim(claimOf(2));
  calls[0]?.fail();
  await expect(first).rejects.toThrow('no answer');
  calls[1]?.answer();
  await expect(second).resolves.toMatchObject({ outcome: 'claimed', payment_id: 2 });
});

it('an answer about another payment is no answer', async () => {
  const batches = new ClaimBatches((claims) => Promise.resolve(claims.map(() => claimed(claimOf(99)))));
  await expect(batches.claim(claimOf(1))).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
});
