import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpCaller, notSent } from './http-caller.ts';
import { LINE_RULES, type LineRules } from './operation-line.ts';
import { route } from './route.ts';
import { inDoubt, isNotDone } from './answer.ts';

const GET = { method: 'GET', headers: {} } as const;

/** An outside system where one operation hangs or fails, over real sockets. */
describe('the lines of an outside system', () => {
  let server: Server;
  let caller: HttpCaller;
  let asked: string[];
  let line: LineRules;

  async function serve(listener: RequestListener, timeoutMs = 5_000): Promise<void> {
    asked = [];
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      listener(request, response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    caller = new HttpCaller('played', { baseUrl: `http://127.0.0.1:${port}`, timeoutMs, line });
  }
  afterEach(async () => {
    await caller.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  let isBack: boolean;
  let waiting: ServerResponse[];
  const hangs: RequestListener = (request, response) => {
    if (request.url?.startsWith('/refunds') && !isBack) waiting.push(response);
    else response.end('{}');
  };
  beforeEach(() => {
    isBack = false;
    waiting = [];
    line = { mostInFlight: 64, judgedCalls: 10, openMs: 60_000 };
  });
  const refund = (name: string) => caller.call(route`/refunds/${name}`, GET);
  const inParallel = (times: number) =>
    Promise.all(Array.from({ length: times }, (_, index) => refund(`R${index}`)));

  it('given an operation that hangs, when another is called, then it has its own connections', async () => {
    await serve(hangs, 20_000);
    // Twice as many as there are connections, and none of them is answered.
    const hanging = inParallel(64);
    expect(await caller.call(route`/payments/${'P1'}`, GET)).toMatchObject({ kind: 'answered', status: 200 });
    isBack = true;
    for (const response of waiting) response.end('{}');
    expect((await hanging).map(({ kind }) => kind)).toEqual(Array.from({ length: 64 }, () => 'answered'));
  });

  it('given as many calls as two connections each, when there is one more, then it is not sent', async () => {
    line = LINE_RULES;
    await serve(hangs, 20_000);
    const hanging = inParallel(64);
    await caller.call(route`/payments/${'P1'}`, GET);
    const further = refund('R64');
    isBack = true;
    for (const response of waiting) response.end('{}');
    expect(await further).toMatchObject({ kind: 'not_sent' });
    expect((await hanging).map(({ kind }) => kind)).toEqual(Array.from({ length: 64 }, () => 'answered'));
  });

  it('given an operation that hung, when it is called, then it is not sent, and others are', async () => {
    await serve(hangs, 1_000);
    for (const answer of await inParallel(5)) expect(answer.kind).toBe('silence');
    expect(await refund('R9')).toMatchObject({ kind: 'not_sent' });
    expect(asked).not.toContain('/refunds/R9');
    expect(await caller.call(route`/payments/${'P1'}`, GET)).toMatchObject({ kind: 'answered' });
  });

  it.each([
    [503, 'not_sent'],
    [422, 'answered'],
    [429, 'answered'],
  ])('given answers of %i, when it is called again, then it is %s', async (status, kind) => {
    await serve((_request, response) => response.writeHead(status).end('{}'));
    await inParallel(5);
    expect(await refund('R9')).toMatchObject({ kind });
  });
});

describe('a call that was held back', () => {
  const held = notSent({ kind: 'not_sent', detail: 'the calls before have failed', retry_after_ms: 500 });

  it('did nothing for certain', () => expect(isNotDone(held)).toBe(true));

  it('leaves a doubt where a call before it may have had its effect', () => {
    expect(inDoubt(held)).toEqual({
      kind: 'unknown',
      why: 'no_answer',
      detail: 'the calls before have failed',
    });
  });
});
