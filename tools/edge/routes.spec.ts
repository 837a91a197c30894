import { ROUTING_TABLE, routeFor, type Route } from '@fundrail/contracts';
import { routesConf } from './routes.ts';

/** How nginx reads the map: the first pattern that matches. A test with Docker checks nginx itself. */
function serviceIn(conf: string, path: string, sandbox: boolean): string | null {
  for (const [, pattern = '', service = ''] of conf.matchAll(/^ {2}"~(.*)" (\w+);$/gm))
    if (new RegExp(pattern).test(`${sandbox} ${path}`)) return service;
  return null;
}

describe('the routes of the edge', () => {
  it.each([true, false])('are those of routeFor, with the sandbox %s', (sandbox) => {
    const paths = ROUTING_TABLE.flatMap(({ prefix }) => [prefix, `${prefix}/x`, `${prefix}x`, `/x${prefix}`]);
    const routed = paths.map((path) => serviceIn(routesConf(), path, sandbox));
    expect(routed).toEqual(paths.map((path) => routeFor(path, sandbox)));
  });

  it('have the longest prefix first for any order of the table', () => {
    const nested: Route[] = [
      { prefix: '/v2', service: 'identity' },
      { prefix: '/v2/events', service: 'webhooks' },
      { prefix: '/v2/events/replay', service: 'orders', sandboxOnly: true },
    ];
    const conf = routesConf(nested);
    const paths = ['/v2/x', '/v2/events?a=/v2', '/v2/events/replay', '/v2/eventsx'];
    expect(paths.map((path) => serviceIn(conf, path, true))).toEqual([
      'identity',
      'webhooks',
      'orders',
      'identity',
    ]);
    expect(serviceIn(conf, '/v2/events/replay', false)).toBe('webhooks');
  });

  it('match a dot literally, and refuse a prefix that nginx would read differently', () => {
    expect(serviceIn(routesConf(), '/.well-known/jwksxjson', true)).toBeNull();
    expect(() => routesConf([{ prefix: '/a"b', service: 'orders' }])).toThrow('/a"b');
  });
});
