# Stand-ins for the official images of Redis, PostgreSQL and OpenSearch, from one Debian base, for trials where nothing
# can be pulled. They take the words, users, folders and variables that deploy/compose.yaml gives to the official ones.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS redis
RUN apt-get update && apt-get install -y --no-install-recommends redis-server && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /data && chown 999:999 /data
VOLUME /data
WORKDIR /data

FROM ${BASE} AS postgresql
RUN apt-get update && apt-get install -y --no-install-recommends postgresql && rm -rf /var/lib/apt/lists/* \
    && mkdir -p /var/lib/postgresql/data && chown postgres:postgres /var/lib/postgresql/data
ENV PATH=/usr/lib/postgresql/15/bin:$PATH PGDATA=/var/lib/postgresql/data
COPY start-postgresql /usr/local/bin/
USER postgres
VOLUME /var/lib/postgresql/data
STOPSIGNAL SIGINT
ENTRYPOINT ["start-postgresql"]

FROM ${BASE} AS opensearch
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless curl && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 1000 opensearch && mkdir -p /usr/share/opensearch/data && chown -R opensearch /usr/share/opensearch
COPY opensearch /opt/opensearch
USER opensearch
VOLUME /usr/share/opensearch/data
WORKDIR /usr/share/opensearch
CMD ["sh", "-c", "exec java $OPENSEARCH_JAVA_OPTS -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/opt/opensearch/classes:/opt/opensearch/jars/*' Node data/node 9200 9300"]
