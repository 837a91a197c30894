/** Scripted answers: each call gets the next one, and later calls get the last one. */
export class Script<T> {
  private answers: readonly T[];
  calls = 0;

  constructor(...answers: readonly [T, ...T[]]) {
    this.answers = answers;
  }

  set(...answers: readonly [T, ...T[]]): void {
    this.answers = answers;
    this.calls = 0;
  }

  next(): T {
    const answer = this.answers[Math.min(this.calls, this.answers.length - 1)];
    this.calls += 1;
    if (answer === undefined) throw new Error('a script has at least one answer');
    return answer;
  }
}
