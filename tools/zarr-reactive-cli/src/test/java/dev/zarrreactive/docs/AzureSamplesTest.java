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
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** The samples of docs/azure.md, and its commands, over an emulator. */
class AzureSamplesTest {
  private final Azurite server = Azurite.shared();
  private final String container = server.newPublicContainer();
  private final String account = server.account();
  private final String key = server.key();
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
  void the_command_reads_lists_writes_and_cleans() {
    copy();
    String[] reach = {
      "--endpoint", endpoint, "--store-option", "account=" + account, "--store-option",
      "account-key=" + key
    };
    String location = "az://" + container;
    CommandRun tree = run(reach, "tree", location);
    assertThat(tree.exitCode()).as(tree.err()).isZero();
    assertThat(tree.out()).contains("lat");
    CommandRun anonymous =
        CommandRun.zarr(
            "ls",
            location + "/earth",
            "--anonymous",
            "--endpoint",
            endpoint,
            "--store-option",
            "account=" + account);
    assertThat(anonymous.out()).as(anonymous.err()).contains("lat").contains("lon");
    String copied = "az://" + server.newContainer() + "/lat.zarr";
    CommandRun copy = run(reach, "copy", location + "/earth/lat", copied, "--quiet");
    assertThat(copy.exitCode()).as(copy.err()).isZero();
    CommandRun read = run(reach, "read", copied, "--select", "::120");
    assertThat(read.out()).contains("[ 89.75  29.75 -30.25]");
    CommandRun clean = run(reach, "clean", copied);
    assertThat(clean.exitCode()).as(clean.err()).isZero();
    CommandRun refused =
        CommandRun.zarr(
            "info", copied, "--endpoint", endpoint, "--store-option", "account=" + account);
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("access denied").contains("AZURE_STORAGE_ACCOUNT");
    assertThat(tree.out() + tree.err() + refused.err()).doesNotContain(key);
  }

  private static CommandRun run(String[] reach, String... arguments) {
    String[] all = java.util.Arrays.copyOf(arguments, arguments.length + reach.length);
    System.arraycopy(reach, 0, all, arguments.length, reach.length);
    return CommandRun.zarr(all);
  }
}
