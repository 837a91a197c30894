import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent, request } from 'undici';
import { guardedConnector } from './guarded-connector.ts';
import { PublicLookup, RefusedAddress } from './public-lookup.ts';

const PUBLIC = { address: '8.8.8.8', family: 4 };
const HERE = { address: '127.0.0.1', family: 4 };
const unused = () => Promise.reject(new Error('this resolver must not be called'));

describe('a socket of the sender', () => {
  let inside: Server;
  let connections: number;
  let agent: Agent | null;
  beforeEach(async () => {
    connections = 0;
    agent = null;
    inside = createServer((_request, response) => void response.end('the secret of this network'));
    inside.on('connection', () => (connections += 1));
    await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    await agent?.destroy();
    await new Promise((resolve) => inside.close(resolve));
  });

  const send = (lookup: Pick<PublicLookup, 'forSocket' | 'refusal'>, host: string) => {
    agent = new Agent({ connect: guardedConnector(lookup, 1_000) });
    const { port } = inside.address() as AddressInfo;
    return request(`http://${host}:${port}/`, { dispatcher: agent });
  };

  it('is not opened when the name resolves to a different address than at the check (HOOK-8)', async () => {
    // given: a name server that changes its answer between check and connection
    const answers = [[PUBLIC], [HERE]];
    const lookup = new PublicLookup(new Set(), {
      local: unused,
      others: () => Promise.resolve(answers.shift() ?? [HERE]),
    });
    expect(await lookup.addressesOf('rebinding.example')).toEqual([PUBLIC]);
    // when, then
    await expect(send(lookup, 'rebinding.example')).rejects.toBeInstanceOf(RefusedAddress);
    expect(connections).toBe(0);
  });

  it.each([
    ['127.0.0.1'],
    ['[::ffff:127.0.0.1]'],
    ['2130706433'],
    ['0x7f.1'],
    ['0177.0.0.1'],
    ['127.0.0.1.'],
  ])('is not opened to %s, and no name server is queried', async (host) => {
    const lookup = new PublicLookup(new Set(), { local: unused, others: unused });
    await expect(send(lookup, host)).rejects.toBeInstanceOf(RefusedAddress);
    expect(connections).toBe(0);
  });

  it('carries nothing when it is connected to a refused address after all', async () => {
    // given: a lookup that misses an address that it should refuse
    const lookup = new PublicLookup(new Set());
    const blind = {
      refusal: lookup.refusal.bind(lookup),
      forSocket: ((_host, options, callback) =>
        options.all
          ? callback(null, [HERE])
          : callback(null, HERE.address, 4)) satisfies PublicLookup['forSocket'],
    };
    await expect(send(blind, 'shop.example')).rejects.toBeInstanceOf(RefusedAddress);
  });

  it('is opened to this machine under a name that the sandbox allows', async () => {
    const lookup = new PublicLookup(new Set(['receiver']), {
      local: () => Promise.resolve([HERE]),
      others: unused,
    });
    const { statusCode, body } = await send(lookup, 'receiver');
    expect([statusCode, await body.text()]).toEqual([200, 'the secret of this network']);
  });
});

describe('a lookup', () => {
  const lookup = (...addresses: string[]) =>
    new PublicLookup(new Set(['receiver']), {
      local: unused,
      others: () =>
        Promise.resolve(addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))),
    }).addressesOf('shop.example');

  it('returns all addresses of a public name', async () => {
    expect(await lookup('8.8.8.8', '2606:4700:4700::1111')).toHaveLength(2);
  });

  it.each([
    ['the first', ['10.0.0.1', '8.8.8.8']],
    ['the last', ['8.8.8.8', '2606:4700:4700::1111', 'fd00::1']],
  ])('refuses a name when %s of several addresses is refused', async (_which, addresses) => {
    await expect(lookup(...addresses)).rejects.toBeInstanceOf(RefusedAddress);
  });

  it('refuses a name without addresses', async () => {
    await expect(lookup()).rejects.toThrow('has no address');
  });
});
