export { EmbeddedPostgres, freePort, type EmbeddedPostgresOptions } from './embedded/embedded-postgres.ts';
