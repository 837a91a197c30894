import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where a process is to be stopped, and how. */
export interface Fault {
  /** The name that the code gives to `faultPoint`. */
  readonly point: string;
  /** At which pass after it was armed, from 1. */
  readonly pass?: number;
  /** `kill` (SIGKILL), or `stall`: that one call waits until `ChildService.resume`. */
  readonly action?: 'kill' | 'stall';
}

/** Arms the fault points of a child (`ChildOptions.faults`) while it runs: before that, its start passes them unharmed. */
export class FaultSwitch {
  private readonly directory = mkdtempSync(join(tmpdir(), 'fundrail-fault-'));
  readonly file = join(this.directory, 'fault.json');
  private arms = 0;

  constructor() {
    this.disarm();
  }

  arm({ point, pass = 1, action = 'kill' }: Fault): void {
    // The number tells the same fault, armed again, from the first one.
    this.write({ point, pass, action, arm: ++this.arms });
  }

  disarm(): void {
    this.write({});
  }

  remove(): void {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** By a rename: the child never reads half a file. */
  private write(fault: object): void {
    writeFileSync(`${this.file}.new`, JSON.stringify(fault));
    renameSync(`${this.file}.new`, this.file);
  }
}
