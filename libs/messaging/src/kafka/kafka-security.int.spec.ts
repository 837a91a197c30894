import { describeWithDocker, startSecureKafka, unsecuredToken, type SecureKafka } from '@fundrail/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KafkaConnection, KafkaTlsFiles } from './kafka-connection.ts';
import { createTopics, missingTopics } from './kafka-topics.ts';
import type { KafkaTokenSource } from './kafka-token.ts';

describeWithDocker('a broker that requires a client certificate and a token', () => {
  let kafka: SecureKafka;
  let folder: string;
  let file: string;
  let endpoint: Server;
  let asked: { authorization: string | undefined; body: string }[];

  beforeAll(async () => {
    kafka = await startSecureKafka();
    folder = mkdtempSync(join(tmpdir(), 'token-'));
    file = join(folder, 'token');
    endpoint = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        asked.push({ authorization: request.headers.authorization, body });
        response.end(JSON.stringify({ access_token: unsecuredToken('orders'), expires_in: 600 }));
      });
    });
    await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  }, 120_000);
  beforeEach(() => {
    asked = [];
  });
  afterAll(async () => {
    await kafka.stop();
    endpoint.close();
    rmSync(folder, { recursive: true });
  });

  const by = (token: KafkaTokenSource, other: Partial<KafkaTlsFiles> = {}): KafkaConnection => ({
    brokers: [kafka.broker],
    clientId: 'test',
    ssl: { ca: kafka.ca, cert: kafka.cert, key: kafka.key, ...other },
    sasl: { mechanism: 'oauthbearer', token },
  });

  it('uses a token from a file, and the next one after the file is renewed', async () => {
    writeFileSync(file, `${unsecuredToken('orders')}\n`);
    await createTopics(by({ file }), { replicationFactor: 1 });
    writeFileSync(file, unsecuredToken('orders', -600));
    await expect(missingTopics(by({ file }))).rejects.toThrow();
    writeFileSync(file, unsecuredToken('orders'));
    expect(await missingTopics(by({ file }))).toEqual([]);
  });

  it('uses a token from an OIDC endpoint', async () => {
    const { port } = endpoint.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/token`;
    const source = { url, clientId: 'fund:rail', clientSecret: 's&t', scope: 'kafka' };
    await createTopics(by(source), { replicationFactor: 1 });
    const authorization = `Basic ${Buffer.from('fund%3Arail:s%26t').toString('base64')}`;
    expect(asked[0]).toEqual({ authorization, body: 'grant_type=client_credentials&scope=kafka' });
  });

  it.each([
    ['a client without a certificate', { cert: null, key: null }],
    ['a client that does not know the authority', { ca: null }],
  ])('refuses the connection of %s', async (_who, tls) => {
    writeFileSync(file, unsecuredToken('orders'));
    await expect(missingTopics(by({ file }, tls))).rejects.toThrow();
  });
});
