import { waitFor } from '@fundrail/testing';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { GroupedCalls } from './grouped-calls.ts';

/** A remote side that answers when the test says so. */
function aSlowFarEnd() {
  const calls: {
    readonly items: readonly number[];
    readonly answer: () => void;
    readonly fail: () => void;
  }[] = [];
  const send = (items: readonly number[]) =>
    new Promise<readonly string[]>((resolve, reject) => {
      calls.push({
        items,
        answer: () => {
          resolve(items.map((item) => `result of ${item}`));
        },
        fail: () => {
          reject(new Error('no answer'));
        },
      });
    });
  return { calls, send };
}

it('sends the items of a turn together at its end, and gathers the next ones while the call runs', async () => {
  const { calls, send } = aSlowFarEnd();
  const grouped = new GroupedCalls(send, 10);
  const results = [1, 2].map((item) => grouped.call(item));
  expect(calls).toEqual([]);
  await nextTurn();
  expect(calls.map(({ items }) => items)).toEqual([[1, 2]]);
  for (const item of [3, 4]) {
    results.push(grouped.call(item));
    await nextTurn();
  }
  expect(calls).toHaveLength(1);
  calls[0]?.answer();
  await waitFor(() => calls.length === 2);
  expect(calls[1]?.items).toEqual([3, 4]);
  calls[1]?.answer();
  expect(await Promise.all(results)).toEqual(['result of 1', 'result of 2', 'result of 3', 'result of 4']);
});

it('makes as many calls at once as it may, and none without items', async () => {
  const { calls, send } = aSlowFarEnd();
  const grouped = new GroupedCalls(send, 2, 2);
  const results = [1, 2, 3, 4, 5].map((item) => grouped.call(item));
  await nextTurn();
  expect(calls.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  calls[0]?.answer();
  await waitFor(() => calls.length === 3);
  for (const { answer } of calls) answer();
  await Promise.all(results);
  const alone = grouped.call(6);
  await waitFor(() => calls.length === 4);
  calls[3]?.answer();
  await alone;
  expect(calls.map(({ items }) => items.length)).toEqual([2, 2, 1, 1]);
});

it('gathers items before each call when gatherMs is set', async () => {
  const { calls, send } = aSlowFarEnd();
  const grouped = new GroupedCalls(send, 10, 1, 20);
  const first = grouped.call(1);
  await nextTurn();
  const second = grouped.call(2);
  expect(calls).toEqual([]);
  await waitFor(() => calls.length > 0);
  expect(calls.map(({ items }) => items)).toEqual([[1, 2]]);
  calls[0]?.answer();
  expect(await Promise.all([first, second])).toEqual(['result of 1', 'result of 2']);
});

it('sends at most the maximum number of items in a call', async () => {
  const { calls, send } = aSlowFarEnd();
  const grouped = new GroupedCalls(send, 2);
  const results = [1, 2, 3].map((item) => grouped.call(item));
  for (const count of [1, 2]) {
    await waitFor(() => calls.length === count);
    calls.at(-1)?.answer();
  }
  await Promise.all(results);
  expect(calls.map(({ items }) => items)).toEqual([[1, 2], [3]]);
});

it('a call that fails fails its items and no others', async () => {
  const { calls, send } = aSlowFarEnd();
  const grouped = new GroupedCalls(send, 1);
  const [first, second] = [grouped.call(1), grouped.call(2)];
  await waitFor(() => calls.length === 1);
  calls[0]?.fail();
  await expect(first).rejects.toThrow('no answer');
  await waitFor(() => calls.length === 2);
  calls[1]?.answer();
  await expect(second).resolves.toBe('result of 2');
});

it('rejects an item that is missing from the answer', async () => {
  const grouped = new GroupedCalls(() => Promise.resolve([]), 10);
  await expect(grouped.call(1)).rejects.toThrow('left an item without a result');
});
