import 'reflect-metadata';
import {
  Body,
  ConflictException,
  Controller,
  HttpCode,
  Injectable,
  Module,
  Post,
  Req,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsIn, IsInt, IsUrl, ValidateNested } from 'class-validator';
import { randomUUID } from 'node:crypto';
import {
  Column,
  DataSource,
  Entity,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { AuthGuard } from './auth.guard.ts';

@Entity('payments')
class Payment {
  @PrimaryColumn('bigint') id!: number;
  @Column('text') tenant!: string;
  @Column('text') status!: string;
  @Column('numeric', { precision: 22, scale: 4 }) amount!: string;
  @Column('text') method!: string;
  @Column('text') upi_type!: string;
  @Column('bigint') bank_account_id!: number;
  @Column('text') payment_postback_url!: string;
  @Column('timestamptz') created_at!: Date;
}

@Entity('payment_orders')
@Index(['order_id'], { unique: true, where: 'live' })
class PaymentOrder {
  @PrimaryGeneratedColumn() id!: number;
  @Column('bigint') payment_id!: number;
  @Column('bigint') order_id!: number;
  @Column('boolean') live!: boolean;
  @Column('numeric', { precision: 22, scale: 4 }) amount!: string;
}

@Entity('outbox')
class OutboxRow {
  @PrimaryGeneratedColumn() id!: number;
  @Column('text') event_id!: string;
  @Column('text') type!: string;
  @Column('text') aggregate_id!: string;
  @Column('jsonb') data!: object;
  @Column('timestamptz', { nullable: true }) published_at!: Date | null;
}

@Entity('due_work')
class DueWork {
  @PrimaryGeneratedColumn() id!: number;
  @Column('text') kind!: string;
  @Column('text') key!: string;
  @Column('timestamptz') due_at!: Date;
}

class UpiDto {
  @IsIn(['URI', 'uri', 'collect']) type!: string;
}

class CreatePaymentDto {
  @IsArray() @ArrayMinSize(1) @ArrayMaxSize(10) @IsInt({ each: true }) amc_order_ids!: number[];
  @IsUrl({ require_tld: false }) payment_postback_url!: string;
  @IsIn(['UPI']) method!: string;
  @ValidateNested() @Type(() => UpiDto) upi!: UpiDto;
  @IsInt() bank_account_id!: number;
}

interface ClaimedOrder {
  id: number;
  amount: string;
  state: string;
}

@Injectable()
class PaymentsService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Payment) private readonly payments: Repository<Payment>,
    @InjectRepository(PaymentOrder) private readonly paymentOrders: Repository<PaymentOrder>,
    @InjectRepository(OutboxRow) private readonly outbox: Repository<OutboxRow>,
    @InjectRepository(DueWork) private readonly dueWork: Repository<DueWork>,
  ) {}

  async create(tenant: string, dto: CreatePaymentDto) {
    const [{ id }] = await this.dataSource.query<[{ id: number }]>(`SELECT nextval('payment_id')::int AS id`);
    const orders = await this.claim(tenant, id, dto.amc_order_ids);
    return this.dataSource.transaction(async (manager) => {
      const amount = orders.reduce((sum, order) => sum + Number(order.amount), 0).toFixed(4);
      const payment = await manager.save(
        this.payments.create({
          id,
          tenant,
          status: 'PENDING',
          amount,
          method: dto.method,
          upi_type: dto.upi.type.toLowerCase(),
          bank_account_id: dto.bank_account_id,
          payment_postback_url: dto.payment_postback_url,
          created_at: new Date(),
        }),
      );
      await manager.save(
        orders.map((order) =>
          this.paymentOrders.create({ payment_id: id, order_id: order.id, live: true, amount: order.amount }),
        ),
      );
      await manager.save(
        this.outbox.create({
          event_id: randomUUID(),
          type: 'payment.pending',
          aggregate_id: String(id),
          data: { ...payment, amc_order_ids: dto.amc_order_ids },
          published_at: null,
        }),
      );
      await manager.save(
        this.dueWork.create({ kind: 'expire', key: String(id), due_at: new Date(Date.now() + 30 * 60_000) }),
      );
      return { id, token_url: null, upi: { type: 'uri', vpa: null, uri: null } };
    });
  }

  private async claim(tenant: string, paymentId: number, orderIds: number[]): Promise<ClaimedOrder[]> {
    const answer = await fetch(`${process.env['ORDERS_URL'] ?? ''}/internal/claims`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ tenant, payment_id: paymentId, order_ids: orderIds }),
    });
    if (!answer.ok) throw new ConflictException('PAYMENT_ALREADY_EXISTS');
    return (await answer.json()) as ClaimedOrder[];
  }
}

@Controller('api/pg/payments')
@UseGuards(AuthGuard)
class PaymentsController {
  constructor(private readonly payments: PaymentsService) {}

  @Post('netbanking')
  @HttpCode(200)
  create(@Body() body: CreatePaymentDto, @Req() request: { tenant: string }) {
    return this.payments.create(request.tenant, body);
  }
}

const entities = [Payment, PaymentOrder, OutboxRow, DueWork];

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities,
      synchronize: true,
      extra: { max: 16 },
    }),
    TypeOrmModule.forFeature(entities),
  ],
  controllers: [PaymentsController],
  providers: [PaymentsService],
})
class PaymentsModule {}

const app = await NestFactory.create(PaymentsModule, { logger: false });
await app.get(DataSource).query('CREATE SEQUENCE IF NOT EXISTS payment_id');
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
await app.listen(Number(process.env['PORT']), '127.0.0.1');
