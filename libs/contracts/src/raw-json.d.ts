/** Node 24 implements these (ECMAScript "JSON.parse source text access"); TypeScript 6 does not declare them yet. */
declare global {
  interface JSON {
    rawJSON(text: string): object;
    parse(
      text: string,
      reviver: (this: unknown, key: string, value: unknown, context: { source?: string }) => unknown,
    ): unknown;
  }
}
export {};
