import { createTestDatabase } from '@fundrail/testing';
import { bootstrap, Log, type RunningService, type Runtime } from '../index.ts';
import { migrate } from '../db.ts';
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
  const database = await createTestDatabase();
  await migrate(notesService, database.url);
  const issuer = await TokenIssuer.create();
  const lines: string[] = [];
  const replica = (other: Partial<Runtime> = runtime) =>
    bootstrap(notesService, {
      transport: issuer,
      listen: false,
      log: Log.to('notes', 'debug', { write: (line) => void lines.push(line) }),
      ...other,
      env: { SANDBOX: 'true', ORDERS_DATABASE_URL: database.url, ...other.env },
    });
  const service = await replica();
  const end = async () => {
    await service.stop();
    await database.drop();
  };
  return { service, issuer, lines, url: database.url, replica, end };
}
