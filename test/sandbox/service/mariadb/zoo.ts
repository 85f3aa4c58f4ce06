/**
 * A database with an object of every kind that MariaDB has and a dump can stumble over, and one that refers to it. Statements end
 * with `//`: what some of them hold has semicolons.
 */
export const zoo = `
CREATE OR REPLACE USER keeper@localhost, guest@localhost //
GRANT ALL ON *.* TO keeper@localhost //
CREATE DATABASE zoo CHARACTER SET latin1 COMMENT 'it''s a zoo' //
USE zoo //
CREATE SEQUENCE numbers START WITH 1000 INCREMENT BY 5 MAXVALUE 99999 CACHE 7 CYCLE //
CREATE TABLE aaa (id INT PRIMARY KEY DEFAULT (NEXT VALUE FOR numbers), word VARCHAR(20)) //
INSERT INTO aaa (word) VALUES ('a'), ('b') //
CREATE TABLE tickets (id INT PRIMARY KEY DEFAULT NEXTVAL(numbers), word VARCHAR(20)) ENGINE=Aria PAGE_CHECKSUM=1 TRANSACTIONAL=1 //
INSERT INTO tickets (word) VALUES ('c') //
CREATE TABLE staff (id INT PRIMARY KEY, salary INT, doubled INT AS (salary * 2) STORED, tripled INT AS (salary * 3) VIRTUAL) WITH SYSTEM VERSIONING //
INSERT INTO staff (id, salary) VALUES (1, 100), (2, 200) //
UPDATE staff SET salary = 150 WHERE id = 1 //
DELETE FROM staff WHERE id = 2 //
CREATE TABLE rooms (id INT PRIMARY KEY, note TEXT WITHOUT SYSTEM VERSIONING,
  since TIMESTAMP(6) GENERATED ALWAYS AS ROW START, until TIMESTAMP(6) GENERATED ALWAYS AS ROW END,
  PERIOD FOR SYSTEM_TIME (since, until)) WITH SYSTEM VERSIONING
  PARTITION BY SYSTEM_TIME (PARTITION old HISTORY, PARTITION now CURRENT) //
INSERT INTO rooms (id) VALUES (1) //
UPDATE rooms SET id = 2 //
CREATE TABLE leases (who INT, since DATE, until DATE, PERIOD FOR validity (since, until), UNIQUE (who, validity WITHOUT OVERLAPS)) WITH SYSTEM VERSIONING //
INSERT INTO leases VALUES (1, '2020-01-01', '2021-01-01') //
UPDATE leases SET who = 2 //
CREATE TABLE derived (id INT PRIMARY KEY AUTO_INCREMENT, a INT, b INT AS (a * 2) VIRTUAL, c INT AS (a + 1) STORED, d INT INVISIBLE DEFAULT 7, KEY (b), CHECK (a < 1000)) //
INSERT INTO derived (a) VALUES (1), (2) //
CREATE TABLE spots (id INT PRIMARY KEY, at POINT NOT NULL, text TEXT, SPATIAL INDEX (at), FULLTEXT (text)) //
INSERT INTO spots VALUES (1, ST_GeomFromText('POINT(1 2)'), 'words to find') //
CREATE TABLE mine (id INT, v INT) ENGINE=MyISAM //
CREATE TABLE yours LIKE mine //
INSERT INTO mine VALUES (1, 1) //
INSERT INTO yours VALUES (2, 2) //
CREATE TABLE ours (id INT, v INT) ENGINE=MERGE UNION=(mine, yours) INSERT_METHOD=LAST //
CREATE TABLE parts (id INT, y INT, PRIMARY KEY (id, y)) PARTITION BY RANGE (y) SUBPARTITION BY HASH (id) SUBPARTITIONS 2
  (PARTITION low VALUES LESS THAN (10), PARTITION high VALUES LESS THAN MAXVALUE) //
INSERT INTO parts VALUES (1, 1), (2, 20) //
CREATE TABLE parent (id INT PRIMARY KEY) //
CREATE TABLE child (id INT PRIMARY KEY, p INT, FOREIGN KEY (p) REFERENCES parent (id) ON DELETE CASCADE) //
INSERT INTO parent VALUES (1) //
INSERT INTO child VALUES (1, 1) //
CREATE TABLE types (id UUID DEFAULT UUID() PRIMARY KEY, j JSON, i INET6, b BIT(5), y YEAR, e ENUM('ä', 'b'), z BLOB COMPRESSED, l VARCHAR(9) CHARACTER SET utf8mb4, f FLOAT, n DECIMAL(30, 10)) //
INSERT INTO types VALUES ('123e4567-e89b-12d3-a456-426614174000', '{"a": "ü"}', '::1', b'101', 2020, 'ä', x'00ff0d0a', '😀', 0.1, 12345678901234567890.0123456789) //
CREATE TABLE \`odd \`\`"' 表 ☃\` (\`c \`\`"' ☃\` INT COMMENT 'a; b') COMMENT '😀' //
CREATE VIEW \`the odd \`\`"' one\` AS SELECT * FROM \`odd \`\`"' 表 ☃\` //
CREATE TABLE ${'n'.repeat(64)} (id INT) //
CREATE VIEW words AS SELECT id, word FROM aaa //
CREATE VIEW a_checked AS SELECT * FROM words WHERE id > 0 WITH CHECK OPTION //
CREATE ALGORITHM=MERGE DEFINER=keeper@localhost VIEW merged AS SELECT * FROM a_checked //
CREATE ALGORITHM=TEMPTABLE SQL SECURITY INVOKER VIEW counted AS SELECT COUNT(*) AS n FROM merged //
CREATE DEFINER=keeper@localhost FUNCTION doubled(x INT) RETURNS INT DETERMINISTIC RETURN x * 2 //
CREATE DEFINER=guest@localhost PROCEDURE hello() SQL SECURITY INVOKER COMMENT 'it''s me'
BEGIN
  -- A comment that is kept; and a backslash: \\
  SELECT doubled(21); /* another one */
END //
CREATE AGGREGATE FUNCTION summed(x INT) RETURNS INT DETERMINISTIC
BEGIN
  DECLARE s INT DEFAULT 0;
  DECLARE CONTINUE HANDLER FOR NOT FOUND RETURN s;
  LOOP FETCH GROUP NEXT ROW; SET s = s + x; END LOOP;
END //
CREATE TRIGGER first BEFORE INSERT ON derived FOR EACH ROW SET NEW.a = doubled(NEW.a) //
CREATE DEFINER=keeper@localhost TRIGGER another BEFORE INSERT ON derived FOR EACH ROW FOLLOWS first SET NEW.a = NEW.a + 1 //
CREATE DEFINER=keeper@localhost EVENT nightly ON SCHEDULE EVERY 1 DAY STARTS '2030-01-01' ON COMPLETION PRESERVE DISABLE DO BEGIN SELECT 1; END //
CREATE VIEW computed AS SELECT doubled(3) AS six //
SET sql_mode = ORACLE //
CREATE PACKAGE pk AS FUNCTION f RETURN INT; PROCEDURE p; END //
CREATE PACKAGE BODY pk AS FUNCTION f RETURN INT AS BEGIN RETURN 42; END; PROCEDURE p AS BEGIN SELECT f() || 'x'; END; END //
CREATE VIEW joined AS SELECT 'a' || 'b' AS ab //
SET sql_mode = DEFAULT //
GRANT EXECUTE ON FUNCTION zoo.doubled TO guest@localhost //
GRANT SELECT (word) ON zoo.aaa TO guest@localhost //
CREATE DATABASE park //
CREATE TABLE park.pupils (id INT PRIMARY KEY, p INT, CONSTRAINT of_parent FOREIGN KEY (p) REFERENCES zoo.parent (id)) //
INSERT INTO park.pupils VALUES (1, 1) //
CREATE VIEW park.seen AS SELECT * FROM zoo.words //
`;

/** Changes the zoo in every way, and makes what was not there. */
export const havoc = `
USE zoo //
INSERT INTO aaa (word) VALUES ('newer') //
DROP VIEW merged //
SET sql_mode = ORACLE //
DROP PACKAGE pk //
SET sql_mode = DEFAULT //
DROP FUNCTION summed //
DROP EVENT nightly //
DROP TRIGGER another //
ALTER TABLE staff DROP SYSTEM VERSIONING //
DELETE FROM rooms //
DROP TABLE types, leases, parts, yours //
ALTER TABLE derived DROP COLUMN d //
ALTER SEQUENCE numbers RESTART 5000 //
CREATE TABLE made (id INT DEFAULT NEXTVAL(numbers)) //
CREATE VIEW made_too AS SELECT * FROM made //
`;
