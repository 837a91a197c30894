import { Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import { boundaries, boundariesOf, readTree } from '../eslint.boundaries.mjs';
import config from '../eslint.config.mjs';

/** A small tree of the real names, so that the proof does not change with the folders of the day. */
const TREE = {
  libs: ['contracts', 'state-machines', 'persistence', 'messaging', 'providers', 'service-kit', 'testing'],
  apps: { orders: ['purchase', 'migrations'], payments: ['payment'], standalone: ['demo'] },
};
const CONFIG = [
  { files: ['**/*.ts'], languageOptions: { parser: tseslint.parser as Linter.Parser } },
  ...boundariesOf(TREE),
];

/** The rules that refuse the code, each once. */
function refusalsOf(filename: string, code: string): string[] {
  const messages = new Linter().verify(code, CONFIG, { filename });
  return [...new Set(messages.map((message) => message.ruleId ?? message.message))];
}

const IMPORTS = ['no-restricted-imports'];
const SYNTAX = ['no-restricted-syntax'];
const PURE = 'apps/orders/src/purchase/purchase.ts';
const MACHINE = 'libs/state-machines/src/mandate.machine.ts';

describe('refused', () => {
  it.each([
    ['an app in an app', 'apps/orders/src/x.ts', `import '@fundrail/payments';`],
    ['an app in the specs of another', 'apps/orders/src/x.spec.ts', `import '@fundrail/payments';`],
    ['an app by a path', 'apps/orders/src/x.ts', `import '../../../apps/payments/src/index.ts';`],
    ['an app in a library', 'libs/service-kit/src/x.ts', `import '@fundrail/orders';`],
    ['kafkajs outside of messaging', 'apps/orders/src/x.ts', `import { Kafka } from 'kafkajs';`],
    ['kafkajs in service-kit', 'libs/service-kit/src/x.ts', `import { Kafka } from 'kafkajs';`],
    ['TypeORM in contracts', 'libs/contracts/src/x.ts', `import { Column } from 'typeorm';`],
    ['TypeORM in state-machines', MACHINE, `import { Column } from 'typeorm';`],
    ['TypeORM in providers', 'libs/providers/src/x.ts', `import { Column } from 'typeorm';`],
    ['Nest in contracts', 'libs/contracts/src/x.ts', `import { Injectable } from '@nestjs/common';`],
    ['Nest in state-machines', MACHINE, `import { Injectable } from '@nestjs/common';`],
    ['Nest in specs of contracts', 'libs/contracts/src/x.spec.ts', `import '@nestjs/common';`],
    ['state-machines in contracts', 'libs/contracts/src/x.ts', `import '@fundrail/state-machines';`],
    ['service-kit in messaging', 'libs/messaging/src/x.ts', `import '@fundrail/service-kit/db';`],
    ['messaging in providers', 'libs/providers/src/x.ts', `import '@fundrail/messaging';`],
    ['testing outside of specs', 'apps/orders/src/x.ts', `import { FakeClock } from '@fundrail/testing';`],
    ['verification in an app', 'apps/standalone/src/x.spec.ts', `import '@fundrail/verification';`],
    ['verification by a path', 'apps/standalone/src/x.ts', `import '../../../verification/src/x.ts';`],
    ['an app in testing', 'libs/testing/src/x.ts', `import '@fundrail/orders';`],
    ['testing in a library', 'libs/service-kit/src/x.ts', `import { FakeClock } from '@fundrail/testing';`],
    [
      'collection in payment',
      'apps/payments/src/payment/x.ts',
      `import { issueUri } from '../collection/collection.ts';`,
    ],
    [
      'collection in the decisions of payment',
      'apps/payments/src/payment/payment.ts',
      `import type { Way } from '../collection/upi/upi.ts';`,
    ],
    ['node:* in a decision', PURE, `import { randomUUID } from 'node:crypto';`],
    ['a statement in a decision', PURE, `import { sql } from '@fundrail/persistence';`],
    ['Nest in a decision', PURE, `import { Injectable } from '@nestjs/common';`],
    ['TypeORM in a decision', PURE, `import { In } from 'typeorm';`],
    ['its repository in a decision', PURE, `import { insertPurchase } from './purchase.repository.ts';`],
    ['node:* in a machine of payment', 'apps/payments/src/payment/x.machine.ts', `import 'node:fs';`],
    ['node:* in a machine', MACHINE, `import { readFileSync } from 'node:fs';`],
  ])('%s', (_what, filename, code) => {
    expect(refusalsOf(filename, code)).toEqual(IMPORTS);
  });

  it.each([
    ['an app in an app, by import()', 'apps/orders/src/x.ts', `await import('@fundrail/payments');`],
    [
      'collection in payment, by import()',
      'apps/payments/src/payment/x.ts',
      `await import('../collection/x.ts');`,
    ],
    ['kafkajs by import()', 'apps/orders/src/x.ts', `await import('kafkajs');`],
    ['the time in a decision', PURE, `export const at = new Date();`],
    ['the time in a decision, as a number', PURE, `export const at = Date.now();`],
    ['chance in a decision', PURE, `export const draw = Math.random();`],
    ['a random id in a decision', PURE, `export const id = crypto.randomUUID();`],
    ['a variable in a decision', PURE, `export const mode = process.env['MODE'];`],
    ['a call in a decision', PURE, `export const answer = fetch('http://example.com');`],
    ['the time in a machine', MACHINE, `export const at = new Date();`],
    ['the time in a machine, as a number', MACHINE, `export const at = Date.now();`],
    ['chance in a machine', MACHINE, `export const draw = Math.random();`],
  ])('%s', (_what, filename, code) => {
    expect(refusalsOf(filename, code)).toEqual(SYNTAX);
  });
});

describe('permitted', () => {
  it.each([
    ['payment in collection', 'apps/payments/src/collection/x.ts', `import '../payment/payment.ts';`],
    ['collection in a debit', 'apps/payments/src/debit/x.ts', `import '../collection/collection.ts';`],
    ['a library in an app', 'apps/orders/src/x.ts', `import '@fundrail/service-kit/db';`],
    ['an app in standalone', 'apps/standalone/src/x.ts', `import '@fundrail/orders';`],
    ['an app in verification', 'verification/src/x.spec.ts', `import '@fundrail/orders';`],
    ['testing in verification', 'verification/src/x.ts', `import { FakeClock } from '@fundrail/testing';`],
    ['kafkajs in messaging', 'libs/messaging/src/x.ts', `import { Kafka } from 'kafkajs';`],
    ['TypeORM in service-kit', 'libs/service-kit/src/x.ts', `import { DataSource } from 'typeorm';`],
    ['TypeORM in an app', 'apps/orders/src/purchase/find-purchases.ts', `import { In } from 'typeorm';`],
    ['contracts in state-machines', MACHINE, `import { PAYMENT_STATUSES } from '@fundrail/contracts';`],
    [
      'messaging in service-kit',
      'libs/service-kit/src/x.ts',
      `import { InProcessBus } from '@fundrail/messaging';`,
    ],
    ['testing in a spec', 'apps/orders/src/x.int.spec.ts', `import { FakeClock } from '@fundrail/testing';`],
    [
      'testing beside specs',
      'apps/orders/src/testing/x.ts',
      `import { FakeClock } from '@fundrail/testing';`,
    ],
    [
      'service-kit in a spec of messaging',
      'libs/messaging/src/x.int.spec.ts',
      `import '@fundrail/service-kit/db';`,
    ],
    ['types in a decision', PURE, `import type { PurchaseRow } from './purchase.table.ts';`],
    ['types of node:* in a decision', PURE, `import type { KeyObject } from 'node:crypto';`],
    ['a given time in a decision', PURE, `export const later = (now: Date) => new Date(now.getTime() + 1);`],
    ['the time elsewhere', 'apps/orders/src/purchase/create-purchase.ts', `export const at = new Date();`],
    ['node:* elsewhere', 'apps/orders/src/config.ts', `import { readFileSync } from 'node:fs';`],
  ])('%s', (_what, filename, code) => {
    expect(refusalsOf(filename, code)).toEqual([]);
  });
});

describe('the configuration that lint runs with', () => {
  it('has a block for every package of the tree', () => {
    const names = boundaries.map((block) => block.name);
    const { libs, apps } = readTree();

    const expected = [
      ...libs.map((name) => `libs/${name}`),
      ...Object.keys(apps).map((name) => `apps/${name}`),
      'verification',
    ];
    expect(names).toEqual(expect.arrayContaining(expected.map((folder) => `boundaries: ${folder} sources`)));
  });

  it('ends with the boundaries, so that no other block replaces their rules', () => {
    expect(config.slice(-boundaries.length)).toEqual(boundaries);
  });
});
