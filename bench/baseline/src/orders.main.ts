import 'reflect-metadata';
import { Body, ConflictException, Controller, Injectable, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { Column, DataSource, Entity, In, PrimaryGeneratedColumn, Repository } from 'typeorm';

@Entity('orders')
export class Order {
  @PrimaryGeneratedColumn() id!: number;
  @Column('text') tenant!: string;
  @Column('text') state!: string;
  @Column('numeric', { precision: 22, scale: 4 }) amount!: string;
  @Column('text') consent_email!: string;
  @Column('text') mf_investment_account!: string;
  @Column('bigint', { nullable: true }) payment_id!: string | null;
}

@Injectable()
class OrdersService {
  constructor(
    private readonly dataSource: DataSource,
    @InjectRepository(Order) private readonly orders: Repository<Order>,
  ) {}

  claim(tenant: string, paymentId: number, orderIds: number[]) {
    return this.dataSource.transaction(async (manager) => {
      const orders = await manager.getRepository(this.orders.target).find({
        where: { id: In(orderIds), tenant },
        order: { id: 'ASC' },
        lock: { mode: 'pessimistic_write' },
      });
      if (orders.length !== orderIds.length) throw new ConflictException('unknown order');
      for (const order of orders) {
        if (order.state !== 'pending' || !order.consent_email)
          throw new ConflictException('order not pending');
        if (order.payment_id !== null) throw new ConflictException('payment already exists');
        order.payment_id = String(paymentId);
      }
      await manager.save(orders);
      return orders.map((order) => ({ id: order.id, amount: order.amount, state: order.state }));
    });
  }
}

@Controller('internal/claims')
class ClaimsController {
  constructor(private readonly orders: OrdersService) {}

  @Post()
  claim(@Body() body: { tenant: string; payment_id: number; order_ids: number[] }) {
    return this.orders.claim(body.tenant, body.payment_id, body.order_ids);
  }
}

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'postgres',
      url: process.env['DATABASE_URL'] ?? '',
      entities: [Order],
      synchronize: true,
      extra: { max: 16 },
    }),
    TypeOrmModule.forFeature([Order]),
  ],
  controllers: [ClaimsController],
  providers: [OrdersService],
})
class OrdersModule {}

const app = await NestFactory.create(OrdersModule, { logger: false });
await app.listen(Number(process.env['PORT']), '127.0.0.1');
