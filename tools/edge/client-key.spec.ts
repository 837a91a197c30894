import ipaddr from 'ipaddr.js';
import { readFileSync } from 'node:fs';

const nginx = readFileSync(new URL('../../docker/edge/nginx.conf', import.meta.url), 'utf8');

/** The rules of the map in their order. nginx and JavaScript read these expressions alike. */
const [, body = ''] = /map \$binary_remote_addr \$client_key \{\n([^]*?)\n {2}\}/.exec(nginx) ?? [];
const rules = [...body.matchAll(/^ +"~(.*)" \$(\w+);$/gm)].map(
  ([, pattern = '', group = '']) => [new RegExp(pattern), group] as const,
);

/** The key of an address for the limit, in hexadecimal digits. */
function keyOf(address: string): string {
  const binary = Buffer.from(ipaddr.parse(address).toByteArray()).toString('latin1');
  const [first] = rules.flatMap(([pattern, group]) => pattern.exec(binary)?.groups?.[group] ?? []);
  return Buffer.from(first ?? binary, 'latin1').toString('hex');
}

describe('the address that the limit of the edge counts', () => {
  it('is that of the map, which leaves what it does not know as it is', () => {
    expect(nginx).toContain('limit_conn_zone $client_key zone=');
    expect(body).toContain('default $binary_remote_addr;');
    expect(rules).toHaveLength(2);
  });

  it.each([
    ['203.0.113.9', 'cb007109'],
    ['2001:db8:1:2::1', '20010db800010002'],
    ['2001:db8:1:2:ffff:0a0a:3:4', '20010db800010002'],
    ['2001:db8:1:3::1', '20010db800010003'],
    ['::ffff:203.0.113.9', 'cb007109'],
    ['::1', '0000000000000000'],
  ])('of %s is %s', (address, key) => {
    expect(keyOf(address)).toBe(key);
  });
});
