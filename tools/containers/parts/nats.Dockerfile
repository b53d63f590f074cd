FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends busybox socat && rm -rf /var/lib/apt/lists/* && ln -s /bin/busybox /usr/bin/wget
COPY bin/nats-server /usr/local/bin/nats-server
# Alpine's nc, as far as the Compose file uses it.
COPY nc.sh /usr/bin/nc
ENTRYPOINT ["/usr/local/bin/nats-server"]
