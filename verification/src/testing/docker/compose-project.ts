import { fixedPort } from '@fundrail/testing';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { ROOT, run } from './build-image.ts';

/** A container of the project and its state. */
interface ComposeContainer {
  readonly Service: string;
  readonly State: string;
  readonly Health: string;
  readonly ExitCode: number;
}

/** docker/compose.yaml as a user runs it, as a project of its own on a free port. */
export class ComposeProject {
  private readonly name = `fundrail-${randomBytes(4).toString('hex')}`;

  private constructor(private readonly port: number) {}

  static async create(): Promise<ComposeProject> {
    return new ComposeProject(await fixedPort());
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** `docker compose … <arguments>`. Returns its output; throws with all output when it fails. */
  async compose(...words: string[]): Promise<string> {
    const { stdout } = await run('docker', ['compose', ...this.options, ...words], this.settings);
    return stdout;
  }

  /** `up` in the foreground, as in the documentation, but always with freshly built images. */
  up(): void {
    spawn('docker', ['compose', ...this.options, 'up', '--build'], { ...this.settings, stdio: 'ignore' });
  }

  async containers(): Promise<ComposeContainer[]> {
    const lines = (await this.compose('ps', '--all', '--format', 'json')).trim().split('\n');
    return lines.map((line) => JSON.parse(line) as ComposeContainer);
  }

  private get options(): string[] {
    return ['-p', this.name, '-f', 'docker/compose.yaml'];
  }

  private get settings() {
    const env = { ...process.env, NODE_OPTIONS: '', FUNDRAIL_PORT: String(this.port), FUNDRAIL_TAG: 'test' };
    return { cwd: ROOT, env, maxBuffer: 64 * 1024 * 1024 };
  }
}
