# The command in a container, as a user without rights; nothing is downloaded when it runs.
#
#   docker build --tag distinctly .
#   docker run --rm --network none --volume "$PWD:/data" --user "$(id -u):$(id -g)" distinctly measure outputs.txt
#
# With extras, such as the server: docker build --build-arg EXTRAS='[web]' --tag distinctly .

FROM python:3.12-slim AS build
ARG EXTRAS=""
WORKDIR /source
COPY pyproject.toml README.md LICENSE ./
COPY src src
RUN python -m venv /opt/distinctly \
    && /opt/distinctly/bin/pip install --no-cache-dir ".${EXTRAS}"

FROM python:3.12-slim
COPY --from=build /opt/distinctly /opt/distinctly
RUN useradd --create-home --uid 1000 distinctly
# The cache of vectors would end with the container. Compiled loops are kept where every user can write.
ENV PATH="/opt/distinctly/bin:$PATH" \
    PYTHONDONTWRITEBYTECODE=1 \
    DISTINCTLY_CACHE_LIMIT=0 \
    HF_HUB_OFFLINE=1 \
    NUMBA_CACHE_DIR=/tmp/numba
USER 1000:1000
WORKDIR /data
ENTRYPOINT ["distinctly"]
CMD ["--help"]
