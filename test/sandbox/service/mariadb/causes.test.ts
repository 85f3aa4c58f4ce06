import { expect, test } from 'vitest';
import { causeOf, isAnswer } from '../../../../src/sandbox/service/mariadb/programs/causes.ts';

const at = '2026-11-22  7:25:31 0';
const end = `${at} [ERROR] Plugin 'InnoDB' registration as a STORAGE ENGINE failed.\n${at} [Note] Plugin 'FEEDBACK' is disabled.\n${at} [ERROR] Unknown/unsupported storage engine: InnoDB\n${at} [ERROR] Aborting\n`;

test.each([
  [
    'an unknown character set, told before “Aborting” and without the word error',
    `${at} [Warning] Could not increase number of max_open_files to more than 1024\nmariadbd: Character set 'bogus' is not a compiled character set and is not specified in the 'Index.xml' file\n${at} [ERROR] Aborting\n`,
    /^mariadbd: Character set 'bogus' is not a compiled character set and is not specified in the 'Index.xml' file$/,
  ],
  [
    'another page size, which ends in “Data structure corruption”',
    `recovered pages: 0% 100% (0.1 seconds)\n${at} [ERROR] InnoDB: Data file './ibdata1' uses page size 16384, but the innodb_page_size start-up parameter is 8192\n${at} [ERROR] InnoDB: Plugin initialization aborted with error Data structure corruption\n${end}`,
    /^\[ERROR\] InnoDB: Data file '.\/ibdata1' uses page size 16384, but the innodb_page_size start-up parameter is 8192$/,
  ],
  [
    'a full disk, told by a number in the middle',
    `${at} [ERROR] InnoDB: preallocating 4194304 bytes for file ./ib_logfile101 failed with error 28\n${at} [ERROR] InnoDB: Cannot set log file ./ib_logfile101 size\n${end}`,
    /^No space left on the disk: \[ERROR\] InnoDB: preallocating/,
  ],
  [
    'a full disk for which the server waits',
    `${at} [Warning] mariadbd: Disk is full writing './binlog.000002' (Errcode: 28 "No space left on device"). Waiting for someone to free space...\n`,
    /^No space left on the disk: /,
  ],
  [
    'a statement that failed, without the data in it',
    "--------------\nINSERT INTO errors VALUES ('a failed secret')\n--------------\n\nERROR 1100 (HY000) at line 70: Table 'numbers' was not locked with LOCK TABLES\n",
    /^ERROR 1100 \(HY000\) at line 70: Table 'numbers' was not locked with LOCK TABLES$/,
  ],
  [
    'a fault of the server, and not the tables whose names sound like one',
    `[01] ${at} Copying ./shop/error_log.ibd to /state/work/x/tree/shop/error_log.ibd\n[01] ${at} Copying ./shop/failed@0020jobs.ibd to /state/work/failed\n[00] ${at} Executing BACKUP STAGE START\n[00] ${at} >> log scanned up to (47163)\n[00] ${at} Error: failed to execute query BACKUP STAGE START: Lock wait timeout exceeded\n`,
    /^Error: failed to execute query BACKUP STAGE START: Lock wait timeout exceeded$/,
  ],
  [
    'a program that was ended beside a table that is called as a full disk is',
    `[01] ${at} Copying ./shop/disk_full.ibd to /x/disk full.ibd\n[01] ${at}         ...done\n`,
    /^\.\.\.done$/,
  ],
  [
    'the first of many faults',
    `[00] ${at} Error: cannot open ./shop/a.ibd\n${Array.from({ length: 9 }, (_, n) => `[00] ${at} Error: thread ${n} failed`).join('\n')}`,
    /^Table shop\.a: Error: cannot open .\/shop\/a.ibd\nError: thread 0 failed\n/,
  ],
  [
    'a table, by its own name, whose file has a name that is too long',
    `[01] ${at} Error: copy_file() failed.\n[00] ${at} Failed to copy file ./b@0020c/@8868@8868.frm\n`,
    /^Table b c\.表表: Failed to copy file .\/b@0020c\/@8868@8868\.frm\nError: copy_file\(\) failed\.$/,
  ],
  [
    'a damaged table, without its data',
    `[00] ${at} Database page corruption detected at page 3, retrying...\n[00] ${at} Error: failed to read page after 10 retries. File ./zoo/fish.ibd seems to be corrupted.\n len 64; hex 00ff; asc an error \u0001;\n[00] ${at} mariabackup: xtrabackup_copy_datafile() failed.\n`,
    /^Table zoo\.fish: Error: failed to read page after 10 retries. File .\/zoo\/fish.ibd seems to be corrupted.\nmariabackup: xtrabackup_copy_datafile\(\) failed\.$/,
  ],
  [
    'a line in colours, and one that ends as on Windows',
    '\u001B[31mERROR: column ssn is not there\u001B[0m\nit failed\r\n',
    /^ERROR: column ssn is not there\nit failed$/,
  ],
  ['nothing that looks like a fault: the last lines', 'one\ntwo\nthree\nfour\nfive\n', /^two\nthree\nfour\nfive$/],
  ['nothing at all', '\n', /^$/],
])('the error of a failed program names its cause first: %s', (_, text, words) => {
  expect(causeOf(text)).toMatch(words);
});

test.each([
  ['ERROR 1040 (08004): Too many connections (mariadb ended with 1)', true],
  ['ERROR 1203 (42000): User dolly already has more than max_user_connections (mariadb ended with 1)', true],
  ["ERROR 2002 (HY000): Can't connect to server on '127.0.0.1' (115) (mariadb ended with 1)", false],
  ['ERROR 2013 (HY000): Lost connection to server during query', false],
  ['mariadb was ended, since it took longer', false],
])('the error “%s” counts as the answer of a server that is there: %s', (words, isThere) => {
  expect(isAnswer(new Error(words))).toBe(isThere);
});
