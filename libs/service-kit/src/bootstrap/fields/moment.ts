/** When a step happened. The names are of the past: `cancelled_at`. */
export const moment = (what: string) => `When ${what}, in IST. Null while it has not happened`;
