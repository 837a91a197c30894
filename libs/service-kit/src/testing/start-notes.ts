import { ServiceProcesses } from '@fundrail/testing';
import { Log, type RunningService, type Runtime } from '../index.ts';
import { notesService } from './notes.service.ts';
import { TokenIssuer } from './token-issuer.ts';

/** The notes service on a separate database. */
export interface NotesStage {
  readonly service: RunningService;
  readonly issuer: TokenIssuer;
  /** The lines that it logged. */
  readonly lines: string[];
  readonly url: string;
  /** A second replica on the same database. */
  replica(runtime?: Partial<Runtime>): Promise<RunningService>;
  end(): Promise<void>;
}

export async function startNotes(runtime: Partial<Runtime> = {}): Promise<NotesStage> {
  const processes = await ServiceProcesses.on(notesService);
  const issuer = await TokenIssuer.create();
  const lines: string[] = [];
  const log = Log.to('notes', 'debug', { write: (line) => void lines.push(line) });
  const replica = (other = runtime) => processes.start({ transport: issuer, log, ...other });
  const service = await replica();
  return { service, issuer, lines, url: processes.database.url, replica, end: () => processes.end() };
}
