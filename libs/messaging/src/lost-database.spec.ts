import { isLostDatabase } from './lost-database.ts';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

describe('isLostDatabase', () => {
  it.each([
    ['a refused connection', withCode('ECONNREFUSED')],
    ['a reset connection', withCode('ECONNRESET')],
    ['connection_failure', withCode('08006')],
    ['admin_shutdown', withCode('57P01')],
    ['cannot_connect_now', withCode('57P03')],
    ['too_many_connections', withCode('53300')],
    ['a login that is refused while its password is being changed', withCode('28P01')],
    ['a server that does not accept connections yet', withCode('28000')],
    ['a database that is being restored', withCode('3D000')],
    ['a read-only server after a failover', withCode('25006')],
    ["pg's error for a dead client", new Error('Connection terminated unexpectedly')],
    ['a client after its error', new Error('Client has encountered a connection error and is not queryable')],
    ['a pool without a free client', new Error('timeout exceeded when trying to connect')],
    ['a statement that had no answer in time', new Error('Query read timeout')],
    ['a pool that has ended', new Error('Cannot use a pool after calling end on the pool')],
    [
      'an error wrapped by TypeORM',
      Object.assign(new Error('query failed'), { driverError: withCode('57P01') }),
    ],
    ['an error as a cause', new Error('outer', { cause: withCode('ECONNREFUSED') })],
    ['every address refused', new AggregateError([withCode('ECONNREFUSED'), withCode('ECONNREFUSED')])],
  ])('%s is one', (_what, error) => {
    expect(isLostDatabase(error)).toBe(true);
  });

  it.each([
    ['a unique violation', withCode('23505')],
    ['a serialization failure', withCode('40001')],
    ['a statement that was cancelled', withCode('57014')],
    ['an undefined table', withCode('42P01')],
    ['a mistake in the code', new TypeError("Cannot read properties of undefined (reading 'id')")],
    ['nothing at all', undefined],
    ['a text', 'ECONNREFUSED'],
  ])('%s is not one', (_what, error) => {
    expect(isLostDatabase(error)).toBe(false);
  });

  it('survives an error that is its own cause', () => {
    const error = new Error('round and round');
    error.cause = error;

    expect(isLostDatabase(error)).toBe(false);
  });
});
