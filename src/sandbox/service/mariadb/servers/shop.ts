/**
 * The size of a thousand orders with their lines, in megabytes: measured from 350 MB on. A small example takes up to twice as
 * much, since InnoDB reserves room in each file; what the server has for itself, some 80 MB, comes on top.
 */
const mbPerThousand = 1.5;

/**
 * The SQL that fills the example server: a shop whose orders lie in partitions by year, with a view, a trigger that
 * keeps a sum, and a second database of reviews. About `megabytes` of data, which the server makes itself.
 */
export function shop(megabytes: number): string {
  const orders = Math.max(2_000, Math.round((megabytes / mbPerThousand) * 1_000));
  const customers = Math.max(500, Math.round(orders / 5));
  return `
CREATE DATABASE shop CHARACTER SET utf8mb4;
USE shop;

CREATE TABLE customers (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  email VARCHAR(120) NOT NULL UNIQUE,
  city VARCHAR(40) NOT NULL,
  since DATE NOT NULL
);
INSERT INTO customers
SELECT seq,
  CONCAT(ELT(1 + seq MOD 8, 'Ada', 'Bo', 'Cleo', 'Dai', 'Edda', 'Femi', 'Gül', 'Hana'), ' ',
    ELT(1 + seq DIV 8 MOD 8, 'Lund', 'Mori', 'Nkosi', 'Ortiz', 'Patel', 'Quist', 'Rossi', 'Silva'), ' ', seq),
  CONCAT('customer', seq, '@example.com'),
  ELT(1 + seq MOD 5, 'Lisbon', 'Oslo', 'Nairobi', 'Kyoto', 'Lima'),
  DATE('2019-01-01') + INTERVAL seq MOD 2000 DAY
FROM seq_1_to_${customers};

CREATE TABLE products (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  name VARCHAR(80) NOT NULL,
  price DECIMAL(8, 2) NOT NULL,
  stock INT NOT NULL
);
INSERT INTO products
SELECT seq, CONCAT(ELT(1 + seq MOD 4, 'Lamp', 'Chair', 'Kettle', 'Globe'), ' no. ', seq), 5 + seq MOD 200 + 0.95, 100 + seq MOD 900
FROM seq_1_to_400;

CREATE TABLE orders (
  id INT UNSIGNED NOT NULL,
  customer INT UNSIGNED NOT NULL,
  placed DATE NOT NULL,
  status ENUM('open', 'paid', 'sent', 'returned') NOT NULL,
  note VARCHAR(200) NOT NULL,
  PRIMARY KEY (id, placed),
  KEY by_customer (customer)
)
PARTITION BY RANGE (YEAR(placed)) (
  PARTITION until2022 VALUES LESS THAN (2023),
  PARTITION y2023 VALUES LESS THAN (2024),
  PARTITION y2024 VALUES LESS THAN (2025),
  PARTITION later VALUES LESS THAN MAXVALUE
);
INSERT INTO orders
SELECT seq, 1 + seq * 7 MOD ${customers}, DATE('2021-01-01') + INTERVAL seq MOD 1800 DAY,
  ELT(1 + seq MOD 4, 'open', 'paid', 'sent', 'returned'), REPEAT(MD5(seq), 4)
FROM seq_1_to_${orders};

CREATE TABLE order_lines (
  \`order\` INT UNSIGNED NOT NULL,
  line TINYINT UNSIGNED NOT NULL,
  product INT UNSIGNED NOT NULL,
  quantity SMALLINT UNSIGNED NOT NULL,
  text VARCHAR(240) NOT NULL,
  PRIMARY KEY (\`order\`, line),
  CONSTRAINT order_lines_product FOREIGN KEY (product) REFERENCES products (id)
);
-- In the order of the key: written in any other, two gigabytes take many minutes.
INSERT INTO order_lines
SELECT o.seq, l.seq, 1 + (o.seq * l.seq) MOD 400, 1 + o.seq MOD 5, CONCAT(MD5(o.seq), ' ', REPEAT(MD5(l.seq), 6))
FROM seq_1_to_${orders} o STRAIGHT_JOIN seq_1_to_3 l;

CREATE TABLE sold (product INT UNSIGNED NOT NULL PRIMARY KEY, quantity BIGINT NOT NULL);
INSERT INTO sold SELECT product, SUM(quantity) FROM order_lines GROUP BY product;

CREATE TRIGGER count_sold AFTER INSERT ON order_lines FOR EACH ROW
  INSERT INTO sold VALUES (NEW.product, NEW.quantity) ON DUPLICATE KEY UPDATE quantity = quantity + NEW.quantity;

CREATE VIEW revenue_by_city AS
SELECT c.city, COUNT(DISTINCT o.id) AS orders, SUM(l.quantity * p.price) AS revenue
FROM orders o
JOIN customers c ON c.id = o.customer
JOIN order_lines l ON l.\`order\` = o.id
JOIN products p ON p.id = l.product
GROUP BY c.city;

CREATE DATABASE reviews CHARACTER SET utf8mb4;
CREATE TABLE reviews.reviews (
  id INT UNSIGNED NOT NULL PRIMARY KEY,
  product INT UNSIGNED NOT NULL,
  stars TINYINT UNSIGNED NOT NULL,
  text VARCHAR(200) NOT NULL
);
INSERT INTO reviews.reviews SELECT seq, 1 + seq MOD 400, 1 + seq MOD 5, CONCAT('Review ', seq) FROM seq_1_to_2000;
`;
}
