/**
 * The number of payments, so that a list does not have to count them (decision 0011).
 * - payment_counts: by the IST day of the creation, type and status. A row that reaches 0 is soon deleted.
 * - payment_count_deltas: changes that are not yet in payment_counts. Triggers insert them in the transaction of the change and
 *   never update them, so no change waits for a counter row. The sum of both tables is exact in every snapshot.
 */
export const countTables = `
CREATE TABLE payment_counts (
  tenant text NOT NULL,
  day date NOT NULL,
  payment_type text NOT NULL,
  status text NOT NULL,
  n integer NOT NULL,
  PRIMARY KEY (tenant, day, payment_type, status) INCLUDE (n)
);
CREATE INDEX payment_counts_empty ON payment_counts (tenant) WHERE n = 0;

CREATE TABLE payment_count_deltas (
  tenant text NOT NULL,
  day date NOT NULL,
  payment_type text NOT NULL,
  status text NOT NULL,
  n integer NOT NULL
);
CREATE INDEX payment_count_deltas_day ON payment_count_deltas (tenant, day);

CREATE FUNCTION payment_day(at timestamptz) RETURNS date LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (at AT TIME ZONE INTERVAL '05:30')::date;

CREATE FUNCTION count_payments() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_count_deltas (tenant, day, payment_type, status, n)
  SELECT tenant, payment_day(created_at), payment_type, status, CASE TG_OP WHEN 'DELETE' THEN -count(*) ELSE count(*) END
    FROM changed GROUP BY 1, 2, 3, 4;
  RETURN NULL;
END $$;

CREATE FUNCTION move_payment_count() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO payment_count_deltas (tenant, day, payment_type, status, n)
  VALUES (OLD.tenant, payment_day(OLD.created_at), OLD.payment_type, OLD.status, -1),
         (NEW.tenant, payment_day(NEW.created_at), NEW.payment_type, NEW.status, 1);
  RETURN NULL;
END $$;

CREATE TRIGGER payments_inserted AFTER INSERT ON payments REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_payments();
CREATE TRIGGER payments_deleted AFTER DELETE ON payments REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_payments();
CREATE TRIGGER payments_moved AFTER UPDATE ON payments FOR EACH ROW
  WHEN ((OLD.status, OLD.payment_type, OLD.created_at, OLD.tenant)
    IS DISTINCT FROM (NEW.status, NEW.payment_type, NEW.created_at, NEW.tenant))
  EXECUTE FUNCTION move_payment_count();
`;
