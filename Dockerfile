# Thresher in a container: one image for every role, which the command chooses.
#   docker build -t thresher:0.1.0 .
#   docker run thresher:0.1.0 worker run | serve --host 0.0.0.0 | watch
# BASE is any Debian 12 or newer. Wheels in dist/ (scripts/wheels) are used where there are any; else the first stage
# compiles. The last stage has no compiler, runs as user 10001, and needs no writable root: only /data and /tmp.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
ARG EXTRAS=chinese,mysql,opensearch,postgresql,redis,stemming
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
COPY pyproject.toml dist* /wheels/
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 python3-venv \
    && { ls /wheels/*.whl 2>/dev/null || apt-get install -y --no-install-recommends python3-dev gcc libc6-dev; } \
    && rm -rf /var/lib/apt/lists/*
COPY pyproject.toml hatch_build.py README.md LICENSE /source/
COPY scripts/compile /source/scripts/compile
COPY src /source/src
RUN python3 -m venv /opt/thresher \
    && { ls /wheels/*.whl 2>/dev/null || /opt/thresher/bin/pip wheel --no-deps -w /wheels /source; } \
    && /opt/thresher/bin/pip install "$(ls /wheels/*.whl)[${EXTRAS}]" \
    && /opt/thresher/bin/pip uninstall -y pip setuptools \
    && { python3 -m compileall -q /opt/thresher/lib || true; }
RUN /opt/thresher/bin/thresher version

FROM ${BASE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && groupadd --gid 10001 thresher \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /data --shell /usr/sbin/nologin thresher \
    && mkdir -p /data/logs && chown -R 10001:10001 /data
COPY --from=build /opt/thresher /opt/thresher
ENV PATH=/opt/thresher/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TMPDIR=/tmp \
    THRESHER_DATA=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
ENTRYPOINT ["thresher"]
CMD ["worker", "run", "--progress", "none"]
