import { randomBytes } from 'node:crypto';
import { hasPython } from '../python.ts';
import { isCi } from './ci.ts';
import { HOW_TO_GET, titleOfLeftOut, type Need } from './needs.ts';

/**
 * A suite that needs Kafka. Without a broker it is skipped, and the end of the run lists it; with CI set it fails. Its body
 * runs in any case, so call `testBrokers()` in a hook or a test.
 */
export function describeWithKafka(title: string, suite: () => void): void {
  describeWith('Kafka', Boolean(process.env['KAFKA_BROKERS']), title, suite);
}

/** The same for a suite that needs a Docker engine. */
export function describeWithDocker(title: string, suite: () => void): void {
  describeWith('Docker', process.env['TEST_DOCKER'] === 'true', title, suite);
}

/** The same for a suite that renders Kubernetes manifests. The caller knows the tool for that, and whether it is there. */
export function describeWithKubectl(isThere: boolean, title: string, suite: () => void): void {
  describeWith('kubectl', isThere, title, suite);
}

/**
 * A suite that runs Python. Without Python it is skipped, with CI too, because the product needs no Python; the end of the run lists it.
 */
export function describeWithPython(title: string, suite: () => void): void {
  describeWithToolchain(hasPython() ? null : 'Python', title, suite);
}

/** The same for any toolchain that the product does not need. The caller knows which one is missing; null: none. */
export function describeWithToolchain(missing: Need | null, title: string, suite: () => void): void {
  if (missing === null) describe(title, suite);
  else describe.skip(titleOfLeftOut(title, missing), suite);
}

/** The run's brokers, `host:port` each. Throws when there are none. */
export function testBrokers(): string[] {
  const brokers = process.env['KAFKA_BROKERS'];
  if (!brokers)
    throw new Error('KAFKA_BROKERS is not set: use describeWithKafka, in the projects int and e2e');
  return brokers.split(',');
}

/** A new prefix for topics and groups, because suites share one broker. */
export function kafkaPrefix(): string {
  return `t${randomBytes(6).toString('hex')}_`;
}

function describeWith(need: Need, isThere: boolean, title: string, suite: () => void): void {
  if (isThere) describe(title, suite);
  else if (isCi()) throw new Error(`"${title}" needs ${need}, and there is none: ${HOW_TO_GET[need]}`);
  else describe.skip(titleOfLeftOut(title, need), suite);
}
