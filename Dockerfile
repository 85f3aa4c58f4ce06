# Dolly, as it runs in production: one bundle, and of all packages only the one with a native part.
FROM node:24.21.0-slim AS build

WORKDIR /dolly
# What changes seldom comes first.
COPY package.json package-lock.json .npmrc ./
RUN npm ci && npm cache clean --force
COPY src src
RUN ["node", "src/bundle.ts", "dist"]

FROM node:24.21.0-slim

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data NODE_COMPILE_CACHE=/dolly/compiled
WORKDIR /dolly

COPY --from=build /dolly/node_modules/better-sqlite3 node_modules/better-sqlite3
COPY --from=build /dolly/package.json ./
COPY --from=build /dolly/dist dist

# The folder for the embedded store, where no DATABASE_URL is set, and one for compiled code.
RUN mkdir -m 700 /data compiled && chown node:node /data compiled
VOLUME /data
USER node
# Compiled here, so that no start has to do it.
RUN ["node", "dist/main.js", "compile"]
EXPOSE 3000

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(a => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]

# Without a shell or npm between, Node gets the signals itself and stops in order.
CMD ["node", "dist/main.js"]
