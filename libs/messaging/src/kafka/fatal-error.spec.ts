import { KafkaJSConnectionError, KafkaJSNonRetriableError, KafkaJSNumberOfRetriesExceeded } from 'kafkajs';
import { isFatal } from './fatal-error.ts';

const lost = new KafkaJSConnectionError('connect ECONNREFUSED');

describe('an error of kafkajs', () => {
  it.each([
    ['a lost connection', lost],
    [
      'a lost connection that was wrapped',
      Object.assign(new KafkaJSNonRetriableError(lost), { cause: lost }),
    ],
    ['too many tries', new KafkaJSNumberOfRetriesExceeded('x', { retryCount: 5, retryTime: 1 })],
  ])('caused by %s may pass', (_what, error) => {
    expect(isFatal(error)).toBe(false);
  });

  it.each([
    ['a refusal', new KafkaJSNonRetriableError('SASL PLAIN authentication failed')],
    ['a fault in the code', new TypeError('undefined is not a function')],
  ])('caused by %s is permanent', (_what, error) => {
    expect(isFatal(error)).toBe(true);
  });
});
