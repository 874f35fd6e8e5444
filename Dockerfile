# clausefit with all that it needs: Frama-C, Why3, z3, cvc4 (C); a Java runtime and KeY (Java); gcc, gdb, git.
#
#   docker build -t clausefit .
#   docker run --rm --network none -v "$PWD":/src -w /src --user "$(id -u):$(id -g)" clausefit check --all
#
# It runs as any user, with any HOME and without a network: what it needs is in /opt/clausefit and belongs to root, what
# it writes goes to /tmp (verdicts to /tmp/cache/clausefit: mount a folder there to keep them).
#
# OpenJML is in no package registry. To have it in the image, name an archive (zip or tar) and its checksum:
#
#   docker build --build-arg OPENJML_URL=https://github.com/OpenJML/OpenJML/releases/download/VERSION/NAME.zip \
#                --build-arg OPENJML_SHA256=… -t clausefit .
#
# For the same base each time, name it by its digest: --build-arg BASE=debian:bookworm-slim@sha256:…

ARG BASE=debian:bookworm-slim

# Frama-C, Why3 and git: their packages bring GTK, OCaml and Perl along (1.5 GB), for window programs, for writers of
# plugins, for sending mail. What is opened when they judge and compare is copied by name to /out.
FROM ${BASE} AS prover
# Versions are those of the Debian release that BASE names.
# hadolint ignore=DL3008
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends frama-c-base why3 z3 cvc4 git
RUN mkdir -p /out/opt/clausefit \
 && WHY3CONFIG=/out/opt/clausefit/why3.conf why3 config detect \
 && grep -q '"Z3"' /out/opt/clausefit/why3.conf \
 && grep -q '"CVC4"' /out/opt/clausefit/why3.conf
WORKDIR /usr/lib
# Frama-C finds what a plugin builds on by files called META, and loads those that it was not linked with. Of
# ocamloptcomp.cma it only looks whether it is there (6.5 MB). The workspace belongs to another user than the one in the
# container, and git would refuse it.
RUN find "$PWD/ocaml" -name META > /tmp/names \
 && find "$PWD/frama-c/plugins" -name 'META.*' >> /tmp/names \
 && find "$PWD/frama-c/plugins/top" "$PWD/ocaml/why3/commands" -name '*.cmxs' -not -name why3ide.cmxs >> /tmp/names \
 && printf '%s\n' \
      /etc/ocamlfind.conf \
      /usr/bin/frama-c \
      /usr/lib/frama-c/META.frama-c \
      /usr/share/frama-c/compliance \
      /usr/share/frama-c/libc \
      /usr/share/frama-c/wp \
      /usr/share/doc/frama-c-base/copyright \
      /usr/lib/ocaml/menhirLib/menhirLib.cmxs \
      /usr/lib/ocaml/nums.cmxs \
      /usr/lib/ocaml/why3/why3.cmxs \
      /usr/lib/ocaml/zarith/zarith_top.cma \
      /usr/lib/ocaml/zip/zip.cmxs \
      /usr/bin/why3 \
      /usr/lib/ocaml/why3/why3cpulimit \
      /usr/lib/ocaml/why3/why3server \
      /usr/share/why3/drivers \
      /usr/share/why3/provers-detection-data.conf \
      /usr/share/why3/stdlib \
      /usr/share/doc/why3/copyright \
      /usr/bin/git \
      /usr/lib/git-core/git \
      /usr/lib/git-core/git-remote-http \
      /usr/lib/git-core/git-remote-https \
      /usr/share/git-core/templates \
      /usr/share/doc/git/copyright \
      >> /tmp/names \
 && tar -c -P -T /tmp/names -f /tmp/files.tar \
 && tar -x -C /out -f /tmp/files.tar \
 && mkdir -p /out/usr/lib/ocaml/compiler-libs \
 && touch /out/usr/lib/ocaml/compiler-libs/ocamloptcomp.cma \
 && printf '[safe]\n\tdirectory = *\n' > /out/etc/gitconfig

