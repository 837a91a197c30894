import { ROUTING_TABLE } from '@fundrail/contracts';
import type { Rule } from './rule.ts';

/** The edge takes what no row routes: the documents, and the 404 in our shape. */
const ALL_ELSE = { path: '/', service: 'edge' };

/** How requests come in. */
export const INGRESS_RULES: readonly Rule[] = [
  {
    says: 'an Ingress has the rows of the routing table, and the edge for the rest',
    breaches: ({ overlay }) =>
      overlay.ofKind('Ingress').flatMap(({ spec: { rules } }) => {
        const wanted = [
          ...ROUTING_TABLE.filter(({ sandboxOnly }) => !sandboxOnly).map(({ prefix, service }) => ({
            path: prefix,
            service,
          })),
          ALL_ELSE,
        ].map(({ path, service }) => `Prefix ${path} → ${service}`);
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
      overlay.ofKind('Ingress').flatMap(({ spec: { rules, tls = [] } }) => {
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
