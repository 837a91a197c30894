import { registerEndpoint } from './register-endpoint.ts';

const unknownHost = new Error('POST /v2/notification_webhooks answered 400: its host does not resolve');

describe('registering the endpoint of the demo', () => {
  const appThat = (...answers: (Error | { id: string })[]) => {
    const posts: string[] = [];
    const post = (path: string) => {
      posts.push(path);
      const answer = answers.shift() ?? unknownHost;
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    };
    return { post, posts };
  };

  it('waits until its host resolves', async () => {
    const app = appThat(unknownHost, unknownHost, { id: 'nwh_1' });
    expect(await registerEndpoint(app, 'http://demo.buyer:1/', { pauseMs: 1 })).toEqual({ id: 'nwh_1' });
    expect(app.posts).toHaveLength(3);
  });

  it('gives up after a while', async () => {
    await expect(
      registerEndpoint(appThat(), 'http://demo.buyer:1/', { pauseMs: 1, patienceMs: 20 }),
    ).rejects.toBe(unknownHost);
  });

  it('does not retry other errors', async () => {
    const app = appThat(new Error('answered 400: must not be a private address'));
    await expect(registerEndpoint(app, 'http://10.0.0.1/')).rejects.toThrow('private');
    expect(app.posts).toHaveLength(1);
  });
});