# Java cut down to what KeY needs, KeY with its driver compiled, clausefit itself.
FROM ${BASE} AS build
# hadolint ignore=DL3008
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates maven openjdk-17-jdk-headless python3-venv
RUN jlink --add-modules java.desktop,java.management,java.rmi,java.scripting,jdk.unsupported,jdk.zipfs \
    --strip-java-debug-attributes --no-header-files --no-man-pages --compress=2 --output /opt/clausefit/java \
 && /opt/clausefit/java/bin/java -Xshare:dump
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY ci ci
COPY hook hook
COPY verifiers verifiers
RUN python3 -m venv /opt/clausefit/venv \
 && /opt/clausefit/venv/bin/pip install --no-cache-dir '.[github]' \
 && /opt/clausefit/venv/bin/pip uninstall -y setuptools pip
# Maven needs the whole JDK. The archive of classes fits one Java and these paths only, so it is made anew by the other.
RUN printf '%s\n' \
      'from pathlib import Path' \
      'from clausefit.verifiers import key_tools' \
      'assert key_tools.install(cache=Path("/opt/clausefit")).archive' > install.py \
 && /opt/clausefit/venv/bin/python install.py \
 && rm -r /opt/clausefit/key/archive-* \
 && PATH=/opt/clausefit/java/bin:$PATH /opt/clausefit/venv/bin/python install.py \
 && rm -r /opt/clausefit/key/home \
 && chmod -R a+rX,go-w /opt/clausefit

# OpenJML where somebody names it. The folder is there without it as well, so that PATH may name it.
FROM ${BASE} AS openjml
# hadolint ignore=DL3008
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends ca-certificates curl libarchive-tools
ARG OPENJML_URL=
ARG OPENJML_SHA256=
RUN mkdir -p /opt/clausefit/openjml \
 && if [ -n "$OPENJML_URL" ]; then \
      printf '%s  /tmp/openjml\n' "${OPENJML_SHA256:?is missing: the checksum of OPENJML_URL}" > /tmp/openjml.sha256 \
      && curl -fsSL --retry 3 -o /tmp/openjml "$OPENJML_URL" \
      && sha256sum --strict -c /tmp/openjml.sha256 \
      && bsdtar -x --no-same-owner -C /opt/clausefit/openjml -f /tmp/openjml \
      && test -x /opt/clausefit/openjml/openjml \
      && chmod -R a+rX,go-w /opt/clausefit/openjml; \
    fi

FROM ${BASE}
# Left out of what apt installs: manuals, translations; of gcc what only -flto and the sanitizers need (90 MB). To have
# that in an image of your own, remove /etc/dpkg/dpkg.cfg.d/clausefit and install gcc-12 with --reinstall.
# The libraries named beside the programs are those of git and Frama-C, which come from the stage above.
# hadolint ignore=DL3008
RUN printf '%s\n' \
      path-exclude='/usr/share/doc/*' path-include='/usr/share/doc/*/copyright' path-exclude='/usr/share/man/*' \
      path-exclude='/usr/share/info/*' path-exclude='/usr/share/lintian/*' path-exclude='/usr/share/locale/*' \
      path-exclude='/usr/lib/gcc/*/lto1' path-exclude='/usr/lib/gcc/*/lto-wrapper' path-exclude='/usr/bin/*lto-dump*' \
      path-exclude='/usr/bin/*gcov*' path-exclude='/usr/lib/gcc/*san.a' path-exclude='/usr/lib/*/lib*san.so.*' \
      > /etc/dpkg/dpkg.cfg.d/clausefit \
 && apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
    ca-certificates cvc4 gcc gdb libc6-dev python3 z3 \
    libcurl3-gnutls libexpat1 libgmp10 libpcre2-8-0 zlib1g \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/* /var/cache/ldconfig/* /var/log/* \
      /var/lib/dpkg/*-old \
 && ln -s /opt/clausefit/venv/bin/clausefit /opt/clausefit/java/bin/java /usr/local/bin/
COPY --from=prover /out /
COPY --from=build /opt/clausefit /opt/clausefit
COPY --from=openjml /opt/clausefit/openjml /opt/clausefit/openjml
ENV CLAUSEFIT_KEY=/opt/clausefit/key \
    LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/clausefit/openjml \
    WHY3CONFIG=/opt/clausefit/why3.conf \
    XDG_CACHE_HOME=/tmp/cache
# No USER: GitHub's runner mounts folders of root's, and asks that actions run as root. Elsewhere: --user.
WORKDIR /src
ENTRYPOINT ["clausefit"]
CMD ["--help"]
