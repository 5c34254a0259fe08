# Only the binary, as an unprivileged user, on a read-only root file system:
#   docker build --build-arg VERSION=$(git describe --tags --always --dirty) --build-arg COMMIT=$(git rev-parse HEAD) -t petsupply .
# With a configuration that user 65532 may read (chmod 644; put keys of nodes into the environment):
#   docker run --read-only -v ./petsupply.yaml:/etc/petsupply/petsupply.yaml:ro -v petsupply:/data -p 8080:8080 petsupply
# and without a configuration, on the invented kingdom:
#   docker run --read-only -p 8080:8080 petsupply serve --demo --listen :8080 --data /data
FROM golang:1.26-bookworm AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=dev
ARG COMMIT=
ARG DATE=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X main.version=${VERSION} -X main.commit=${COMMIT} -X main.date=${DATE}" -o /petsupply ./cmd/petsupply \
    && install -d -o 65532 -g 65532 -m 0700 /empty

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /petsupply /petsupply
COPY --from=build --chown=65532:65532 /empty /data
USER 65532:65532
VOLUME ["/data"]
EXPOSE 8080
HEALTHCHECK --start-period=30s CMD ["/petsupply", "health"]
ENTRYPOINT ["/petsupply"]
CMD ["serve", "--config", "/etc/petsupply/petsupply.yaml", "--data", "/data"]
