import { Slots } from './slots.ts';

describe('the slots of a process', () => {
  it('are free again when their deliveries end', () => {
    const places = new Slots(2, 10);
    const [one] = [places.take(0, 'a'), places.take(0, 'a')];
    expect(places.free(1)).toBe(0);
    one();
    expect(places.free(1)).toBe(1);
  });

  it('are free again when their deliveries turn out slow, up to the maximum in flight', () => {
    const places = new Slots(2, 3);
    places.take(0, 'a');
    places.take(500, 'a');
    expect([places.free(999), places.free(1_000), places.free(1_500)]).toEqual([0, 1, 1]);
    places.take(1_500, 'a');
    expect(places.free(9_999)).toBe(0);
  });

  it('are freed a quarter at a time, because otherwise each lease would be for one', () => {
    const places = new Slots(8, 100);
    const leave = Array.from({ length: 8 }, () => places.take(0, 'a'));
    leave[0]?.();
    expect(places.free(1)).toBe(0);
    leave[1]?.();
    expect(places.free(1)).toBe(2);
  });

  it('are freed one by one when slow deliveries have nearly all that may be in flight', () => {
    const places = new Slots(8, 10);
    for (let count = 0; count < 9; count += 1) places.take(0, 'a');
    expect(places.free(9_999)).toBe(1);
    places.take(9_999, 'a');
    expect(places.free(9_999)).toBe(0);
  });

  it('leave as many free as each tenant uses: half for one tenant, a third for each of two', () => {
    const places = new Slots(100, 12);
    const taken = (tenant: string) => {
      let count = 0;
      for (; (places.rooms().rooms.get(tenant) ?? places.rooms().others) > 0; count += 1)
        places.take(0, tenant);
      return count;
    };
    expect(places.rooms()).toEqual({ rooms: new Map(), others: 6 });
    expect([taken('a'), taken('b'), taken('c')]).toEqual([6, 3, 2]);
    expect(places.rooms()).toEqual({
      rooms: new Map([
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ]),
      others: 1,
    });
  });

  it('that a tenant frees are available to it and to others', () => {
    const places = new Slots(100, 12);
    const leave = Array.from({ length: 6 }, () => places.take(0, 'a'));
    leave[0]?.();
    leave[1]?.();
    expect(places.rooms()).toEqual({ rooms: new Map([['a', 2]]), others: 4 });
  });
});
