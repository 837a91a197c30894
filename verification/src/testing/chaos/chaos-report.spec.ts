import { linesOf, type ChaosReport } from './chaos-report.ts';

const report: ChaosReport = {
  seed: 7,
  kills: 10,
  requests: 120,
  events: 300,
  webhooks: 290,
  repeatedOnKafka: 3,
  repeatedWebhooks: 4,
  notLive: [],
  crashed: [],
  findings: [
    { kind: 'lost', what: 'one' },
    { kind: 'lost', what: 'two' },
    { kind: 'out_of_order', what: 'three' },
  ],
};

describe('the report of a chaos run', () => {
  it('ends with its summary as one JSON object', () => {
    expect(linesOf(report).at(-1)).toBe(
      '{"seed":7,"kills":10,"requests":120,"events":300,"webhooks":290,"lost":2,"doubled":0,"out_of_order":1,"unfinished":0}',
    );
  });

  it('lists each finding', () => {
    expect(linesOf(report).slice(0, 3)).toEqual(['lost: one', 'lost: two', 'out_of_order: three']);
  });
});
