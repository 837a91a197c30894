import { paused } from './own-server.ts';

describe('a pause of a container', () => {
  it('is tried again while the engine gives up', async () => {
    const answers = [false, false, true];
    let tries = 0;
    const pause = () => {
      tries += 1;
      return answers.shift()
        ? Promise.resolve()
        : Promise.reject(new Error('cannot pause container: unable to freeze'));
    };
    await paused({ pause });
    expect(tries).toBe(3);
  });
});
