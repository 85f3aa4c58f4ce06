/** The bundler collects style sheets; to the type checker an import of one is only a side effect. */
declare module '*.css';
