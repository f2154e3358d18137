# A node of vws. Three stages: build the program, install what it needs to run, put both together without npm or compilers.
#   docker build -t vws .
#   docker run -v vws:/data -p 8337:8337 -p 8338:8338 -e SERVICE_TESTNET=true -e SERVICE_PASSPHRASE=... vws

FROM node:22-bookworm-slim AS build
WORKDIR /opt/vws
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node tools/build.mjs

FROM node:22-bookworm-slim AS modules
WORKDIR /opt/vws
COPY package.json package-lock.json ./
RUN npm ci --omit=dev

FROM node:22-bookworm-slim
# What is left is node, a shell and the program; npm is for building only.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  && install -d -o node -g node -m 0700 /data
WORKDIR /opt/vws
COPY --from=modules /opt/vws/node_modules ./node_modules
COPY --from=build /opt/vws/package.json ./
COPY --from=build /opt/vws/build ./build
ENV NODE_ENV=production MALLOC_ARENA_MAX=1 SERVICE_DATA=/data
USER node
VOLUME /data
EXPOSE 8337 8338
STOPSIGNAL SIGTERM
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch('http://127.0.0.1:8338/health/live').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/vws/build/host/cli/main.js"]
CMD ["start"]
