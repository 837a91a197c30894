import { PartitionWindow } from './partition-window.ts';

const messages = (...offsets: number[]) => offsets.map((offset) => ({ offset }));
const offsetsOf = (taken: readonly { readonly offset: number }[] | null) =>
  taken?.map(({ offset }) => offset) ?? null;

describe('the window of a partition', () => {
  it('commits only the handled prefix without gaps', () => {
    const window = new PartitionWindow(10, 100);
    window.take(messages(10, 11, 12, 13));

    window.settle(11);
    window.settle(13);
    expect(window.toCommit()).toBeNull();

    window.settle(10);
    expect(window.toCommit()).toBe(12);

    window.settle(12);
    expect(window.toCommit()).toBe(14);
  });

  it('asks for a commit only when the prefix has moved since the last one', () => {
    const window = new PartitionWindow(0, 100);
    window.take(messages(0, 1));
    window.settle(0);

    window.committed(1);

    expect(window.toCommit()).toBeNull();
    window.settle(1);
    expect(window.toCommit()).toBe(2);
  });

  it('takes nothing twice', () => {
    const window = new PartitionWindow(5, 100);
    window.take(messages(5, 6));

    expect(offsetsOf(window.take(messages(4, 5, 6, 7)))).toEqual([7]);
    expect(window.next).toBe(8);
  });

  it('refuses messages after a gap, since a commit would skip the gap', () => {
    const window = new PartitionWindow(5, 100);

    expect(window.take(messages(9, 10))).toBeNull();

    expect(window.next).toBe(5);
    expect(offsetsOf(window.take(messages(5, 6, 7, 8, 9)))).toEqual([5, 6, 7, 8, 9]);
  });

  it('accepts a gap that is still there in the next fetch: the log itself has it', () => {
    const window = new PartitionWindow(5, 100);

    window.take(messages(9));

    expect(offsetsOf(window.take(messages(9)))).toEqual([9]);
    window.settle(9);
    expect(window.toCommit()).toBe(10);
  });

  it('counts the events behind a gap too, and has room again at half its limit', () => {
    const window = new PartitionWindow(0, 4);
    window.take(messages(0, 1, 2, 3));
    for (const offset of [1, 2, 3]) window.settle(offset);
    expect(window).toMatchObject({ isFull: true, hasRoom: false });

    window.settle(0);

    expect(window).toMatchObject({ isFull: false, hasRoom: true });
  });
});
