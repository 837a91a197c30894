import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from './build-image.ts';

/** The fields of a compose service that the tests check. */
export interface ComposeService {
  readonly image: string;
  readonly build?: {
    readonly dockerfile: string;
    readonly target?: string;
    readonly args?: { APP?: string };
  };
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly profiles?: readonly string[];
  readonly restart?: string;
  readonly healthcheck?: { readonly disable?: true; readonly test?: readonly string[] };
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
}

/** docker/compose.yaml with its anchors merged, and its variables (`${NAME:-default}`) at their defaults. */
export function composeServices(): ReadonlyMap<string, ComposeService> {
  const text = readFileSync(join(ROOT, 'docker/compose.yaml'), 'utf8');
  const filled = text.replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');
  const { services } = parse(filled, { merge: true }) as { services: Record<string, ComposeService> };
  return new Map(Object.entries(services));
}

/** The variables that the image gives to every service, from docker/Dockerfile. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const text = readFileSync(join(ROOT, 'docker/Dockerfile'), 'utf8').replaceAll(/\\\n\s*/g, '');
  const runtime = text.slice(text.indexOf(' AS runtime\n'));
  return Object.fromEntries(
    [...runtime.matchAll(/^ENV (.*)$/gm)].flatMap(([, pairs = '']) =>
      pairs.split(/\s+/).map((pair) => {
        const at = pair.indexOf('=');
        return [pair.slice(0, at), pair.slice(at + 1)] as const;
      }),
    ),
  );
}
