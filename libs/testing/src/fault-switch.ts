import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where to stop a process, and how. */
export interface Fault {
  /** The name that the code gives to `faultPoint`. */
  readonly point: string;
  /** The pass after arming at which it strikes, from 1. */
  readonly pass?: number;
  /** `kill` (SIGKILL), or `stall`: that one call waits until `ChildService.resume`. */
  readonly action?: 'kill' | 'stall';
}

/** Arms the fault points of a child (`ChildOptions.faults`) while it runs; until then the child passes them unharmed. */
export class FaultSwitch {
  private readonly directory = mkdtempSync(join(tmpdir(), 'fundrail-fault-'));
  readonly file = join(this.directory, 'fault.json');
  private arms = 0;

  constructor() {
    this.disarm();
  }

  arm({ point, pass = 1, action = 'kill' }: Fault): void {
    // The number distinguishes the same fault, armed again, from the first one.
    this.write({ point, pass, action, arm: ++this.arms });
  }

  disarm(): void {
    this.write({});
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Writes by a rename, so that the child never reads half a file. */
  private write(fault: object): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(fault));
    renameSync(`${this.file}.new`, this.file);
  }
}
