import type { Admin } from 'kafkajs';
import { kafkaClient, type KafkaConnection } from './kafka-connection.ts';

/** The bus's requests to the broker: one connection, created on demand, and again after any error. */
export class AdminConnection {
  #admin: Promise<Admin> | null = null;
  #closed = false;

  constructor(private readonly connection: KafkaConnection) {}

  /** Rejects when the broker does not answer within a few seconds, or the request fails. Does not retry. */
  async ask<T>(question: (admin: Admin) => Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('the connection to the broker has been closed');
    const admin = (this.#admin ??= connected(kafkaClient(this.connection, 0).admin()));
    try {
      return await question(await admin);
    } catch (error) {
      this.#drop(admin);
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    const admin = this.#admin;
    this.#admin = null;
    await admin?.then((open) => open.disconnect()).catch(() => undefined);
  }

  #drop(admin: Promise<Admin>): void {
    if (this.#admin === admin) this.#admin = null;
    void admin.then((open) => open.disconnect()).catch(() => undefined);
  }
}

async function connected(admin: Admin): Promise<Admin> {
  try {
    await admin.connect();
    // Loads the list of brokers: without it kafkajs cannot request a group's offsets.
    await admin.describeCluster();
    return admin;
  } catch (error) {
    void admin.disconnect().catch(() => undefined);
    throw error;
  }
}
