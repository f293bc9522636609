# Two stages: the first packs the sources and installs the package, the second is Debian with Node and that package.
FROM node:24-bookworm-slim AS build
RUN apt-get update && apt-get install --yes --no-install-recommends binutils
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
RUN npm install --no-fund --no-audit
COPY . .
RUN npm pack --pack-destination / \
  && npm install --global --prefix /image/usr/local --no-fund --no-audit /scriptorium-*.tgz pg@8
# This saves 46 MB: Node loses its symbol table, better-sqlite3 the binaries for other platforms and all C sources, and the
# package its documentation.
WORKDIR /image/usr/local/lib/node_modules/scriptorium/node_modules/better-sqlite3
RUN strip -o /image/usr/local/bin/node /usr/local/bin/node \
  && find prebuilds -type f ! -name "linux-$(node --print process.arch).node" -delete \
  && rm -r deps src ../node-addon-api ../../docs

FROM debian:bookworm-slim
COPY --from=build /image /
RUN useradd --uid 1000 scriptorium && install --directory --owner=scriptorium --group=scriptorium --mode=700 /data
USER scriptorium
VOLUME /data
EXPOSE 4810
# The C library keeps memory that threads have freed for as many arenas as there are threads. With two, less memory is held.
ENV MALLOC_ARENA_MAX=2
# The server listens on every address of the container's network; publishing the port decides who reaches it.
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["node", "--eval", "fetch('http://127.0.0.1:4810/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["scriptorium"]
CMD ["serve", "--host", "0.0.0.0", "--space", "/data/space.sqlite"]
