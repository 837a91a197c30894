import { ROUTING_TABLE } from '@fundrail/contracts';
import type { Rule } from './rule.ts';

/** The edge serves all other paths: the documents, and a 404 in our format. */
const ALL_ELSE = { path: '/', service: 'edge' };

/** Not public: operators have their own Ingress. */
const isAdmin = (prefix: string) => prefix === '/admin' || prefix.startsWith('/admin/');

/** What the public way leads to: the rows outside of the sandbox and of /admin, and the edge for the rest. */
export const PUBLIC_ROWS: readonly { readonly path: string; readonly service: string }[] = [
  ...ROUTING_TABLE.filter(({ prefix, sandboxOnly }) => !sandboxOnly && !isAdmin(prefix)).map(
    ({ prefix, service }) => ({ path: prefix, service }),
  ),
  ALL_ELSE,
];

/** What the operators' way leads to. */
export const ADMIN_ROWS: readonly { readonly path: string; readonly service: string }[] = [
  ...ROUTING_TABLE.filter(({ prefix }) => isAdmin(prefix)).map(({ prefix, service }) => ({
    path: prefix,
    service,
  })),
  { path: '/v2/auth', service: 'identity' },
];

/** How requests come in. */
export const INGRESS_RULES: readonly Rule[] = [
  {
    says: 'an Ingress has the rows of the routing table and the edge for the rest; only the one named admin leads to /admin',
    breaches: ({ overlay }) =>
      overlay.ofKind('Ingress').flatMap(({ metadata, spec: { rules } }) => {
        const rows = metadata.name === 'admin' ? ADMIN_ROWS : PUBLIC_ROWS;
        const wanted = rows.map(({ path, service }) => `Prefix ${path} → ${service}`);
        const routed = rules.flatMap(({ http }) =>
          http.paths.map(({ path, pathType, backend }) => `${pathType} ${path} → ${backend.service.name}`),
        );
        return [
          ...wanted.filter((row) => !routed.includes(row)).map((row) => `missing: ${row}`),
          ...routed.filter((row) => !wanted.includes(row)).map((row) => `not in the table: ${row}`),
        ];
      }),
  },
  {
    says: 'every routed path leads to a port of a Service',
    breaches: ({ overlay }) =>
      overlay.ofKind('Ingress').flatMap(({ spec: { rules } }) =>
        rules.flatMap(({ http }) =>
          http.paths.flatMap(({ path, backend: { service: to } }) => {
            const service = overlay.named('Service', to.name);
            return service?.spec.ports?.some(({ name }) => name === to.port.name) ? [] : [path];
          }),
        ),
      ),
  },
  {
    says: 'each service of the routing table has a Service for the edge to find, on port 3000',
    breaches: ({ overlay }) =>
      [...new Set(ROUTING_TABLE.map(({ service }) => service))]
        .filter((name) => overlay.named('Deployment', name))
        .filter((name) => !overlay.named('Service', name)?.spec.ports?.some(({ port }) => port === 3000)),
  },
  {
    says: 'links to us lead to the host of the Ingress, by https',
    breaches: ({ overlay }) =>
      overlay.ofKind('Ingress').flatMap(({ metadata, spec: { rules, tls = [] } }) => {
        // No link leads to the operators' way.
        if (metadata.name === 'admin') return [];
        const environment = overlay
          .ofKind('ConfigMap')
          .find(({ metadata }) => metadata.name.startsWith('environment-'));
        const url = environment?.data?.['PUBLIC_BASE_URL'] ?? '';
        return rules.flatMap(({ host }) =>
          url === `https://${host}` && tls.some(({ hosts }) => hosts.includes(host))
            ? []
            : [`${url} and ${host}`],
        );
      }),
  },
];
