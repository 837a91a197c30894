// Writes schemas/kubernetes.json: what the Kubernetes API says of the kinds that k8s/ uses, from the cluster of the current
// context, without descriptions. Run once for each version of Kubernetes that is to be deployed on:
//
//   node --conditions=@fundrail/source tools/k8s/fetch-schemas.ts
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { publishedSchemas } from './published-schemas.ts';

const kubectl = (...args: string[]) =>
  execFileSync('kubectl', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

const schemas = publishedSchemas((path) => kubectl('get', '--raw', path));
writeFileSync(new URL('schemas/kubernetes.json', import.meta.url), `${JSON.stringify(schemas, null, 1)}\n`);
console.log(`${schemas.version}: ${Object.keys(schemas.schemas).length} schemas`);
