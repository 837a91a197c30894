import { istInstant, type ChangeTenantSettings, type TenantSettings } from '@fundrail/contracts';
import { changedSettings, defaultSettings, settingsOf } from './tenant.ts';

const NOW = istInstant('2026-12-21');

describe('the settings of a tenant', () => {
  it('are exactly those of the specification (ADMIN-6)', () => {
    const { rate_limits, ...others } = defaultSettings(true);
    expect(Object.keys(others).sort()).toEqual([
      ...[
        'compatibility',
        'default_postback_url',
        'display_name',
        'logo',
        'operator_name',
        'payment_provider',
      ],
      ...['policies', 'sdk_options_enabled', 'simulator', 'upi_collect_enabled', 'verify_endpoints'],
    ]);
    expect(Object.keys(rate_limits).sort()).toEqual(['reads_per_second', 'writes_per_second']);
  });

  it('keep what a change leaves out, also within a group', () => {
    // when
    const changed = changedSettings(
      defaultSettings(true),
      { rate_limits: { reads_per_second: 7 } },
      { sandbox: true, now: NOW },
    );
    // then
    expect(changed).toEqual({
      ...defaultSettings(true),
      rate_limits: { reads_per_second: 7, writes_per_second: 100 },
    });
  });

  it('verify no endpoints by default, nor for a tenant from before the setting existed', () => {
    const { verify_endpoints, ...before } = defaultSettings(true);
    expect(verify_endpoints).toBe(false);
    expect(settingsOf({ settings: before })).toEqual(defaultSettings(true));
    const changed = changedSettings(
      defaultSettings(true),
      { verify_endpoints: true },
      { sandbox: true, now: NOW },
    );
    expect(settingsOf({ settings: changed }).verify_endpoints).toBe(true);
  });

  it('allow UPI collect by default in the sandbox only', () => {
    expect(defaultSettings(true).upi_collect_enabled).toBe(true);
    expect(defaultSettings(false).upi_collect_enabled).toBe(false);
  });

  it.each([
    ['http to another machine', 'http://shop.example/done', true],
    ['http to this machine outside the sandbox', 'http://localhost:8080/done', false],
    ['credentials', 'https://user:pass@shop.example/done', true],
    ['another scheme', 'ftp://shop.example/done', true],
  ])('refuse a postback URL with %s', (_case, url, sandbox) => {
    expect(() =>
      changedSettings(defaultSettings(sandbox), { default_postback_url: url }, { sandbox, now: NOW }),
    ).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'default_postback_url' })] }),
    );
  });

  it.each([
    ['https://shop.example/done', false],
    ['http://localhost:8080/done', true],
    ['http://[::1]:8080/done', true],
  ])('take %s', (url, sandbox) => {
    const changed = changedSettings(
      defaultSettings(sandbox),
      { default_postback_url: url },
      { sandbox, now: NOW },
    );
    expect(changed.default_postback_url).toBe(url);
  });

  it('take UPI collect outside the sandbox only with the exemption that allows it (FLOW-4)', () => {
    const before = defaultSettings(false);
    const enabled = { upi_collect_enabled: true };
    const named = { policies: { upi_collect: { exemption: 'mcc_6211' } } };
    const field = 'policies.upi_collect.exemption';
    const refuses = (settings: TenantSettings, changes: ChangeTenantSettings) => {
      expect(() => changedSettings(settings, changes, { sandbox: false, now: NOW })).toThrow(
        expect.objectContaining({ errors: [expect.objectContaining({ field })] }),
      );
    };
    refuses(before, enabled);
    // At the creation of a tenant.
    expect(() => changedSettings(before, enabled, { sandbox: false, now: NOW, within: 'settings.' })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: `settings.${field}` })] }),
    );
    const changed = changedSettings(before, { ...enabled, ...named }, { sandbox: false, now: NOW });
    expect(changed).toMatchObject({ ...enabled, ...named });
    refuses(changed, { policies: { upi_collect: null } });
    // A tenant of an earlier release keeps its other settings changeable.
    expect(
      changedSettings({ ...before, ...enabled }, { operator_name: 'Shop' }, { sandbox: false, now: NOW }),
    ).toMatchObject(enabled);
    expect(changedSettings({ ...before, ...enabled }, enabled, { sandbox: true, now: NOW })).toMatchObject(
      enabled,
    );
  });

  it('refuse to hold steps of the simulator outside the sandbox', () => {
    expect(() =>
      changedSettings(
        defaultSettings(false),
        { simulator: { hold_review: true } },
        { sandbox: false, now: NOW },
      ),
    ).toThrow(
      expect.objectContaining({
        errors: [{ field: 'simulator', message: 'is a setting of the sandbox only' }],
      }),
    );
  });
});
