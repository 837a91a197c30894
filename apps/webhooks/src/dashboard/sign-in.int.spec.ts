import { Developer } from '../testing/developer.ts';
import { WebhooksStage } from '../testing/webhooks-stage.ts';

const RIGHT = { tenant: 'demo', client_id: 'demo', client_secret: 'right' };
const DELIVERY = '/webhooks/deliveries/whd_0193a1b2c3d47e5f8a9b0c1d2e3f4a5b';

describe('signing in to the dashboard', () => {
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start();
  });
  afterAll(() => stage.end());

  it('given no session, when a page is requested, then the sign-in page leads back to it', async () => {
    const developer = new Developer(stage);
    const asked = await developer.get(`${DELIVERY}?status=failed`);
    expect([asked.status, asked.headers['location']]).toEqual([
      303,
      `/webhooks?to=${encodeURIComponent(`${DELIVERY}?status=failed`)}`,
    ]);
    const page = await developer.get(String(asked.headers['location']));
    expect(page.status).toBe(200);
    expect(page.text).toContain(`value="${DELIVERY}?status=failed"`);
    // The parameter `done`, which reports a pressed button, is dropped.
    const afterButton = await developer.get(`${DELIVERY}?done=test`);
    expect(afterButton.headers['location']).toBe(`/webhooks?to=${encodeURIComponent(DELIVERY)}`);
    const entered = await developer.post('/webhooks/session', { ...RIGHT, to: DELIVERY });
    expect([entered.status, entered.headers['location']]).toEqual([303, DELIVERY]);
  });

  it('given the credentials of a client, when they are sent, then the token is in a cookie for this path until it expires', async () => {
    const developer = new Developer(stage);
    const { status, headers, text } = await developer.post('/webhooks/session', RIGHT);
    expect([status, headers['location'], text]).toEqual([303, '/webhooks/endpoints', '']);
    const [, age] =
      /^fundrail_webhooks=[\w.-]+; Path=\/webhooks; Max-Age=(\d+); HttpOnly; SameSite=Strict$/.exec(
        String(headers['set-cookie']),
      ) ?? [];
    expect(Number(age)).toBeGreaterThan(590);
    expect(Number(age)).toBeLessThanOrEqual(600);
    expect((await developer.get('/webhooks')).headers['location']).toBe('/webhooks/endpoints');
    expect((await developer.get('/webhooks/endpoints')).status).toBe(200);
  });

  it('given https, when a user signs in, then the cookie is bound to this host, and other cookies are ignored', async () => {
    const https = { 'sec-fetch-site': 'same-origin', 'x-forwarded-proto': 'https' };
    const developer = new Developer(stage);
    const entered = await developer.post('/webhooks/session', RIGHT, https);
    expect(entered.headers['set-cookie']).toMatch(
      /^__Host-fundrail_webhooks=[\w.-]+; Path=\/; Max-Age=\d+; HttpOnly; Secure; SameSite=Strict$/,
    );
    expect((await developer.get('/webhooks/endpoints', https)).status).toBe(200);
    developer.cookie = developer.cookie.replace('__Host-', '');
    expect((await developer.get('/webhooks/endpoints', https)).status).toBe(303);
  });

  it('given too many wrong secrets, when another is sent, then the page says when to try again', async () => {
    const flood = { ...RIGHT, client_secret: 'flooded' };
    const { status, headers, text } = await new Developer(stage).post('/webhooks/session', flood);
    expect([status, headers['retry-after'], headers['set-cookie']]).toEqual([429, '37', undefined]);
    expect(text).toContain('Try again in 37 seconds.');
  });

  it.each(['', 'Bearer '])(
    'given an access token after %p, when it is sent, then it is accepted too',
    async (word) => {
      const developer = new Developer(stage);
      const access_token = `${word}${stage.issuer.token('demo')}`;
      expect((await developer.post('/webhooks/session/token', { access_token })).status).toBe(303);
      expect((await developer.get('/webhooks/endpoints')).status).toBe(200);
    },
  );

  it("given an operator's token, when it is sent, then it is refused, and no cookie has its scope", async () => {
    const access_token = stage.issuer.token('demo', new Date(), 'api admin');
    const { status, headers, text } = await new Developer(stage).post('/webhooks/session/token', {
      access_token,
    });
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    expect(text).toContain('A token with the scope admin is not accepted here.');
  });

  it.each([
    [
      'a wrong secret',
      'session',
      { ...RIGHT, client_secret: 'wrong' },
      'The tenant, client ID or client secret is incorrect',
    ],
    ['no token', 'session/token', { access_token: 'x.y.z' }, 'is invalid or has expired'],
    [
      'what could be a header',
      'session/token',
      { access_token: 'a;b\r\nset-cookie: x=y' },
      'is invalid or has expired',
    ],
    ['a token beyond a cookie', 'session/token', { access_token: 'x'.repeat(5000) }, 'too long'],
  ])(
    'given %s, when it is sent, then the page says so, and no cookie is set',
    async (_, path, form, says) => {
      const { status, headers, text } = await new Developer(stage).post(`/webhooks/${path}`, form);
      expect([status, headers['set-cookie']]).toEqual([401, undefined]);
      expect(text).toContain(says);
      expect(text).not.toContain('wrong');
    },
  );

  it('given credentials, when they are sent, then no line of the log has the secret or the token', async () => {
    const developer = new Developer(stage);
    await developer.post('/webhooks/session', RIGHT);
    const token = developer.cookie.split('=')[1] ?? '';
    expect(stage.lines.length).toBeGreaterThan(0);
    expect(stage.lines.filter((line) => line.includes(token) || line.includes('right'))).toEqual([]);
  });

  it('given a token that expires, when it has, then the user is redirected to sign in again, and from a button to its page', async () => {
    const developer = new Developer(stage);
    developer.cookie = `fundrail_webhooks=${stage.issuer.token('demo', new Date('2023-11-14T22:03:20Z'))}`;
    const [page, button] = [await developer.get(DELIVERY), await developer.post(`${DELIVERY}/retry`)];
    const wanted = [303, `/webhooks?to=${encodeURIComponent(DELIVERY)}`];
    expect([page.status, page.headers['location']]).toEqual(wanted);
    expect([button.status, button.headers['location']]).toEqual(wanted);
    expect((await developer.get('/webhooks')).text).toContain('Client secret');
  });

  it.each([
    'https://evil.example/',
    '//evil.example/webhooks/endpoints',
    '/webhooks/../v2/events',
    '/webhooks/endpoints?x=//evil.example',
    '/webhooks\\@evil.example',
    '/webhooksx/endpoints',
    '/v2/events',
    'javascript:alert(1)',
  ])('given the target %s, when a user signs in, then it is not followed', async (to) => {
    const entered = await new Developer(stage).post('/webhooks/session', { ...RIGHT, to });
    expect([entered.status, entered.headers['location']]).toEqual([303, '/webhooks/endpoints']);
  });

  it('given a signed-in user, when the user signs out, then the cookie is deleted', async () => {
    const developer = Developer.of(stage);
    const out = await developer.post('/webhooks/session/end');
    expect([out.status, out.headers['location']]).toEqual([303, '/webhooks']);
    expect(out.headers['set-cookie']).toContain('fundrail_webhooks=; Path=/webhooks; Max-Age=0;');
    expect((await developer.get('/webhooks/endpoints')).status).toBe(303);
  });

  it('given a link on another site, when it is followed, then the page links on, so that the browser sends the cookie', async () => {
    const asked = await new Developer(stage).get(`/webhooks?to=${DELIVERY}`, {
      'sec-fetch-site': 'cross-site',
    });
    expect(asked.text).toContain(`<a href="${DELIVERY}">Continue`);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring host', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['unknown origin', {}],
  ])(
    'given a form of %s, when it is posted, then it is refused before any data is read',
    async (_, headers) => {
      const developer = Developer.of(stage);
      const forms = [
        'session',
        'session/token',
        'session/end',
        `${DELIVERY.slice('/webhooks/'.length)}/retry`,
      ];
      for (const path of forms) {
        const refused = await developer.post(`/webhooks/${path}`, {}, headers);
        expect([path, refused.status, refused.headers['set-cookie']]).toEqual([path, 403, undefined]);
      }
    },
  );

  it('given our own origin without Sec-Fetch-Site, when a form is posted, then it is accepted', async () => {
    const headers = { origin: 'http://127.0.0.1:3000' };
    expect((await new Developer(stage).post('/webhooks/session', RIGHT, headers)).status).toBe(303);
  });

  it('given the cookie, when it is sent to the API, then it is ignored there', async () => {
    const developer = Developer.of(stage);
    expect((await developer.get('/v2/notification_webhooks')).status).toBe(401);
  });

  it.each(['/webhooks', '/webhooks/nothing', '/webhooks/endpoints/x/y'])(
    'given %s, when the response is sent, then it loads nothing, allows no framing and is not cached',
    async (path) => {
      const { headers } = await new Developer(stage).get(path);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'x-frame-options': 'DENY',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; style-src 'sha256-\S+'; script-src 'sha256-\S+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
        ),
      });
    },
  );
});

describe('signing in where an OpenID provider issues the tokens', () => {
  const ISSUER = 'https://login.example/realms/fundrail';
  let stage: WebhooksStage;
  beforeAll(async () => {
    stage = await WebhooksStage.start({
      ACCESS_TOKEN_JWKS_URL: `${ISSUER}/certs`,
      ACCESS_TOKEN_ISSUER: ISSUER,
      ACCESS_TOKEN_AUDIENCE: 'fundrail',
    });
  });
  afterAll(() => stage.end());

  it('requests a token of that provider, and no credentials', async () => {
    const page = await new Developer(stage).get('/webhooks');
    expect(page.text).toContain(ISSUER);
    expect(page.text).toContain('name="access_token"');
    expect(page.text).not.toContain('client_secret');
  });

  it('refuses credentials that are still sent, and says what to do', async () => {
    const { status, headers, text } = await new Developer(stage).post('/webhooks/session', RIGHT);
    expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    expect(text).toContain('Paste an access token');
  });
});
