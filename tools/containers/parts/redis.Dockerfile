FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends redis-server redis-tools && rm -rf /var/lib/apt/lists/* && mkdir -p /data && chown redis: /data
WORKDIR /data
VOLUME /data
USER redis
CMD ["redis-server"]
