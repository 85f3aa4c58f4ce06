/*
 * What the interface specification names, copied from it by hand: neither the bot nor the sandbox may be asked what there is.
 */

/** The endpoints of spec §4, in its order. */
export const endpoints = [
  'GET /database/list',
  'GET /database/{id}',
  'PUT /database/sync',
  'PUT /database/refresh',
  'PUT /database/disable',
  'PUT /database/enable',
  'DELETE /database/delete',
  'PUT /snapshot/delete',
  'POST /database/snapshot/mount',
  'PUT /database/stop',
  'PUT /database/start',
  'PUT /database/reset',
  'POST /database/clone/create',
  'POST /database/duplicate/create',
  'POST /database/clone/share',
  'POST /database/clone/switch',
  'POST /database/restore',
  'GET /environment/list',
  'GET /environment/{id}',
  'PUT /environment/refresh',
  'PUT /environment/disable',
  'PUT /environment/enable',
  'DELETE /environment/delete',
  'POST /user/user/token',
  'POST /user/user/signin',
  'GET /user/list',
  'GET /user/user/{id}',
  'DELETE /user/user/delete',
  'GET /project/list',
  'GET /project/{id}',
  'DELETE /project/delete',
];

/** The values of objectType in spec §4.6. */
export const scopes = [
  'ORACLE_DATABASE_RECOVERY_PARAMS',
  'ORACLE_PLUGGABLE_DATABASE_RECOVERY_PARAMS',
  'ORACLE_TABLESPACE_RECOVERY_PARAMS',
  'ORACLE_DATAFILE_RECOVERY_PARAMS',
  'MYSQL_SERVER_RECOVERY_PARAMS',
  'MYSQL_DATABASE_RECOVERY_PARAMS',
  'MYSQL_TABLE_RECOVERY_PARAMS',
  'MARIADB_SERVER_RECOVERY_PARAMS',
  'MARIADB_DATABASE_RECOVERY_PARAMS',
  'MARIADB_TABLE_RECOVERY_PARAMS',
];
