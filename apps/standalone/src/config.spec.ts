import { resolve } from 'node:path';
import { BadEnvironment, readConfig } from './config.ts';

describe('the variables of npm start', () => {
  it('have the defaults of contract §9', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      dataDir: resolve('.fundrail'),
      databaseUrl: null,
      sandbox: true,
      publicBaseUrl: null,
    });
  });

  it('count as not given when they are empty, as a compose file leaves them', () => {
    expect(readConfig({ PORT: '', DATABASE_URL: '' })).toEqual(readConfig({}));
  });

  it('lose the slash at the end of PUBLIC_BASE_URL, so that paths can be appended', () => {
    expect(readConfig({ PUBLIC_BASE_URL: 'https://pay.example.com/' }).publicBaseUrl).toBe(
      'https://pay.example.com',
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
  ])('stop the start when %s is %s, by one line that names it', (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(BadEnvironment);
    expect(read).toThrow(new RegExp(`^${name} must be [^\\n]+$`));
  });
});
