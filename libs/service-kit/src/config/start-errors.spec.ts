import { databaseErrorOf, listenErrorOf, redacted } from './start-errors.ts';

const withCode = (code: string, message = 'from the driver') => Object.assign(new Error(message), { code });
const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
const RULE = 'it must be the URL of a running PostgreSQL server';

describe('an error at the start', () => {
  it.each([
    [withCode('ECONNREFUSED'), 'nothing listens there'],
    [new AggregateError([new Error('x'), withCode('ECONNREFUSED')]), 'nothing listens there'],
    [withCode('ENOTFOUND'), 'the host does not exist'],
    [withCode('28P01'), 'it refuses the user or the password'],
    [withCode('3D000'), 'the database does not exist'],
    [new Error('timeout expired'), 'it did not answer in time'],
  ])(
    'about the database (%s) names the variable, its value without the password, and what it should be',
    (error, reason) => {
      const server = { DATABASE_URL: 'postgres://me:hunter2@db:5432/?password=hunter2' };
      expect(messageOf(databaseErrorOf('orders', server, error))).toBe(
        `DATABASE_URL postgres://me:***@db:5432/fundrail_orders cannot be reached: ${reason}; ${RULE}`,
      );
      const own = { ...server, ORDERS_DATABASE_URL: 'postgres://db/mine' };
      expect(messageOf(databaseErrorOf('orders', own, error))).toBe(
        `ORDERS_DATABASE_URL postgres://db/mine cannot be reached: ${reason}; ${RULE}`,
      );
    },
  );

  it.each([new Error('something else'), withCode('42P01'), 'text'])(
    'of another kind is returned unchanged: %s',
    (error) => {
      expect(databaseErrorOf('orders', { DATABASE_URL: 'postgres://db' }, error)).toBe(error);
      expect(listenErrorOf(error, { host: 'h', port: 1, variable: 'PORT' })).toBe(error);
    },
  );

  it.each([
    ['EADDRINUSE', 'OPS_PORT 80 is in use on 127.0.0.1: it must be a free port'],
    ['EACCES', 'OPS_PORT 80 may not be used by this user: it must be a port of 1024 or more'],
    ['EADDRNOTAVAIL', 'HOST 127.0.0.1 is not an address of this machine: it must be one, or 0.0.0.0 for all'],
  ])('about listening (%s) names the variable', (code, line) => {
    const where = { host: '127.0.0.1', port: 80, variable: 'OPS_PORT' };
    expect(messageOf(listenErrorOf(withCode(code), where))).toBe(line);
  });

  it('shows no address that it cannot parse', () => {
    expect(redacted('hunter2')).toBe('(not a URL)');
  });
});
