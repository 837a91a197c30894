import { readFileSync } from 'node:fs';

const nginx = readFileSync(new URL('../../docker/edge/nginx.conf', import.meta.url), 'utf8');
const ingress = readFileSync(new URL('../../k8s/overlays/production/ingress.yaml', import.meta.url), 'utf8');

describe('the logs of the edge (INV-14)', () => {
  it('have no variable that contains a query, a path or an address', () => {
    const formats = [...nginx.matchAll(/^\s*log_format[^;]*;/gm)].map(([format]) => format);
    expect(formats).toHaveLength(1);
    expect(
      formats[0]?.match(
        /\$(request_uri|request|args|query_string|uri|document_uri|http_referer|remote_addr)\b/g,
      ),
    ).toBeNull();
    expect([...nginx.matchAll(/access_log [^;]*;/g)].map(([line]) => line)).toEqual([
      'access_log /dev/stdout facts if=$logged;',
    ]);
  });

  it('have no errors of requests, which nginx writes with the whole request line', () => {
    expect([...nginx.matchAll(/error_log [^;]*;/g)].map(([line]) => line)).toEqual([
      'error_log /dev/stderr alert;',
    ]);
    expect(ingress).toContain("nginx.ingress.kubernetes.io/enable-access-log: 'false'");
  });
});
