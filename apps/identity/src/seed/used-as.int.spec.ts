import { sql } from '@fundrail/persistence';
import { IdentityStage } from '../testing/identity-stage.ts';

const KEY = 'a data encryption key of this test';
const production = {
  SANDBOX: 'false',
  SERVICE_TOKEN_SECRET: 'a service token secret of this test',
  DATA_ENCRYPTION_KEY: KEY,
  ADMIN_CLIENT_SECRET: 'a-secret-of-the-operator',
};
const forgetUse = sql('test.forget_use', 'UPDATE business_clock SET used_as = NULL');
const forgetSeed = sql('test.forget_seed', 'DELETE FROM sandbox_seed');
const forgetDemo = sql('test.forget_demo', "DELETE FROM clients WHERE tenant = 'demo'");
const clients = sql('test.clients', 'SELECT tenant, client_id FROM clients ORDER BY tenant, client_id');

describe('identity on the database of a sandbox from before databases recorded their use', () => {
  let stage: IdentityStage;
  afterEach(() => stage.end());

  const startsAs = (env: Record<string, string>) => stage.replica({ env });

  it('given its seed, when it starts with SANDBOX=false, then it is refused before the operator is created', async () => {
    stage = await IdentityStage.start({ env: { DATA_ENCRYPTION_KEY: KEY } });
    await stage.service.database.query(forgetUse);
    await expect(startsAs(production)).rejects.toThrow(/^SANDBOX=false is refused: .* first clients/);
    expect(await stage.service.database.query(clients)).toEqual([
      { tenant: 'demo', client_id: 'admin' },
      { tenant: 'demo', client_id: 'demo' },
      { tenant: 'demo-upstream', client_id: 'demo' },
    ]);
  });

  it('given its clients alone, when it starts with SANDBOX=false, then it is refused for their public secrets', async () => {
    stage = await IdentityStage.start({ env: { DATA_ENCRYPTION_KEY: KEY } });
    await stage.service.database.query(forgetUse);
    await stage.service.database.query(forgetSeed);
    await expect(startsAs(production)).rejects.toThrow(/its client admin of demo has the public secret/);
    await stage.service.database.query(forgetDemo);
    await expect(startsAs(production)).rejects.toThrow(
      /its client demo of demo-upstream has the public secret/,
    );
  });

  it('given the tenants of a product, when it starts as a sandbox, then nothing is seeded', async () => {
    stage = await IdentityStage.start({ env: production });
    await stage.service.database.query(forgetUse);
    await expect(startsAs({ SANDBOX: 'true', DATA_ENCRYPTION_KEY: KEY })).rejects.toThrow(
      /^SANDBOX=true is refused: .*it has tenants/,
    );
    expect(await stage.service.database.query(clients)).toMatchObject([{ client_id: 'admin' }]);
  });
});
