import { ApiError } from '@fundrail/contracts';
import { bareMetrics, countsOf } from '../testing/bare-metrics.ts';
import { measureUseCases } from './use-case-metrics.ts';

class CreateNote {
  constructor(private readonly words: string) {}

  async execute(outcome: unknown): Promise<string> {
    await Promise.resolve();
    if (outcome instanceof Error) throw outcome;
    return `${this.words} ${String(outcome)}`;
  }
}

class CountByURI {
  execute(): number {
    return 3;
  }
}

class NoUseCase {
  readonly run = () => 1;
}

describe('use cases', () => {
  it('are counted by name and outcome, and return their results unchanged', async () => {
    const metrics = bareMetrics();
    const create = new CreateNote('made');
    const count = new CountByURI();
    measureUseCases([create, count, new NoUseCase()], metrics);
    const broken = new Error('a defect');
    expect(await create.execute('it')).toBe('made it');
    await expect(create.execute(new ApiError('NOT_FOUND'))).rejects.toThrow(ApiError);
    await expect(create.execute(broken)).rejects.toBe(broken);
    await expect(create.execute(new ApiError('SERVICE_UNAVAILABLE'))).rejects.toThrow(ApiError);
    expect(count.execute()).toBe(3);
    expect(await countsOf(metrics, 'fundrail_use_case_duration_seconds')).toEqual({
      'create_note | done': 1,
      'create_note | refused': 1,
      'create_note | failed': 2,
      'count_by_uri | done': 1,
    });
  });
});
