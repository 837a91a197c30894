export { EmbeddedPostgres, freePort } from './embedded/embedded-postgres.ts';
