FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends busybox && rm -rf /var/lib/apt/lists/* && ln -s /bin/busybox /usr/bin/wget
COPY bin/versitygw /usr/local/bin/versitygw
ENTRYPOINT ["/usr/local/bin/versitygw"]
