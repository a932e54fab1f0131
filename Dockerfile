# base is the image of Node. Pin it by digest for releases: a tag can move.
FROM node:24-trixie-slim AS base

FROM base AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY test/adapters/graphql/gateway test/adapters/graphql/gateway
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN node packaging/build.ts && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

# Node without package managers; the user 65532 owns nothing.
FROM base
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000
COPY --from=build /build/package.json /app/package.json
COPY --from=build /build/node_modules /app/node_modules
COPY --from=build /build/dist /app/dist
# sallyport.config.json is read from here, if there is one.
WORKDIR /config
USER 65532:65532
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=40s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/bin.js"]
