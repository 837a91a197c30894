export function layerOf(folder: string): string;
export function mayImport(
  folder: string,
  packages: { readonly libs: readonly string[]; readonly apps: readonly string[] },
): readonly string[];
