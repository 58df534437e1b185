package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.credentials.CredentialSources;
import dev.zarrreactive.faults.server.Fault;
import dev.zarrreactive.faults.server.FaultyServer;
import dev.zarrreactive.faults.server.ServerResponse;
import dev.zarrreactive.http.HttpStore;
import dev.zarrreactive.s3.S3Store;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.credential.Credential;
import dev.zarrreactive.store.credential.CredentialSource;
import dev.zarrreactive.store.credential.ExpiringCredential;
import dev.zarrreactive.store.file.FileSystemStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** The samples of docs/credentials.md. */
class CredentialsSamplesTest {
  @TempDir Path directory;
  private final FaultyServer server = FaultyServer.of(FileSystemStore.open(CommandRun.EARTH));
  private final URI base = server.uri();

  @AfterEach
  void close() {
    server.close();
  }

  private void accept(String authorization) {
    server.misbehave(
        Fault.status(401, null)
            .where(asked -> !authorization.equals(asked.header("authorization"))));
  }

  @Test
  void by_name() throws IOException {
    String file = Files.writeString(directory.resolve("token"), "fresh\n").toString();
    String url = base + "/earth/lat"; // https://data.example/earth.zarr/earth/lat
    accept("Bearer fresh");
    // docs: credentials-by-name
    StoreOptions options =
        StoreOptions.none().with("credentials", "file").with("credentials.path", file);
    Mono<ZarrArray> lat = Zarr.at(url).withStoreOptions(options).openArray();
    // docs: end
    assertThat(lat.block().shape()).hasToString("[360]");
  }

  /** A service of a program that gives out tokens. */
  private record Vault(int lookUps) {
    Mono<Token> token() {
      return Mono.just(new Token("fresh", Instant.now().plusSeconds(60)));
    }
  }

  private record Token(String text, Instant expiry) {}

  @Test
  void own_source() {
    String url = base + "/earth/lat";
    accept("Bearer fresh");
    Vault vault = new Vault(0);
    // docs: credentials-own-source
    CredentialSource tokens =
        CredentialSource.of(
            "our vault",
            vault
                .token() // a Mono: one subscription is one look-up
                .map(
                    token ->
                        ExpiringCredential.until(token.expiry(), Credential.bearer(token.text()))));
    Mono<ZarrArray> lat =
        Zarr.at(url).withStoreOptions(StoreOptions.none().with(tokens)).openArray();
    // docs: end
    assertThat(lat.block().shape()).hasToString("[360]");
  }

  @Test
  void builders() {
    try (FaultyServer any =
        FaultyServer.of(asked -> Mono.just(ServerResponse.of(404, Bytes.EMPTY)))) {
      URI service = any.uri();
      // docs: credentials-builders
      Store daymet =
          HttpStore.at(URI.create("https://daymeteuwest.blob.core.windows.net/daymet-zarr/daily"))
              .credentials(CredentialSources.planetaryComputer("daymeteuwest", "daymet-zarr"))
              .open();
      Store sst =
          S3Store.at("podaac-ops-cumulus-protected")
              .region("us-west-2")
              .credentials(CredentialSources.earthdataKeys(service)) // https://.../s3credentials
              .open();
      // docs: end
      assertThat(daymet.toString()).contains("daymet-zarr");
      assertThat(sst.toString()).contains("podaac");
      daymet.close().block();
      sst.close().block();
    }
  }

  @Test
  void the_command_takes_a_source() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), "fresh\n");
    accept("Bearer fresh");
    CommandRun run =
        CommandRun.zarr("info", base + "/earth/lat", "--credentials", "file;path=" + file);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
  }
}
