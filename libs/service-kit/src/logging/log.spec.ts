import { requestContext } from '../http/request-context.ts';
import { Log, type LogLevel } from './log.ts';
import { NestLog } from './nest-log.ts';

describe('Log', () => {
  const written = (level: LogLevel, work: (log: Log) => void): Record<string, unknown>[] => {
    const lines: string[] = [];
    work(Log.to('orders', level, { write: (line) => void lines.push(line) }));
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };

  it('writes one JSON line for each fact, with its request (OPS-12)', () => {
    const [line] = written('info', (log) =>
      requestContext.run({ request_id: 'r-1', tenant: 'demo' }, () =>
        log.info('order made', { order: 'mfp_1' }),
      ),
    );
    expect(line).toMatchObject({
      level: 'info',
      service: 'orders',
      msg: 'order made',
      order: 'mfp_1',
      request_id: 'r-1',
      tenant: 'demo',
    });
  });

  it('hides personal data and secrets (DATA-5)', () => {
    const [line] = written('info', (log) =>
      log.info('x', {
        email: 'a@b.in',
        user_ip: '203.0.113.7',
        bank: { account_number: '501', primary_account_holder_name: 'Asha Rao' },
        profile: { pan: 'ABCDE1234F', date_of_birth: '1990-01-01', mobile_number: '9876543210' },
        authorization: 'Bearer t',
      }),
    );
    expect(line).toMatchObject({
      email: '***',
      user_ip: '***',
      bank: { account_number: '***', primary_account_holder_name: '***' },
      profile: { pan: '***', date_of_birth: '***', mobile_number: '***' },
      authorization: '***',
    });
  });

  it('writes an error with its stack and cause, and any thrown value', () => {
    const [first, second] = written('error', (log) => {
      log.error('failed', new Error('outer', { cause: new Error('inner') }));
      log.error('failed', 'just words');
    });
    expect(first).toMatchObject({
      err: { message: expect.stringContaining('inner'), stack: expect.stringContaining('log.spec') },
    });
    expect(second).toMatchObject({ err: 'just words' });
  });

  it('is silent at level silent', () => {
    expect(written('silent', (log) => log.error('x', new Error('y')))).toEqual([]);
  });

  it("writes Nest's lines and the structured lines of the libraries", () => {
    const lines = written('info', (log) => {
      const nest = new NestLog(log);
      nest.log('Nest application successfully started', 'NestApplication');
      nest.warn(
        { msg: 'the relay has lost its database', pause_ms: 50, err: new Error('gone') },
        'OutboxRelay',
      );
    });
    expect(lines).toMatchObject([
      {
        level: 'warn',
        msg: 'the relay has lost its database',
        pause_ms: 50,
        context: 'OutboxRelay',
        err: { message: 'gone' },
      },
    ]);
  });
});
