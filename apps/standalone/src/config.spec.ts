import { resolve } from 'node:path';
import { BadEnvironment, readConfig } from './config.ts';

describe('the variables of npm start', () => {
  it('have the defaults of OPS-2', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      dataDir: resolve('.fundrail'),
      databaseUrl: null,
      kafka: null,
      sandbox: true,
      publicBaseUrl: null,
    });
  });

  it('count as not set when they are empty, as in a compose file', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  it('lose the slash at the end of PUBLIC_BASE_URL, so that paths can be appended', () => {
    expect(readConfig({ PUBLIC_BASE_URL: 'https://pay.example.com/' }).publicBaseUrl).toBe(
      'https://pay.example.com',
    );
  });

  it('name the brokers when Kafka is the bus, and are ignored otherwise', () => {
    const brokers = { KAFKA_BROKERS: 'kafka:9092', KAFKA_PREFIX: 'mine_' };
    expect(readConfig({ ...brokers, EVENT_BUS: 'kafka' }).kafka).toMatchObject({
      brokers: ['kafka:9092'],
      prefix: 'mine_',
      replicationFactor: 1,
    });
    expect(readConfig(brokers).kafka).toBeNull();
  });

  it.each([
    ['', 'KAFKA_BROKERS is required: give the brokers as host:port,host:port'],
    ['kafka', 'KAFKA_BROKERS must be a list host:port,host:port'],
  ])('stop the start when Kafka is the bus and its brokers are "%s"', (brokers, message) => {
    expect(() => readConfig({ EVENT_BUS: 'kafka', KAFKA_BROKERS: brokers })).toThrow(
      new BadEnvironment(message),
    );
  });

  it.each([
    ['PORT', '65536'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['SANDBOX', 'yes'],
    ['EVENT_BUS', 'rabbit'],
    ['DATABASE_URL', 'mysql://localhost/x'],
    ['PUBLIC_BASE_URL', 'pay.example.com'],
    ['PUBLIC_BASE_URL', 'https://pay.example.com/?a=1'],
    ['PUBLIC_BASE_URL', 'https://pay.example.com/#a'],
  ])('stop the start when %s is %s, by one line that names it', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(BadEnvironment);
    expect(read).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });
});
