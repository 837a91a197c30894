import { definitions } from '@fundrail/standalone';
import { ROUTING_TABLE, SERVICES } from '@fundrail/contracts';
import { checkEnvironment, type Environment } from '@fundrail/service-kit';
import { composeServices, imageEnvironment, type ComposeService } from '../testing/docker/compose-file.ts';

describe('docker/compose.yaml', () => {
  const services = composeServices();
  const image = imageEnvironment();
  const entries = [...services];
  const ours = entries.filter(([, { image }]) => image.startsWith('fundrail/'));

  const named = (name: string): ComposeService => {
    const service = services.get(name);
    if (!service) throw new Error(`compose.yaml has no ${name}`);
    return service;
  };
  const environmentOf = (name: string): Environment =>
    Object.fromEntries(
      Object.entries({ ...image, ...named(name).environment }).map(([key, value]) => [key, String(value)]),
    );
  const without = (variable: string, env: Environment): Environment => ({ ...env, [variable]: undefined });

  it('has a container for every service that the edge routes to, built from the one Dockerfile', () => {
    for (const { service } of ROUTING_TABLE)
      expect(named(service)).toMatchObject({
        image: `fundrail/${service}:dev`,
        build: { context: '..', dockerfile: 'docker/Dockerfile', args: { APP: service } },
      });
    expect(named('edge').build).toMatchObject({ dockerfile: 'docker/Dockerfile', target: 'edge' });
  });

  it.each(definitions(true).map((definition) => [definition.name, definition] as const))(
    'gives %s every variable that its start needs, and the same ones to its migration',
    (name, definition) => {
      const env = environmentOf(name);
      checkEnvironment(definition, env);
      expect(() => checkEnvironment(definition, without('DATABASE_URL', env))).toThrow('DATABASE_URL');
      const { DATABASE_URL, KAFKA_BROKERS, SANDBOX } = env;
      expect(environmentOf(`${name}-migrate`)).toMatchObject({ DATABASE_URL, KAFKA_BROKERS, SANDBOX });
    },
  );

  it.each(SERVICES)('gives %s the addresses of the other services and of the event bus', (name) => {
    const urls = SERVICES.map((other) => [`${other.toUpperCase()}_URL`, `http://${other}:3000`]);
    expect(environmentOf(name)).toMatchObject({ ...Object.fromEntries(urls), KAFKA_BROKERS: 'kafka:9092' });
    expect(environmentOf(name)).toMatchObject({ HOST: '0.0.0.0', PORT: '3000', OPS_PORT: '9000' });
  });

  it.each(SERVICES)('starts %s on its own migrated database, with PostgreSQL and Kafka there', (name) => {
    expect(named(name).depends_on).toEqual({
      [`${name}-migrate`]: { condition: 'service_completed_successfully' },
    });
    expect(named(`${name}-migrate`)).toMatchObject({
      image: named(name).image,
      command: ['node', `apps/${name}/dist/main.js`, 'migrate'],
      depends_on: { postgres: { condition: 'service_healthy' }, kafka: { condition: 'service_healthy' } },
    });
    expect(named('edge').depends_on).toMatchObject({ [name]: { condition: 'service_healthy' } });
  });

  it('publishes only the edge and, on request, the monitoring tools; and only to this machine', () => {
    expect(entries.filter(([, { ports }]) => ports).map(([name, { ports }]) => [name, ports])).toEqual([
      ['edge', ['127.0.0.1:3000:8080']],
      ['prometheus', ['127.0.0.1:9090:9090']],
      ['grafana', ['127.0.0.1:3001:3000']],
    ]);
    const optional = entries.filter(([, { profiles }]) => profiles);
    expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([
      ['prometheus', ['observability']],
      ['grafana', ['observability']],
    ]);
  });

  it('pins every image that it does not build to a version', () => {
    const foreign = entries.map(([, { image }]) => image).filter((image) => !image.startsWith('fundrail/'));
    expect(foreign).toEqual([
      'postgres:18',
      'apache/kafka:4.3.1',
      'prom/prometheus:v3.5.0',
      'grafana/grafana:12.1.0',
    ]);
  });

  it.each(ours)('lets %s only compute, use the network and write to /tmp', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      mem_limit: expect.any(String),
    });
  });

  it.each(entries)(
    'checks the health of %s and restarts it, or lets it run once',
    (name, { restart, healthcheck }) => {
      const runsOnce = name.endsWith('-migrate');
      expect([restart, healthcheck?.disable, Boolean(healthcheck?.test)]).toEqual(
        runsOnce ? [undefined, true, false] : ['unless-stopped', undefined, true],
      );
    },
  );
});
