import { PlayedBus } from '../testing/played-bus.ts';
import { Health } from './health.ts';

const LIMIT_MS = 120_000;

describe('health (OPS-10)', () => {
  let bus: PlayedBus;
  let lag: { unpublished: number; oldest_id: number | null; oldest_ms: number };
  let database: () => Promise<never[]>;
  let health: Health;
  let wallTime: number;
  beforeEach(() => {
    bus = new PlayedBus();
    wallTime = Date.now();
    lag = { unpublished: 0, oldest_id: null, oldest_ms: 0 };
    database = () => Promise.resolve([]);
    health = new Health({
      database: { query: () => database() },
      bus,
      relay: { lag: () => Promise.resolve(lag) },
      lagLimitMs: LIMIT_MS,
      now: () => wallTime,
    });
    health.phase = 'started';
  });
  const isReady = async () => (await health.ready()).isOk;
  const ago = (ms: number) => new Date(Date.now() - ms);

  it('reports the facts that decide it', async () => {
    lag = { unpublished: 3, oldest_id: 7, oldest_ms: 40 };
    expect(await health.ready()).toEqual({
      isOk: true,
      body: { status: 'ok', database: 'ok', event_bus: 'ok', relay: lag },
    });
  });

  it('is ready without a bus', async () => {
    health = new Health({
      database: { query: () => database() },
      bus: null,
      relay: null,
      lagLimitMs: LIMIT_MS,
    });
    health.phase = 'started';
    expect(await health.ready()).toEqual({
      isOk: true,
      body: { status: 'ok', database: 'ok', event_bus: 'none', relay: null },
    });
  });

  it('is not ready while it starts, nor after its stop has begun', async () => {
    health.phase = 'starting';
    expect(await isReady()).toBe(false);
    health.phase = 'started';
    expect(await isReady()).toBe(true);
    health.phase = 'stopping';
    expect(await isReady()).toBe(false);
  });

  it('is not ready before it has joined the bus for the first time; a later rebalance changes nothing', async () => {
    bus.setHealth({ ready: false });
    expect(await health.ready()).toMatchObject({ isOk: false, body: { event_bus: 'joining' } });
    bus.setHealth({});
    expect(await isReady()).toBe(true);
    bus.setHealth({ ready: false });
    expect(await health.ready()).toMatchObject({ isOk: true, body: { event_bus: 'joining' } });
  });

  it('stays ready during a short outage of the bus, but not during a long one', async () => {
    expect(await isReady()).toBe(true);
    bus.setHealth({ ready: false, downSince: ago(LIMIT_MS / 2), detail: 'no broker' });
    expect(await health.ready()).toMatchObject({ isOk: true, body: { event_bus: 'down' } });
    bus.setHealth({ ready: false, downSince: ago(LIMIT_MS + 1_000), detail: 'no broker' });
    expect(await health.ready()).toMatchObject({ isOk: false, body: { event_bus: 'down' } });
    bus.setHealth({});
    expect(await isReady()).toBe(true);
  });

  it('is not ready while its relay is stuck', async () => {
    lag = { unpublished: 9, oldest_id: 7, oldest_ms: LIMIT_MS };
    expect(await isReady()).toBe(true);
    lag = { unpublished: 9, oldest_id: 7, oldest_ms: LIMIT_MS + 1 };
    expect(await health.ready()).toMatchObject({ isOk: false, body: { relay: lag } });
  });

  it('is ready while its relay is far behind but progresses, until it has not progressed for the limit', async () => {
    for (let id = 1; id <= 3; id += 1) {
      lag = { unpublished: 10_000, oldest_id: id, oldest_ms: LIMIT_MS * 2 };
      expect(await isReady()).toBe(id > 1);
      wallTime += LIMIT_MS;
    }
    expect(await isReady()).toBe(true);
    wallTime += 1;
    expect(await isReady()).toBe(false);
  });

  it('is not ready without its database', async () => {
    database = () => Promise.reject(new Error('gone'));
    expect(await health.ready()).toEqual({
      isOk: false,
      body: { status: 'unavailable', database: 'down', event_bus: 'ok', relay: null },
    });
  });

  it('does not wait for a database that does not answer', async () => {
    database = () => new Promise(() => undefined);
    expect(await health.ready()).toMatchObject({ isOk: false, body: { database: 'down' } });
  });

  it('is live without bus and database, until a consumer is lost for good', () => {
    database = () => Promise.reject(new Error('gone'));
    bus.setHealth({ ready: false, downSince: ago(LIMIT_MS * 2) });
    expect(health.live()).toEqual({ isOk: true, body: { status: 'ok' } });
    bus.setHealth({ live: false, detail: 'orders crashed' });
    expect(health.live()).toEqual({
      isOk: false,
      body: { status: 'unavailable', event_bus: 'orders crashed' },
    });
  });
});
