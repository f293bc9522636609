# Two stages: the first makes the package from the sources, the second installs it and nothing else.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json tsconfig.json ./
RUN npm install --no-fund --no-audit
COPY . .
RUN npm pack --pack-destination /

FROM node:24-bookworm-slim
COPY --from=build /scriptorium-*.tgz /tmp/
RUN npm install --global --no-fund --no-audit /tmp/scriptorium-*.tgz \
  && rm -rf /tmp/* /root/.npm \
  && mkdir /data \
  && chown node:node /data
USER node
VOLUME /data
EXPOSE 4810
# The address is that of the network inside: what may reach it is decided outside.
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4810/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["scriptorium"]
CMD ["serve", "--host", "0.0.0.0", "--space", "/data/space.sqlite"]
