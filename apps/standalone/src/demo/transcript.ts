/** What the demo prints: headings, each call, each webhook. */
export class Transcript {
  constructor(private readonly write: (line: string) => void) {}

  heading(text: string): void {
    this.write(`\n${text}`);
  }

  call(method: string, path: string, status: number, result: string): void {
    this.write(`  -> ${method.padEnd(6)} ${path}  ${status}  ${result}`);
  }

  webhook(type: string, about: string): void {
    this.write(`  <- webhook ${type}  ${about}`);
  }

  /** A remark, or a drawing of several lines. */
  say(text: string): void {
    this.write(text.replaceAll(/^/gm, '     '));
  }
}
