# syntax=docker/dockerfile:1
# One image for every role: `docker run hermod start --role edge`.

FROM node:24-bookworm-slim AS build
WORKDIR /app
# A development tool reports its installation otherwise.
ENV SCARF_ANALYTICS=false
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The image is built without the history: `docker build --build-arg BUILD_COMMIT=$(git rev-parse HEAD) .`
ARG BUILD_COMMIT
RUN BUILD_COMMIT=$BUILD_COMMIT npm run build

FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM node:24-bookworm-slim
WORKDIR /app
# The last: glibc gives large buffers back to the system when they are freed.
ENV NODE_ENV=production HERMOD_DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=131072
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
COPY scripts/healthcheck.js scripts/
# A new volume takes its owner from the folder that it covers.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 8080 9090 50051 2525 2587
STOPSIGNAL SIGTERM
# Alive, not ready: a container whose database is away for a moment must not be replaced.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["node", "scripts/healthcheck.js", "/healthz"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "bin/hermod.js"]
CMD ["start"]
