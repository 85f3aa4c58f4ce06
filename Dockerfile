# Dolly, as it runs in production: no build step, no package that only tests or the sandbox need.
FROM node:24.21.0-slim

ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /dolly

# What changes seldom comes first. The optional packages are Node itself, which the image has, and a PostgreSQL for tests.
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional && npm cache clean --force
COPY src src

# The embedded store, where no DATABASE_URL is set.
RUN mkdir -m 700 /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000

HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(a => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]

# Without a shell or npm between, Node gets the signals itself and stops in order.
CMD ["node", "src/main.ts"]
