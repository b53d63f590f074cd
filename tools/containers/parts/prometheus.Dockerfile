FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends prometheus busybox && rm -rf /var/lib/apt/lists/* && ln -s /bin/busybox /usr/bin/wget && mkdir -p /prometheus && chown nobody:nogroup /prometheus
WORKDIR /prometheus
VOLUME /prometheus
USER nobody
ENTRYPOINT ["/usr/bin/prometheus"]
