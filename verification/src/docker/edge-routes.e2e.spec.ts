import { errorBody, ROUTING_TABLE, routeFor, type ServiceName } from '@fundrail/contracts';
import { describeWithDocker } from '@fundrail/testing';
import type { Echo } from '../testing/docker/echo-server.ts';
import { EdgeStage } from '../testing/docker/edge-stage.ts';

/** Paths that look like others, paths that nginx would decode, merge or resolve, and paths that no edge may route. */
const TRICKY = [
  '/v2',
  '/V2/mf_purchases',
  '/v2/mf_purchasesx',
  '/v2/mf_purchase',
  '/v2/mf_purchases%2Fbatch',
  '/v2%2Fmf_purchases',
  '/v2/%6df_purchases',
  '/v2/mf_purchases/%2e%2e/%2e%2e/internal/claims',
  '/v2/mf_purchases/a%20b',
  '/v2/mf_purchases/..',
  '/v2/mf_purchases/../../internal/claims',
  '/v2/../internal/claims',
  '/v2/./mf_purchases',
  '/v2//mf_purchases',
  '//v2/mf_purchases',
  '/v2/mf_purchases//x',
  '/v2/mf_purchases;x',
  '/v2/mf_purchases?a=/../x',
  '/v2/mf_purchases/?a=?b',
  '/nothing?/v2/mf_purchases',
  '/.well-known/jwksXjson',
  '/callbacks/gatewaypoa',
  '/callbacks/gatewaypoa/ordersx',
  '/internal/claims',
  '/internal/sandbox/clock',
  '/metrics',
  '/health',
  '/health/ready/x',
  '/sandboxes',
  '/edge/service',
  '/edge/health',
  '/edge/answers/not_found',
  '/edge/openapi.json',
  '/constructor',
];

const PATHS = [
  ...ROUTING_TABLE.flatMap(({ prefix }) => [prefix, `${prefix}/`, `${prefix}/x/y?limit=1`, `${prefix}x`]),
  ...TRICKY,
];

/** Fewer than the unfinished requests that the edge allows an address (`limit_conn` in docker/edge/entrypoint.sh). */
const AT_ONCE = 40;

/** What `ask` resolves with for each of the paths, in their order. */
async function inGroups<T>(paths: readonly string[], ask: (path: string) => Promise<T>): Promise<T[]> {
  const answers: T[] = [];
  for (let start = 0; start < paths.length; start += AT_ONCE)
    answers.push(...(await Promise.all(paths.slice(start, start + AT_ONCE).map(ask))));
  return answers;
}

describeWithDocker('the routes of the edge', () => {
  let stage: EdgeStage;
  beforeAll(async () => {
    stage = await EdgeStage.start();
  }, 300_000);
  afterAll(() => stage.stop());

  /** The service that answered, or null for the edge's own 404. Throws on any other answer. */
  async function answering(path: string, sandbox: boolean): Promise<ServiceName | null> {
    const { status, text } = await stage.ask(path, {}, sandbox);
    if (status === 200) return (JSON.parse(text) as { service: ServiceName }).service;
    expect([path, status, errorBody.parse(JSON.parse(text)).error.code]).toEqual([path, 404, 'NOT_FOUND']);
    return null;
  }

  it.each([
    ['in the sandbox', true],
    ['outside of it', false],
  ])('are those of the routing table, %s', async (_where, sandbox) => {
    const routed = await inGroups(PATHS, async (path) => [path, await answering(path, sandbox)]);
    // Outside of the sandbox the stage's edge does not route /admin (EDGE_ADMIN).
    const isClosed = (path: string) => !sandbox && /^\/admin(?:[/?]|$)/.test(path);
    expect(routed).toEqual(
      PATHS.map((path) => [path, isClosed(path) ? null : routeFor(path.split('?', 1)[0] ?? '', sandbox)]),
    );
  });

  it('pass every path on as it was sent', async () => {
    const routed = PATHS.filter((path) => routeFor(path.split('?', 1)[0] ?? '', true) !== null);
    const arrived = await inGroups(
      routed,
      async (path) => (JSON.parse((await stage.ask(path)).text) as Echo).url,
    );
    expect(arrived).toEqual(routed);
  });

  it.each(['/%zz', '/v2/mf_purchases/%zz', '/../internal', '/v2/mf_purchases/%00'])(
    'refuse %s, which nginx cannot read, in the shape of every error',
    async (path) => {
      const { status, text } = await stage.ask(path);
      expect([status, errorBody.parse(JSON.parse(text)).error.code]).toEqual([400, 'BAD_REQUEST_ERROR']);
    },
  );
});
