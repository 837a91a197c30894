import { SERVER_BOUNDS, STRICT_TRANSPORT } from '@fundrail/service-kit/http';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const EDGE = new URL('../../docker/edge/', import.meta.url);

describe('the entry point of the edge', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'edge-'));
    writeFileSync(join(folder, 'nginx'), '#!/bin/sh\n', { mode: 0o755 });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** The file that it writes for nginx, or its error message. A test with Docker lets nginx read the file. */
  function started(env: Readonly<Record<string, string>>): {
    conf: string;
    said: string;
    status: number | null;
  } {
    const conf = join(folder, 'edge.conf');
    writeFileSync(conf, '');
    const script = readFileSync(new URL('entrypoint.sh', EDGE), 'utf8').replaceAll('/tmp/edge.conf', conf);
    const PATH = [folder, process.env['PATH']].join(delimiter);
    const { status, stderr } = spawnSync('sh', ['-c', script], { env: { PATH, ...env }, encoding: 'utf8' });
    return { conf: readFileSync(conf, 'utf8'), said: stderr, status };
  }
  const trusted = (conf: string) =>
    [...conf.matchAll(/^set_real_ip_from (.*);$/gm)].map(([, network]) => network);

  it.each([
    ['', []],
    ['10.0.0.0/8', ['10.0.0.0/8']],
    [' 192.0.2.1 , fd00::/8,', ['192.0.2.1', 'fd00::/8']],
  ])('trusts only the proxies of EDGE_TRUSTED_PROXIES: "%s"', (EDGE_TRUSTED_PROXIES, networks) => {
    const { conf, status } = started({ EDGE_TRUSTED_PROXIES });
    expect([status, trusted(conf)]).toEqual([0, networks]);
  });

  it('trusts none without it, and sends services the address of the connection', () => {
    expect(trusted(started({}).conf)).toEqual([]);
    const nginx = readFileSync(new URL('nginx.conf', EDGE), 'utf8');
    expect(nginx.match(/proxy_set_header X-Forwarded-For .*/g)).toEqual([
      'proxy_set_header X-Forwarded-For $remote_addr;',
    ]);
  });

  it.each([
    ['https://pay.example.com', STRICT_TRANSPORT],
    ['HTTPS://pay.example.com', STRICT_TRANSPORT],
    ['http://pay.example.com', ''],
    ['', ''],
  ])('with PUBLIC_BASE_URL "%s" sends Strict-Transport-Security: "%s"', (PUBLIC_BASE_URL, header) => {
    expect(started({ PUBLIC_BASE_URL }).conf).toContain(
      `map "" $strict_transport_security { default "${header}"; }`,
    );
  });

  it.each([
    [{}, 'true'],
    [{ EDGE_ADMIN: 'false' }, 'false'],
  ])('with %j routes /admin: %s', (env, routes) => {
    expect(started(env).conf).toContain(`map "" $admin { default "${routes}"; }`);
    expect(started({ EDGE_ADMIN: 'no' }).said).toBe(
      'fundrail edge did not start: EDGE_ADMIN must be true or false\n',
    );
  });

  it.each([
    [{}, 100],
    [{ EDGE_REQUESTS_PER_ADDRESS: '7' }, 7],
  ])('with %j allows one address %i unfinished requests', (env, limit) => {
    expect(started(env).conf).toContain(`\nlimit_conn per_address ${limit};\n`);
  });

  it.each(['0', '-1', 'many', '5; include /etc/passwd'])(
    'does not start with EDGE_REQUESTS_PER_ADDRESS %s',
    (EDGE_REQUESTS_PER_ADDRESS) => {
      const { conf, said, status } = started({ EDGE_REQUESTS_PER_ADDRESS });
      expect([status, conf]).toEqual([1, '']);
      expect(said).toMatch(/^fundrail edge did not start: EDGE_REQUESTS_PER_ADDRESS must be [^\n]*\n$/);
    },
  );

  it('passes each body on as it arrives, so that the service limits it as a whole', () => {
    const nginx = readFileSync(new URL('nginx.conf', EDGE), 'utf8');
    expect(nginx).toContain('proxy_request_buffering off;');
    expect(SERVER_BOUNDS.requestMs).toBe(30_000);
  });

  it.each(['10.0.0.0/8 11.0.0.0/8', '10.0.0.0/8; include /etc/passwd', 'edge.example'])(
    'does not start with EDGE_TRUSTED_PROXIES %s',
    (EDGE_TRUSTED_PROXIES) => {
      const { conf, said, status } = started({ EDGE_TRUSTED_PROXIES });
      expect([status, conf]).toEqual([1, '']);
      expect(said).toMatch(/^fundrail edge did not start: EDGE_TRUSTED_PROXIES must be [^\n]*\n$/);
    },
  );
});
