import type * as Embedded from '@fundrail/service-kit/embedded';
import { fileURLToPath } from 'node:url';
import type * as Kafka from '../../../../tools/kafka/index.ts';

// Imported by path: Jest's own process, which runs the set-up, resolves packages to `dist`, and a test run must not need a
// build. Nothing in `tools` is built.

/** PostgreSQL from npm's binaries. */
export function embeddedPostgres(): Promise<typeof Embedded> {
  return load('../../../service-kit/src/embedded.ts') as Promise<typeof Embedded>;
}

/** Kafka from Maven's jars, and the settings that all our brokers share. */
export function localKafka(): Promise<typeof Kafka> {
  return load('../../../../tools/kafka/index.ts') as Promise<typeof Kafka>;
}

function load(path: string): Promise<unknown> {
  return import(fileURLToPath(new URL(path, import.meta.url)));
}
