/**
 * Weekdays on which the equity segments of NSE and BSE do not trade, from the exchanges' yearly lists
 * (nseindia.com, "Exchange communication: holidays"), compared with the calendars of the Python
 * packages exchange_calendars and pandas_market_calendars. 15 January 2026 was declared later (municipal elections in
 * Maharashtra). Years that are not here have the fixed national holidays; operators add later years (ADMIN-10).
 */
export const EQUITY_HOLIDAYS: Readonly<Record<number, readonly string[]>> = {
  2025: [
    '2025-02-26',
    '2025-03-14',
    '2025-03-31',
    '2025-04-10',
    '2025-04-14',
    '2025-04-18',
    '2025-05-01',
    '2025-08-15',
    '2025-08-27',
    '2025-10-02',
    '2025-10-21',
    '2025-10-22',
    '2025-11-05',
    '2025-12-25',
  ],
  2026: [
    '2026-01-15',
    '2026-01-26',
    '2026-03-03',
    '2026-03-26',
    '2026-03-31',
    '2026-04-03',
    '2026-04-14',
    '2026-05-01',
    '2026-05-28',
    '2026-06-26',
    '2026-09-14',
    '2026-10-02',
    '2026-10-20',
    '2026-11-10',
    '2026-11-24',
    '2026-12-25',
  ],
};
