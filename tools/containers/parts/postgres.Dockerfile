FROM debian:bookworm-slim
RUN apt-get update && apt-get install --yes --no-install-recommends postgresql-client && rm -rf /var/lib/apt/lists/*
RUN (id postgres || useradd --system --uid 999 --home-dir /var/lib/postgresql postgres) && mkdir -p /var/run/postgresql /var/lib/postgresql && chown postgres /var/run/postgresql /var/lib/postgresql && chmod 3777 /var/run/postgresql
COPY native /opt/postgres
COPY postgres.sh /usr/local/bin/
ENV PATH=/opt/postgres/bin:$PATH
VOLUME /var/lib/postgresql
ENTRYPOINT ["/usr/local/bin/postgres.sh"]
