package dev.zarrreactive.interop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrArray;
import dev.zarrreactive.ZarrGroup;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrNode;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.NdArray;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.datatype.JsonType;
import dev.zarrreactive.datatype.ListType;
import dev.zarrreactive.datatype.VariableLengthType;
import dev.zarrreactive.error.UnsupportedFeatureException;
import dev.zarrreactive.extension.NamedConfiguration;
import dev.zarrreactive.json.JsonObject;
import dev.zarrreactive.metadata.Draft;
import dev.zarrreactive.metadata.Drafts;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.ZipStore;
import dev.zarrreactive.testing.Cases;
import dev.zarrreactive.testing.Sampled;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** What other implementations wrote, in whatever format, copied to Zarr v3. */
class CopiedFixturesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final Drafts DRAFTS = Drafts.of(Draft.OF_2022);

  @TempDir static Path directory;

  static List<Fixture> cases() {
    return Cases.everyOther(5, Fixtures.good());
  }

  @Sampled
  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void the_copy_equals_the_source(Fixture fixture) {
    Store store =
        fixture.isDirectory()
            ? fixture.inMemory()
            : await(ZipStore.open(fixture.unpack(directory)).cast(Store.class));
    ZarrHierarchy source = Zarr.hierarchy(store, ZarrOptions.defaults().withDrafts(DRAFTS));
    String path = fixture.text("path");
    List<? extends ZarrNode> nodes = nodes(source, path);

    ZarrHierarchy copy = Zarr.hierarchy(MemoryStore.create());
    if (nodes.stream().anyMatch(CopiedFixturesTest::isOfVersion2Only)) {
      assertThatThrownBy(
              () -> await(ZarrCopy.of(source, copy).from(path).zarrFormat(3).run().then()))
          .isInstanceOf(UnsupportedFeatureException.class)
          .hasMessageContaining("Zarr v3 does not have the data type");
      return;
    }
    await(ZarrCopy.of(source, copy).from(path).zarrFormat(3).run().then());
    check(nodes, path, copy);
    assertThat(await(copy.store().list().map(StoreKey::value).collectList()))
        .noneMatch(key -> key.endsWith(".partial"));

    ZarrHierarchy again = Zarr.hierarchy(MemoryStore.create());
    await(ZarrCopy.of(copy, again).codecs(NamedConfiguration.of("crc32c")).run().then());
    check(nodes, path, again);
  }

  private static boolean isOfVersion2Only(ZarrNode node) {
    return node instanceof ZarrArray array
        && (array.dataType() instanceof ListType || array.dataType() instanceof JsonType);
  }

  private static List<? extends ZarrNode> nodes(ZarrHierarchy source, String path) {
    ZarrNode root = await(source.open(path));
    return root instanceof ZarrGroup group
        ? await(group.tree().startWith(root).collectList())
        : List.of(root);
  }

  private static void check(List<? extends ZarrNode> nodes, String path, ZarrHierarchy copy) {
    int below = path.isEmpty() ? 1 : path.length() + (path.startsWith("/") ? 0 : 1);
    for (ZarrNode node : nodes) {
      String relative =
          node.path().value().substring(Math.min(below, node.path().value().length()));
      ZarrNode copied = await(copy.open(relative));
      assertThat(copied.metadata().zarrFormat()).isEqualTo(3);
      // but for what xarray reads, which XarrayConventionTest looks at
      assertThat(withoutXarrays(copied)).isEqualTo(withoutXarrays(node));
      if (node instanceof ZarrArray array && copied instanceof ZarrArray other) {
        check(array, other);
      }
    }
    ZarrNode root = await(copy.open(""));
    long count = root instanceof ZarrGroup group ? await(group.tree().count()) + 1 : 1;
    assertThat(count).isEqualTo(nodes.size());
  }

  private static JsonObject withoutXarrays(ZarrNode node) {
    return node.attributes().without("_ARRAY_DIMENSIONS").without("_FillValue");
  }

  /** Data types may have other names where elements are the same bytes. */
  private static void check(ZarrArray array, ZarrArray copy) {
    NdArray elements = await(array.read(Selection.all()));
    NdArray copied = await(copy.read(Selection.all()));
    assertThat(copy.shape()).isEqualTo(array.shape());
    if (array.dataType() instanceof VariableLengthType) {
      assertThat(copied).as("%s", array.path()).isEqualTo(elements);
      assertThat(copy.fillValue()).isEqualTo(array.fillValue());
    } else {
      assertThat(copied.bytes()).as("%s", array.path()).isEqualTo(elements.bytes());
      assertThat(copy.fillValue().image()).isEqualTo(array.fillValue().image());
    }
  }

  private static <T> T await(Mono<T> mono) {
    return mono.block(PATIENCE);
  }
}
