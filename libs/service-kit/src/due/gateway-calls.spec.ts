import { PassThrough } from 'node:stream';
import { Log } from '../logging/log.ts';
import { GatewayCalls } from './gateway-calls.ts';
import { pursue, type OutsideAnswer } from './outside-call.ts';

interface Row {
  readonly tenant: string;
  readonly id: string;
  readonly state: string;
  readonly unanswered_since: Date | null;
}
interface Facts {
  readonly state: string;
  readonly submitted: boolean;
}

const NOW = new Date('2026-11-25T10:00:00Z');
const BEFORE = new Date('2026-11-25T09:00:00Z');
const NOT_FOUND = { kind: 'not_found' } as const;
const SILENT = { kind: 'unknown', why: 'timeout', detail: '5 s' } as const;
const reports = (state: string, submitted = true) => ({ kind: 'yes', value: { state, submitted } }) as const;

describe('the calls about an object of the gateway', () => {
  let row: Row | null;
  let done: string[];
  let status: OutsideAnswer<Facts>;
  beforeEach(() => {
    row = { tenant: 'demo', id: 'A1', state: 'submitted', unanswered_since: null };
    done = [];
    status = NOT_FOUND;
  });

  const calls = () =>
    new GatewayCalls<Row, Facts>({
      what: 'an object',
      log: Log.to('test', 'fatal', new PassThrough()),
      database: { now: () => Promise.resolve(NOW) },
      find: () => Promise.resolve(row),
      status: {
        name: 'objects.status',
        call: ({ id }) => {
          done.push(`status ${id}`);
          return Promise.resolve(status);
        },
      },
      hasArrived: ({ submitted }) => submitted,
      learn: (tenant, id, { state }) => {
        done.push(`learn ${tenant} ${id} ${state}`);
        row = row && { ...row, state };
        return Promise.resolve(row);
      },
      markUnanswered: ({ id }, now) => {
        done.push(`unanswered ${id} ${now.toISOString()}`);
        return Promise.resolve();
      },
    });
  const send = (answer: OutsideAnswer<Facts>) => ({
    name: 'objects.submit',
    call: ({ id }: Row) => {
      done.push(`send ${id}`);
      return Promise.resolve(answer);
    },
  });
  const work = (attempts = 0) => ({ kind: 'test.call', key: 'A1', tenant: 'demo', due_at: NOW, attempts });

  it('given it left the state that waits for the call, then none is made', async () => {
    const call = calls().callOf('confirmed', { send: send(reports('submitted')) });
    expect([await pursue(call, work()), done]).toEqual(['done', []]);
  });

  it('given an answer that leaves it waiting, then it is asked about later', async () => {
    const call = calls().callOf('submitted', { send: send(reports('submitted')) });
    expect([await pursue(call, work()), done]).toEqual(['unchanged', ['send A1', 'learn demo A1 submitted']]);
  });

  it('given an answer that moves it on, then the work is done', async () => {
    const call = calls().callOf('submitted', { send: send(reports('accepted')) });
    expect([await pursue(call, work()), done]).toEqual(['done', ['send A1', 'learn demo A1 accepted']]);
  });

  it('given no usable answer, then the silence is recorded with the time since which it lasts', async () => {
    const silent = calls().callOf('submitted', { send: send(SILENT) });
    expect([await pursue(silent, work()), done]).toEqual([
      'later',
      ['send A1', `unanswered A1 ${NOW.toISOString()}`],
    ]);
    row = row && { ...row, unanswered_since: BEFORE };
    const { silence } = silent;
    expect(row && (await silence.record?.(row))).toEqual({ since: BEFORE, now: NOW });
  });

  it('given the gateway has only reviewed it, then the submission has not arrived and is sent', async () => {
    status = reports('confirmed', false);
    const objects = calls();
    const call = objects.callOf('submitted', {
      asksFirst: () => true,
      ask: objects.askForArrival(),
      send: send(reports('accepted')),
    });
    expect([await pursue(call, work()), done]).toEqual([
      'done',
      ['status A1', 'send A1', 'learn demo A1 accepted'],
    ]);
  });

  it('given a submitted object that the gateway does not have, then it is sent again', async () => {
    const call = calls().callOfSubmitted(send(reports('accepted')));
    expect([await pursue(call, work(1)), done]).toEqual([
      'done',
      ['status A1', 'send A1', 'learn demo A1 accepted'],
    ]);
  });

  it('given another object that the gateway does not have, then it is not sent', async () => {
    row = row && { ...row, state: 'under_review' };
    const call = calls().callOfSubmitted(send(reports('accepted')));
    expect(await pursue(call, work(1))).toBe('later');
    expect(done).not.toContain('send A1');
  });
});
