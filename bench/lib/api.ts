/** The operator of a benchmark's installation. */
export interface Operator {
  readonly tenant: string;
  readonly id: string;
  readonly secret: string;
}

/** Creates a tenant with these settings, and a client, over HTTP, and returns the client's access token. */
export async function makeClient(
  identity: string,
  tenant: string,
  operator: Operator,
  settings: object = {},
): Promise<string> {
  const admin = await getToken(identity, operator.tenant, operator.id, operator.secret);
  await post(identity, '/admin/tenants', admin, { name: tenant, settings });
  const client = await post(identity, `/admin/tenants/${tenant}/clients`, admin, {});
  return getToken(identity, tenant, String(client['client_id']), String(client['client_secret']));
}

export async function post(
  base: string,
  path: string,
  token: string,
  body: object,
): Promise<Record<string, unknown>> {
  const answer = await fetch(base + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answered = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(answered)}`);
  return answered;
}

/** `DELETE`. */
export async function remove(base: string, path: string, token: string): Promise<void> {
  const answer = await fetch(base + path, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
}

async function getToken(identity: string, tenant: string, id: string, secret: string): Promise<string> {
  const answer = await fetch(`${identity}/v2/auth/${tenant}/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: id, client_secret: secret, grant_type: 'client_credentials' }),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  if (!answer.ok) throw new Error(`no token: ${JSON.stringify(body)}`);
  return String(body['access_token']);
}
