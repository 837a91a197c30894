import { tenantFacts, tenantLogoContent } from '@fundrail/contracts';
import { ServiceClient } from '@fundrail/service-kit/http';
import { createHash } from 'node:crypto';
import { IdentityStage } from '../testing/identity-stage.ts';
import { dataUri, PICTURES, png } from '../testing/pictures.ts';

const PNG = PICTURES['image/png'];
const SHOWN = {
  media_type: 'image/png',
  width: 3,
  height: 2,
  sha256: createHash('sha256').update(PNG).digest('hex'),
};

describe('the name and logo of a tenant on the payer’s page', () => {
  let stage: IdentityStage;
  let token: string;
  beforeAll(async () => {
    stage = await IdentityStage.start();
    token = await stage.adminToken();
  });
  afterAll(() => stage.end());

  const patch = (tenant: string, body: object, headers: Record<string, string> = {}) =>
    stage.send({ method: 'PATCH', url: `/admin/tenants/${tenant}/settings`, token, body, headers });
  const made = async (name: string, settings: object = {}) =>
    (await stage.send({ url: '/admin/tenants', token, body: { name, settings } })).body;
  const settingsOf = async (name: string) =>
    (await stage.send({ url: `/admin/tenants/${name}`, token })).body['settings'];
  const ask = <T>(path: string, answer: typeof tenantFacts | typeof tenantLogoContent) =>
    stage.service.app.get(ServiceClient).call('identity', { method: 'GET', path, answer }) as Promise<T>;
  const bytesOf = (tenant: string, sha256 = SHOWN.sha256) =>
    ask<{ content: string }>(`/internal/tenants/${tenant}/logo?sha256=${sha256}`, tenantLogoContent);

  it('are empty at first', async () => {
    expect(await made('plain')).toMatchObject({ settings: { display_name: null, logo: null } });
    await expect(bytesOf('plain')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('change alone, are read back without the bytes, and are removed by null', async () => {
    await made('acme');
    const changed = await patch('acme', { display_name: ' Acme Wealth ', logo: dataUri(PNG) });
    expect(changed).toMatchObject({
      status: 200,
      body: { settings: { display_name: 'Acme Wealth', logo: SHOWN } },
    });
    expect(await settingsOf('acme')).toMatchObject({ display_name: 'Acme Wealth', logo: SHOWN });
    expect(Buffer.from((await bytesOf('acme')).content, 'base64').equals(PNG)).toBe(true);

    await patch('acme', { upi_collect_enabled: false });
    expect(await settingsOf('acme')).toMatchObject({ display_name: 'Acme Wealth', logo: SHOWN });

    await patch('acme', { display_name: null, logo: null });
    expect(await settingsOf('acme')).toMatchObject({ display_name: null, logo: null });
    await expect(bytesOf('acme')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('can be given with the tenant, and belong to that tenant only', async () => {
    await made('born', { display_name: 'Born', logo: dataUri(PNG) });
    expect(await settingsOf('born')).toMatchObject({ display_name: 'Born', logo: SHOWN });
    await expect(bytesOf('born')).resolves.toMatchObject({ media_type: 'image/png' });
    await made('other');
    await expect(bytesOf('other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('change with another logo, and the previous logo is deleted', async () => {
    await made('twice', { logo: dataUri(PNG) });
    await patch('twice', { logo: dataUri(PICTURES['image/webp'], 'image/webp') });
    await expect(bytesOf('twice')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const [row] = await stage.service.database.dataSource.query<{ count: number }[]>(
      "SELECT count(*)::int AS count FROM tenant_logos WHERE tenant = 'twice'",
    );
    expect(row?.count).toBe(1);
  });

  it('have their defaults for a tenant of an earlier release without these settings', async () => {
    await made('old');
    const { dataSource } = stage.service.database;
    await dataSource.query(
      "UPDATE tenants SET settings = settings - 'display_name' - 'logo' WHERE name = 'old'",
    );
    expect(await settingsOf('old')).toMatchObject({ display_name: null, logo: null });
    await expect(ask('/internal/tenants/old', tenantFacts)).resolves.toMatchObject({
      settings: { display_name: null, logo: null },
    });
  });

  it.each([
    ['logo', { logo: dataUri(Buffer.from('<svg/>'), 'image/svg+xml') }, 'SVG is refused'],
    ['logo', { logo: dataUri(Buffer.from('<svg/>')) }, 'must be the image/png'],
    ['logo', { logo: dataUri(png(100_000, 100_000)) }, '512 x 512'],
    ['logo', { logo: dataUri(Buffer.alloc(65 * 1024)) }, '64 KiB'],
    ['logo', { logo: '' }, 'must be a data URI'],
    ['logo', { logo: 'x'.repeat(100_001) }, '100000'],
    ['display_name', { display_name: 'a\u202eb' }, 'direction'],
    ['display_name', { display_name: 'a'.repeat(41) }, '40'],
    ['display_name', { display_name: '' }, 'must not be empty'],
    ['operator_name', { operator_name: 'a\u202eb' }, 'direction'],
  ])('refuse a bad %s with its field, and nothing changes (ADMIN-13)', async (field, change, why) => {
    const before = await settingsOf('demo');
    const { status, text, body } = await patch('demo', { sdk_options_enabled: true, ...change });
    expect([status, body['error']]).toEqual([400, expect.objectContaining({ errors: expect.any(Array) })]);
    expect(text).toContain(`"field":"${field}"`);
    expect(text).toContain(why);
    expect(await settingsOf('demo')).toEqual(before);
  });

  it('report a bad logo of a new tenant under its settings', async () => {
    const answer = await stage.send({
      url: '/admin/tenants',
      token,
      body: { name: 'bad', settings: { logo: 'data:image/svg+xml;base64,PHN2Zy8+' } },
    });
    expect([answer.status, answer.text.includes('"field":"settings.logo"')]).toEqual([400, true]);
    expect((await stage.send({ url: '/admin/tenants/bad', token })).status).toBe(404);
  });
});
