import { z } from 'zod';
import { prefixedId } from './ids.ts';
import { erasedRows } from './internal/personal-data.dto.ts';
import { businessDate, timestamp } from './time.ts';

/** The states of an erasure, INV-17. */
export const ERASURE_STATES = ['scheduled', 'running', 'done'] as const;

const keptData = z
  .strictObject({
    what: z.string(),
    /** The last day on which the rule keeps it (IST); null without an end. */
    until: businessDate.nullable(),
    why: z.string(),
  })
  .meta({ id: 'KeptData' });
export type KeptData = z.infer<typeof keptData>;

const erasedTable = erasedRows.extend({ service: z.string() }).meta({ id: 'ErasedTable' });
export type ErasedTable = z.infer<typeof erasedTable>;

/** `POST|GET /v2/investor_profiles/:id/erasure` (INV-17). */
export const erasure = z
  .strictObject({
    object: z.literal('erasure'),
    id: prefixedId('erasure'),
    investor_profile: prefixedId('investorProfile'),
    state: z.enum(ERASURE_STATES),
    /** The first day on which nothing keeps the data any longer, as things stand. */
    due_on: businessDate,
    kept: z.array(keptData),
    /** The proof: the rows of each table that have no personal data any longer. Empty until the erasure runs. */
    erased: z.array(erasedTable),
    created_at: timestamp,
    done_at: timestamp.nullable(),
  })
  .meta({ id: 'Erasure' });
export type ErasureDto = z.infer<typeof erasure>;

const rows = z.array(z.record(z.string(), z.unknown()));

/** `GET /v2/investor_profiles/:id/export` (INV-20): everything that is stored about a person, by service and table. */
export const investorExport = z
  .strictObject({
    object: z.literal('investor_export'),
    investor_profile: prefixedId('investorProfile'),
    exported_at: timestamp,
    data: z.record(z.string(), z.record(z.string(), rows)),
  })
  .meta({ id: 'InvestorExport' });
export type InvestorExportDto = z.infer<typeof investorExport>;
