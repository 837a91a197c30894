import { slopeOf } from '../../bench/memory/slope.ts';

describe('the growth of memory', () => {
  it.each([
    { samples: [], slope: 0 },
    { samples: [[0, 200]], slope: 0 },
    {
      samples: [
        [0, 200],
        [1, 203],
        [2, 206],
      ],
      slope: 3,
    },
    {
      samples: [
        [0, 200],
        [1, 210],
        [2, 190],
        [3, 200],
      ],
      slope: -2,
    },
  ])('of $samples (minutes, MB) is $slope MB a minute', ({ samples, slope }) => {
    expect(slopeOf(samples.map(([minutes = 0, mb = 0]) => ({ minutes, mb })))).toBeCloseTo(slope);
  });
});
