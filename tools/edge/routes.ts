import { ROUTING_TABLE, type Route } from '@fundrail/contracts';
import { GENERATED } from '../topology/blocks.ts';

/**
 * `docker/edge/routes.conf`: `routeFor` as an nginx map from the path, as it was sent, to a service. nginx takes the first
 * pattern that matches, so the longest prefix comes first; a prefix ends at a `/`, at the query or at the end.
 */
export function routesConf(table: readonly Route[] = ROUTING_TABLE): string {
  const longestFirst = table.toSorted((one, other) => other.prefix.length - one.prefix.length);
  const rows = longestFirst.map(row);
  return `${GENERATED}
map "$sandbox $request_uri" $service {
  default "";
${rows.join('\n')}
}
`;
}

function row({ prefix, service, sandboxOnly }: Route): string {
  if (!/^(\/[\w.-]+)+$/.test(prefix)) throw new Error(`${prefix} cannot stand in nginx' map as it is`);
  const sandbox = sandboxOnly ? 'true' : '(?:true|false)';
  return `  "~^${sandbox} (?<route>${prefix.replaceAll('.', '\\.')})(?:[/?]|$)" ${service};`;
}
