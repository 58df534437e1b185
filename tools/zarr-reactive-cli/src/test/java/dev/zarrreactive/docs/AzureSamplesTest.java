package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrLocation;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.azure.AzureStore;
import dev.zarrreactive.azure.Azurite;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.store.StoreOptions;
import dev.zarrreactive.store.file.FileSystemStore;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of docs/azure.md, and its commands, over an emulator. */
class AzureSamplesTest {
  private final Azurite server = Azurite.shared();
  private final String container = server.newPublicContainer();
  private final String account = Azurite.ACCOUNT;
  private final String key = Azurite.KEY;
  private final String endpoint = server.uri().toString();

  private void copy() {
    FileSystemStore files = FileSystemStore.open(CommandRun.EARTH.toAbsolutePath());
    AzureStore store = server.at(container).open();
    files
        .list()
        .concatMap(name -> files.get(name).flatMap(value -> store.set(name, value)))
        .blockLast();
    store.close().block();
  }

  @Test
  void first() {
    copy();
    // docs: azure-first
    ZarrLocation location =
        Zarr.at("az://" + container + "/earth/lat")
            .withStoreOptions(
                StoreOptions.none()
                    .with("account", account)
                    .with("anonymous", "true") // public data
                    .with("endpoint", endpoint)); // not for Azure's
    Mono<NdArray> lat = location.openArray().flatMap(array -> array.read("::60"));
    // docs: end
    assertThat(lat.block().toDoubleArray()).startsWith(89.75, 59.75).hasSize(6);
  }

  @Test
  void settings() {
    copy();
    // docs: azure-settings
    AzureStore store =
        AzureStore.at(account, container)
            .prefix("earth")
            .endpoint(URI.create(endpoint)) // where it is not Azure's
            .accountKey(key) // or sasToken, connectionString, bearerToken, credentials, anonymous
            .connections(32)
            .stallTimeout(Duration.ofSeconds(10)) // without a byte sent or received
            .open();
    // docs: end
    assertThat(store.get(StoreKey.of("lat/zarr.json")).block()).isNotNull();
    store.close().block();
  }

  @Test
  void the_command_reads_and_lists() {
    copy();
    String location = "az://" + container;
    CommandRun tree = run("tree", location, "--anonymous");
    assertThat(tree.exitCode()).as(tree.err()).isZero();
    assertThat(tree.out()).contains("lat");
    CommandRun ls = run("ls", location + "/earth", "--anonymous");
    assertThat(ls.out()).as(ls.err()).contains("lat").contains("lon");
    CommandRun read = run("read", location + "/earth/lat", "--select", "::120", "--anonymous");
    assertThat(read.out()).as(read.err()).contains("[ 89.75  29.75 -30.25]");
  }

  @Test
  void the_command_says_what_helps_where_access_is_denied_and_takes_no_key_as_an_option() {
    CommandRun refused = run("info", "az://" + server.newContainer() + "/lat");
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("access denied").contains("AZURE_STORAGE_ACCOUNT");
    CommandRun key = run("info", "az://" + container, "--store-option", "account-key=" + this.key);
    assertThat(key.exitCode()).isEqualTo(2);
    assertThat(key.err()).contains("takes no credentials").doesNotContain(this.key);
  }

  private CommandRun run(String command, String location, String... more) {
    List<String> all = new ArrayList<>(List.of(command, location));
    all.addAll(List.of("--endpoint", endpoint, "--store-option", "account=" + account));
    all.addAll(List.of(more));
    return CommandRun.zarr(all.toArray(String[]::new));
  }
}
