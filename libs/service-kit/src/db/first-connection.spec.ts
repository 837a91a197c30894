import { openFirstConnection } from './first-connection.ts';

/** The error of node-postgres when `connectionTimeoutMillis` is over. */
const LATE = new Error('timeout expired');

/** Fails once with each error, then connects. */
function server(...errors: readonly Error[]) {
  const left = [...errors];
  const attempts: number[] = [];
  const connect = () => {
    attempts.push(attempts.length + 1);
    const error = left.shift();
    return error ? Promise.reject(error) : Promise.resolve();
  };
  return { connect, attempts };
}

describe('the first connection of a start', () => {
  it('is tried again while the server is slow', async () => {
    const { connect, attempts } = server(LATE, LATE);
    await openFirstConnection(connect);
    expect(attempts).toHaveLength(3);
  });

  it('fails with the reason after the third attempt', async () => {
    const { connect, attempts } = server(LATE, LATE, LATE);
    await expect(openFirstConnection(connect)).rejects.toBe(LATE);
    expect(attempts).toHaveLength(3);
  });

  it('is not tried again when the server refuses it', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), { code: 'ECONNREFUSED' });
    const { connect, attempts } = server(refused);
    await expect(openFirstConnection(connect)).rejects.toBe(refused);
    expect(attempts).toHaveLength(1);
  });
});
