import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fixedPort } from './fixed-port.ts';
import { localKafka } from './sources.ts';

/** A broker that takes only connections by TLS with a client certificate and OAUTHBEARER. */
export interface SecureKafka {
  readonly broker: string;
  /** PEM files: the authority that signed the broker's certificate, and a client's certificate and key. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  stop(): Promise<void>;
}

const JAAS =
  'org.apache.kafka.common.security.oauthbearer.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";';

/** Starts one in a container. Its tokens are unsecured JWTs (`unsecuredToken`), which Kafka accepts when no key set is configured. */
export async function startSecureKafka(): Promise<SecureKafka> {
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import('testcontainers');
  const { BROKER_SETTINGS, KAFKA_VERSION, asEnvironment } = await localKafka();
  const { host } = (await getContainerRuntimeClient()).info.containerRuntime;
  const folder = mkdtempSync(join(tmpdir(), 'secure-kafka-'));
  const files = makeCertificates(folder, host);
  const broker = `${host}:${await fixedPort()}`;
  const content = (name: string) => readFileSync(join(folder, name), 'utf8');
  const container = await new GenericContainer(`apache/kafka:${KAFKA_VERSION}`)
    .withExposedPorts({ container: 9092, host: Number(broker.split(':').at(-1)) })
    .withCopyContentToContainer([
      { content: content('broker.key') + content('broker.crt'), target: '/tmp/broker.pem', mode: 0o644 },
      { content: content('ca.crt'), target: '/tmp/ca.pem', mode: 0o644 },
    ])
    .withEnvironment(asEnvironment({ ...BROKER_SETTINGS, ...secured(broker), 'log.dirs': '/tmp/kafka-data' }))
    .withWaitStrategy(Wait.forLogMessage('Kafka Server started'))
    .start();
  return {
    broker,
    ...files,
    stop: async () => {
      await container.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A token for this subject that expires in `seconds`. */
export function unsecuredToken(sub: string, seconds = 600): string {
  const now = Math.floor(Date.now() / 1000);
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub, iat: now, exp: now + seconds })}.`;
}

function secured(broker: string): Record<string, string> {
  const listener = 'listener.name.secure';
  return {
    'node.id': '1',
    'process.roles': 'broker,controller',
    'controller.quorum.voters': '1@localhost:9093',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'INNER',
    listeners: 'SECURE://:9092,INNER://:9094,CONTROLLER://:9093',
    'listener.security.protocol.map': 'SECURE:SASL_SSL,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'advertised.listeners': `SECURE://${broker},INNER://localhost:9094`,
    [`${listener}.sasl.enabled.mechanisms`]: 'OAUTHBEARER',
    [`${listener}.oauthbearer.sasl.jaas.config`]: JAAS,
    [`${listener}.ssl.client.auth`]: 'required',
    [`${listener}.ssl.keystore.type`]: 'PEM',
    [`${listener}.ssl.keystore.location`]: '/tmp/broker.pem',
    [`${listener}.ssl.truststore.type`]: 'PEM',
    [`${listener}.ssl.truststore.location`]: '/tmp/ca.pem',
  };
}

function makeCertificates(folder: string, host: string): Pick<SecureKafka, 'ca' | 'cert' | 'key'> {
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  const newKey = 'req -newkey rsa:2048 -nodes -days 1';
  openssl(`${newKey} -x509 -keyout ca.key -out ca.crt -subj /CN=authority`);
  const name = /^[\d.]+$/.test(host) ? `IP:${host}` : `DNS:${host}`;
  writeFileSync(join(folder, 'names'), `subjectAltName=${name}\n`);
  const signed = '-CA ca.crt -CAkey ca.key -CAcreateserial -days 1 -extfile names';
  for (const who of ['broker', 'client']) {
    openssl(`req -newkey rsa:2048 -nodes -keyout ${who}.key -out ${who}.csr -subj /CN=${who}`);
    openssl(`x509 -req -in ${who}.csr ${signed} -out ${who}.crt`);
  }
  const file = (path: string) => join(folder, path);
  return { ca: file('ca.crt'), cert: file('client.crt'), key: file('client.key') };
}
