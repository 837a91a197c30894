import { setFaultHandler } from '@fundrail/testing';
import { PassThrough } from 'node:stream';
import { Log } from '../logging/log.ts';
import type { DueResult, DueWork } from './due-work.ts';
import { pursue, sendNow, type OutsideAnswer, type OutsideCall } from './outside-call.ts';

interface Row {
  readonly id: number;
}
type Call = OutsideCall<Row, string>;
type Given = OutsideAnswer<string> | DueResult;

const NOW = new Date('2026-11-25T10:00:00Z');
const HOUR_MS = 3_600_000;
const NOT_FOUND = { kind: 'not_found' } as const;
const yes = (value: string) => ({ kind: 'yes', value }) as const;
const work = (attempts: number): DueWork => ({
  kind: 'test.call',
  key: '7',
  tenant: 'demo',
  due_at: NOW,
  attempts,
});

describe('an outside call', () => {
  let done: string[];
  let lines: Record<string, unknown>[];
  let log: Log;
  beforeEach(() => {
    done = [];
    lines = [];
    const out = new PassThrough();
    out.on('data', (line: Buffer) => lines.push(JSON.parse(line.toString()) as Record<string, unknown>));
    log = Log.to('test', 'info', out);
  });

  const request = (name: string, answers: readonly Given[]) => {
    const left = [...answers];
    const call = ({ id }: Row) => {
      done.push(`${name} ${id}`);
      const answer = left.shift();
      return answer ? Promise.resolve(answer) : Promise.reject(new Error(`${name} has no answer left`));
    };
    return { name: `test.${name}`, call };
  };
  const callOf = (send: readonly Given[], parts: Partial<Call> = {}): Call => ({
    load: ({ key }) => Promise.resolve({ id: Number(key) }),
    send: request('send', send),
    apply: (_, outcome) => {
      done.push(`apply ${outcome}`);
      return Promise.resolve('done');
    },
    silence: { log, what: 'a thing', about: ({ id }) => ({ id }) },
    ...parts,
  });

  it('is not made when it is not wanted any more', async () => {
    expect(await pursue(callOf([], { load: () => Promise.resolve(null) }), work(0))).toBe('done');
    expect(done).toEqual([]);
  });

  it('applies the outcome of the first call, and reports nothing', async () => {
    const call = callOf([yes('paid')], { ask: request('ask', []) });
    expect(await pursue(call, work(0))).toBe('done');
    expect(done).toEqual(['send 7', 'apply paid']);
    expect(lines).toEqual([]);
  });

  it('has the result of the outcome: a row that still waits comes again', async () => {
    const again = { again: NOW };
    expect(await pursue(callOf([yes('x')], { apply: () => Promise.resolve('later') }), work(0))).toBe(
      'later',
    );
    expect(await pursue(callOf([yes('x')], { apply: () => Promise.resolve(again) }), work(0))).toBe(again);
  });

  it('is asked about before it is made again', async () => {
    const call = callOf([], { ask: request('ask', [yes('paid')]) });
    expect(await pursue(call, work(1))).toBe('done');
    expect(done).toEqual(['ask 7', 'apply paid']);
  });

  it('is made again once the other side reports that it has not arrived', async () => {
    const call = callOf([yes('paid')], { ask: request('ask', [NOT_FOUND]) });
    expect(await pursue(call, work(1))).toBe('done');
    expect(done).toEqual(['ask 7', 'send 7', 'apply paid']);
  });

  it('without a question is repeated', async () => {
    expect(await pursue(callOf([yes('paid')]), work(3))).toBe('done');
    expect(done).toEqual(['send 7', 'apply paid']);
  });

  it('is asked about first when its declaration decides so, at any attempt', async () => {
    const parts = (may: boolean) => ({ asksFirst: () => may, ask: request('ask', [yes('a')]) });
    await pursue(callOf([yes('s')], parts(true)), work(0));
    await pursue(callOf([yes('s')], parts(false)), work(4));
    expect(done).toEqual(['ask 7', 'apply a', 'send 7', 'apply s']);
  });

  it('is made without a question when its row is known to need it', async () => {
    const call = callOf([yes('paid')], { ask: request('ask', []) });
    expect(await sendNow(call, { id: 9 })).toBe('done');
    expect(done).toEqual(['send 9', 'apply paid']);
  });

  it('that was not made has the result that it gives instead', async () => {
    const again = { again: NOW };
    expect(await pursue(callOf(['done']), work(0))).toBe('done');
    expect(await pursue(callOf(['later']), work(0))).toBe('later');
    expect(await pursue(callOf([again]), work(0))).toBe(again);
    expect(done.filter((step) => step.startsWith('apply'))).toEqual([]);
    expect(lines).toEqual([]);
  });

  it.each([
    [{ kind: 'no' }, { why: 'no' }],
    [NOT_FOUND, { why: 'not_found' }],
    [
      { kind: 'unknown', why: 'no_answer', detail: 'timeout' },
      { why: 'no_answer', detail: 'timeout' },
    ],
  ] as const)('changes nothing and warns when the answer is %j', async (answer, reason) => {
    expect(await pursue(callOf([answer]), work(0))).toBe('later');
    expect(done).toEqual(['send 7']);
    const line = { level: 'warn', msg: 'a thing got no usable answer', id: 7, call: 'test.send', ...reason };
    expect(lines).toEqual([expect.objectContaining(line)]);
  });

  it('names the question when that got no usable answer, and does not make the call', async () => {
    const silent = { kind: 'unknown', why: 'no_answer', detail: 'x' } as const;
    expect(await pursue(callOf([], { ask: request('ask', [silent]) }), work(1))).toBe('later');
    expect(done).toEqual(['ask 7']);
    expect(lines).toEqual([expect.objectContaining({ call: 'test.ask', why: 'no_answer' })]);
  });

  it.each([
    [24 * HOUR_MS - 1, { level: 'info', msg: 'a thing got no usable answer' }],
    [24 * HOUR_MS, { level: 'warn', msg: 'a thing is unresolved', in_all: 3 }],
  ])('after %d ms of recorded silence is reported as %j', async (silentMs, line) => {
    const since = new Date(NOW.getTime() - silentMs);
    const counted: Date[] = [];
    const silence: Call['silence'] = {
      log,
      what: 'a thing',
      about: ({ id }) => ({ id }),
      record: ({ id }) => {
        done.push(`record ${id}`);
        return Promise.resolve({ since, now: NOW });
      },
      countSince: (from) => {
        counted.push(from);
        return Promise.resolve(3);
      },
    };
    expect(await pursue(callOf([{ kind: 'no' }], { silence }), work(0))).toBe('later');
    expect(done).toEqual(['send 7', 'record 7']);
    expect(lines).toEqual([expect.objectContaining({ ...line, id: 7, why: 'no' })]);
    if (line.level === 'warn') {
      expect(lines[0]).toMatchObject({ silent_since: since.toISOString() });
      expect(counted).toEqual([new Date(NOW.getTime() - 24 * HOUR_MS)]);
    } else expect(counted).toEqual([]);
  });

  it('fails when its request fails, so that the due work is retried', async () => {
    await expect(pursue(callOf([]), work(0))).rejects.toThrow('send has no answer left');
    expect(done).toEqual(['send 7']);
  });

  it.each([
    ['test.send.before_call', []],
    ['test.send.called', ['send 7']],
    ['test.ask.before_call', []],
    ['test.ask.called', ['ask 7']],
  ])('that stops at %s is made again, and applied once', async (point, before) => {
    const call = point.startsWith('test.send')
      ? callOf([yes('paid'), yes('paid')])
      : callOf([], { ask: request('ask', [yes('paid'), yes('paid')]) });
    const fault = setFaultHandler(point);
    const stopped = pursue(call, work(1));
    await fault.reached;
    fault.fail(new Error('stopped'));
    await expect(stopped).rejects.toThrow('stopped');
    expect(done).toEqual(before);
    await pursue(call, work(2));
    expect(done).toEqual([...before, point.startsWith('test.send') ? 'send 7' : 'ask 7', 'apply paid']);
  });
});
