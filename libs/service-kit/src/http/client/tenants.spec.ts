import { stringifyJson } from '@fundrail/contracts';
import { tenantOf } from '@fundrail/testing';
import { jest } from '@jest/globals';
import { ServiceTokens } from '../auth/service-tokens.ts';
import { ServiceClient } from './service-client.ts';
import type { ServiceTransport, TransportRequest } from './service-transport.ts';
import { Tenants } from './tenants.ts';

/** Identity, where each tenant has its own name as `operator_name`, until it is renamed. */
class Identity implements ServiceTransport {
  readonly paths: string[] = [];
  silent = false;
  suffix = '';

  request(_service: string, { path }: TransportRequest) {
    this.paths.push(path);
    if (this.silent) return Promise.reject(new Error('silence'));
    const operator_name = `${path.split('/')[3]}${this.suffix}`;
    return Promise.resolve({ status: 200, body: stringifyJson(tenantOf('x', { operator_name }).settings) });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

describe('the settings of tenants', () => {
  let now: number;
  let identity: Identity;
  let tenants: Tenants;
  beforeEach(() => {
    now = 0;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    identity = new Identity();
    const client = new ServiceClient(identity, new ServiceTokens('mandates', 's'.repeat(32)));
    tenants = new Tenants(client);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });
  const recentNames = async (...names: string[]) => {
    const found = await Promise.all(names.map((name) => tenants.recentSettings(name)));
    return found.map(({ operator_name }) => operator_name);
  };

  it('are read at each call, so that a change holds at once', async () => {
    await tenants.settings('a');
    identity.suffix = '2';
    expect((await tenants.settings('a')).operator_name).toBe('a2');
    expect(identity.paths).toHaveLength(2);
  });

  it('are read once for many rows of a tenant within 2 s, and a change holds then (DEB-8)', async () => {
    expect(await recentNames('a', 'b', 'a')).toEqual(['a', 'b', 'a']);
    identity.suffix = '2';
    now = 1_999;
    expect(await recentNames('a', 'b')).toEqual(['a', 'b']);
    expect(identity.paths).toEqual(['/internal/tenants/a/settings', '/internal/tenants/b/settings']);
    now = 2_000;
    expect(await recentNames('a', 'a')).toEqual(['a2', 'a2']);
    expect(identity.paths).toHaveLength(3);
  });

  it('are read again after a failure', async () => {
    identity.silent = true;
    await expect(recentNames('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    identity.silent = false;
    expect(await recentNames('a')).toEqual(['a']);
  });
});
