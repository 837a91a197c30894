import { heartbeatMs } from './kafka-connection.ts';

describe('the heartbeat of a member', () => {
  it.each([
    [6_000, 1_500],
    [10_000, 2_500],
    [12_000, 3_000],
    [45_000, 3_000],
  ])('comes in a session of %d ms every %d ms', (session, heartbeat) => {
    expect(heartbeatMs(session)).toBe(heartbeat);
  });
});
