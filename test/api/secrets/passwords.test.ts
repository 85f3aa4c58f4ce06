import { describe, expect, test } from 'vitest';
import { maskPasswords, maskSurePasswords, maskValue } from '../../../src/api/secrets/passwords.ts';

describe('a password is masked in', () => {
  test.each([
    'jdbc:mysql://db:3306/shop?user=app&password=S3cr%26t&ssl=true',
    'jdbc:sqlserver://db;user=app;password=S3cr&t,x;encrypt=true',
    'jdbc:oracle:thin:app/S3crt@ora-prod:1521/ORCL',
    'jdbc:oracle:thin:app/S3crt@ORCL',
    'mysql://app:S3crt@db:3306/shop',
    'mysql://app:S3/crt@db:3306/shop',
    'no way to mysql://app:S3crt…',
    'mysql://app:S3@crt@db:3306/shop',
    'redis://:S3crt@cache',
    'https://app:S3crt@host/path',
    'app:S3crt@tcp(db:3306)/shop',
    'app:S3crt@db:3306/shop',
    'scott/S3crt@ora-prod:1521/ORCL',
    'scott/S3crt@//ora-prod/ORCL',
    'scott/"S3 crt"@ora-prod/ORCL',
    'scott/S3crt@(DESCRIPTION=(ADDRESS=(HOST=x)))',
    'sqlplus scott/S3crt',
    'rman target sys/S3crt@ORCL',
    'host=db password=S3crt user=app',
    "host=db password='S3 crt' user=app",
    'Server=db;Uid=app;Pwd=S3crt;',
    'Server=db;Uid=app;Password={S3;crt};',
    'Server=db;Uid=app;Password=S3 crt;Port=1',
    '(USER=app)(PASSWORD=S3crt)(HOST=x)',
    '{"user":"app","password":"S3\\"crt"}',
    "{'api_key': 'S3crt'}",
    'https://host/hook?access_token=S3crt&x=1',
    'https://host/hook?x=1&apiKey=S3crt',
    'mysql --user=root --password=S3crt shop',
    'mysqldump -u root -pS3crt shop',
    'tool --token S3crt --x',
    'tool "--token S3crt"',
    'OPTS=--token S3crt',
    'tool -password S3crt',
    "ALTER USER app IDENTIFIED BY 'S3crt'",
    'CREATE USER app IDENTIFIED BY S3crt;',
    'Authorization: Bearer S3crt0123456789',
    'authorization=Basic YmVuOlMzY3J0',
    'DB_PASSWORD=S3crt',
    'pass=S3crt user=app',
    'AccountName=app;AccountKey=S3crt==;',
    '<user>app</user><password>S3crt</password>',
    '<property name="db.password" value="S3crt"/>',
    '{"passwords":1,"password":["S3crt"]}',
    "SET PASSWORD FOR app = PASSWORD('S3crt')",
    'user => app, password => S3crt',
    'mongodb+srv://u:S3crt@c.example.net/db',
    'spring.datasource.password=S3crt',
  ])('a password is masked in the text %s', text => {
    const masked = maskSurePasswords(text);
    expect(masked).toContain('•••');
    expect(masked).not.toMatch(/S3|crt|YmVu/);
    expect(maskSurePasswords(masked)).toBe(masked);
  });

  test.each([
    'password: S3crt',
    'the password "S3crt" is wrong',
    'scott/S3crt@orcl',
    'login failed (secret: S3crt)',
    'X-Auth-Token S3crt',
  ])('a likely password in a service’s words is masked: %s', text => {
    expect(maskPasswords(text)).not.toContain('S3crt');
    expect(maskPasswords(text)).toContain('•••');
  });

  test('what stands around a masked password stays', () => {
    expect(maskPasswords('jdbc:mysql://db:3306/shop?user=app&password=x&ssl=true')).toBe(
      'jdbc:mysql://db:3306/shop?user=app&password=•••&ssl=true',
    );
    expect(maskPasswords('mysql://app:x@db:3306/shop')).toBe('mysql://app:•••@db:3306/shop');
    expect(maskPasswords('scott/tiger@ora:1521/ORCL')).toBe('scott/•••@ora:1521/ORCL');
    expect(maskPasswords('Server=db;Pwd=x;Uid=app;')).toBe('Server=db;Pwd=•••;Uid=app;');
  });
});

test.each([
  'jdbc:mysql://db:3306/shop?useSSL=true',
  'mariadb --host=mariadb-prod.example.com --port=3306 --user=root -p',
  'sqlplus / as sysdba',
  'http://host:8080/users/ben@example.com',
  'see http://host:8080/users…',
  'see http://host:8080…',
  'ben@example.com',
  'mailto:ben@example.com',
  'git@host:team/repo',
  '/u01/app/oracle@19c/dbhome',
  'tank/prod@monday',
  'Your password is right, but the service gave no token: The service answered with an error (HTTP 503).',
  'The service did not accept this user name and password: “Bad credentials”. Check both and try again.',
  'Basic authentication is off',
  'validate_password_policy=LOW',
  'The token has expired',
  'bypass=true',
  'token(s) left: 3',
  'orders · Oracle · RUNNING',
  'mysql-prod-01 of shop-p1',
  'vault-secret is a clone of app-token now',
])('a text without a password stays as it is: %s', text => {
  expect(maskSurePasswords(text)).toBe(text);
});

test.each([
  ['connection.password', 'hunter2', '•••'],
  ['agentPassword', 'hunter2', '•••'],
  ['API_KEY', 'hunter2', '•••'],
  ['credentials.user', 'hunter2', '•••'],
  ['auth.token.value', 'hunter2', '•••'],
  ['hasPassword', 'true', 'true'],
  ['passwordChangedAt', '2026-11-22', '2026-11-22'],
  ['connection.url', 'mysql://app:hunter2@db', 'mysql://app:•••@db'],
  ['owner', 'Ben', 'Ben'],
])('a record’s value at %s is masked only where its key or its text is a password’s', (path, value, expected) => {
  expect(maskValue(path, value)).toBe(expected);
});

test('a text of a million characters is masked within two seconds', () => {
  for (const piece of ['a', 'password', '://a:', 'a/b@', '(password=', 'mysql -p', '<token>', "secret='", 'key ', '"'])
    for (const end of ['', ' password=x', '@', ' ://u:x@h']) {
      const before = process.threadCpuUsage();
      maskPasswords(`${piece.repeat(200_000)}${end}`);
      expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
    }
});
