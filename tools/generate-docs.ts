// Writes the pages of docs/, the edge's configuration, the registries of services and providers, and what follows from the topology, from the tables that the code runs on.
// `--check` writes nothing and exits with 1 when a file is stale. Rules of the specification that are defined
// twice, or cited and not defined, are an error either way.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { format, getFileInfo, resolveConfig } from 'prettier';
import { asyncApiFile } from './docs/asyncapi/document.ts';
import { errorsPage } from './docs/errors.ts';
import { eventsPage } from './docs/events.ts';
import { failureCodesPage } from './docs/failure-codes.ts';
import { policiesPage } from './docs/policies.ts';
import { missingPolicyTests } from './docs/policy-tests.ts';
import { reconciliationPage } from './docs/reconciliation.ts';
import { citingTexts, isTest, specificationPages } from './docs/repository-texts.ts';
import { retentionPage } from './docs/retention.ts';
import { specificationFaults, untestedPage } from './docs/specification.ts';
import { statesPage } from './docs/states.ts';
import { testDataPage } from './docs/test-data.ts';
import { UNTESTED_REASONS } from './docs/untested-reasons.ts';
import { answersConf } from './edge/answers.ts';
import { headersConf } from './edge/headers.ts';
import { readerConf, readerPage, readerStart } from './edge/reader.ts';
import { routesConf } from './edge/routes.ts';
import { prometheusRule } from './observability/prometheus-rule.ts';
import { TOPOLOGY_FILES } from './topology/files.ts';
import { providerRegistry } from './topology/provider-registry.ts';
import { serviceRegistry } from './topology/service-registry.ts';

const ROOT = new URL('../', import.meta.url);
const pages = specificationPages();
const texts = citingTexts();
const FILES: Readonly<Record<string, () => string>> = {
  'docs/states.md': statesPage,
  'docs/errors.md': errorsPage,
  'docs/events.md': eventsPage,
  'docs/guides/failure-codes.md': failureCodesPage,
  'docs/guides/test-data.md': testDataPage,
  'docs/policies.md': policiesPage,
  'docs/reconciliation.md': reconciliationPage,
  'docs/retention.md': retentionPage,
  'docs/specification/untested.md': () => untestedPage(pages, texts.filter(isTest), UNTESTED_REASONS),
  'docs/asyncapi.json': asyncApiFile,
  'docker/edge/routes.conf': routesConf,
  'docker/edge/answers.conf': answersConf,
  'docker/edge/headers.conf': headersConf,
  'docker/edge/reader.conf': readerConf,
  'docker/edge/docs/index.html': readerPage,
  'docker/edge/docs/start.js': readerStart,
  'k8s/components/monitoring/alerts.yaml': prometheusRule,
  'apps/standalone/src/registry.ts': serviceRegistry,
  'libs/providers/src/registry.ts': () => providerRegistry(),
  ...TOPOLOGY_FILES,
};

function current(file: string): string | null {
  try {
    return readFileSync(new URL(file, ROOT), 'utf8');
  } catch {
    return null;
  }
}

/** As `npm run format` would leave it; what prettier does not know (nginx) stays as it is. */
async function formatted(file: string, text: string): Promise<string> {
  const { inferredParser } = await getFileInfo(file);
  return inferredParser ? format(text, { ...options, parser: inferredParser }) : text;
}

const options = (await resolveConfig(new URL('package.json', ROOT))) ?? {};
const files = await Promise.all(
  Object.entries(FILES).map(async ([name, write]) => ({ name, text: await formatted(name, write()) })),
);
const stale = files.filter(({ name, text }) => current(name) !== text);

if (process.argv.includes('--check')) {
  for (const { name } of stale) console.error(`${name} is stale: run npm run docs`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const { name, text } of stale) {
    mkdirSync(new URL('.', new URL(name, ROOT)), { recursive: true });
    writeFileSync(new URL(name, ROOT), text);
  }
  console.log(stale.length > 0 ? `written: ${stale.map(({ name }) => name).join(', ')}` : 'docs are fresh');
}

// The files just written replace those read before.
const written = new Map(files.map(({ name, text }) => [name, text]));
const faults = specificationFaults(
  pages,
  texts.map(({ path, text }) => ({ path, text: written.get(path) ?? text })),
);
faults.push(...missingPolicyTests(texts));
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
