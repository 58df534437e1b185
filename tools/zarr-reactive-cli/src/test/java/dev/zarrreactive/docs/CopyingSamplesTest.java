package dev.zarrreactive.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.zarrreactive.Zarr;
import dev.zarrreactive.ZarrHierarchy;
import dev.zarrreactive.ZarrOptions;
import dev.zarrreactive.array.Shape;
import dev.zarrreactive.array.selection.Selection;
import dev.zarrreactive.cli.CommandRun;
import dev.zarrreactive.codec.Codecs;
import dev.zarrreactive.copy.CopyOutline;
import dev.zarrreactive.copy.CopyProgress;
import dev.zarrreactive.copy.IfExists;
import dev.zarrreactive.copy.ZarrCopy;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.file.FileSystemStore;
import dev.zarrreactive.store.memory.MemoryStore;
import dev.zarrreactive.store.zip.NewZipStore;
import dev.zarrreactive.store.zip.ZipStore;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The samples of docs/copying.md. */
class CopyingSamplesTest {
  @TempDir Path directory;

  private final Store source = FileSystemStore.open(CommandRun.EARTH);
  private final Store target = MemoryStore.create();

  private void check(Store copy, String path) {
    assertThat(Zarr.hierarchy(copy).openArray(path).flatMap(a -> a.read(Selection.all())).block())
        .isEqualTo(
            Zarr.hierarchy(source)
                .openArray("earth/relief")
                .flatMap(a -> a.read(Selection.all()))
                .block());
  }

  @Test
  void from_location_to_location() {
    String source = CommandRun.EARTH.toString();
    String target = directory.resolve("copy.zarr").toString();
    // docs: copy-locations
    Flux<CopyProgress> progress = ZarrCopy.of(Zarr.at(source), Zarr.at(target)).zarrFormat(3).run();
    // docs: end
    assertThat(progress.blockLast().share()).isOne();
    check(FileSystemStore.open(directory.resolve("copy.zarr")), "earth/relief");
  }

  @Test
  void a_whole_hierarchy() {
    // docs: copy-all
    Flux<CopyProgress> progress =
        ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target)).zarrFormat(3).run();
    // docs: end
    assertThat(progress.blockLast().share()).isOne();
    check(target, "earth/relief");
  }

  @Test
  void otherwise_divided_and_encoded() {
    // docs: copy-changes
    ZarrCopy copy =
        ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target))
            .from("earth/relief") // only this array; of a group, everything below it
            .to("relief/sharded")
            .chunkShape(90, 90)
            .shardShape(360, 360)
            .codecs(Codecs.zstd(9));
    // docs: end
    copy.run().blockLast();
    check(target, "relief/sharded");
    assertThat(
            Zarr.hierarchy(target)
                .openArray("relief/sharded")
                .block()
                .chunkGrid()
                .largestChunkShape())
        .isEqualTo(Shape.of(360, 360));
  }

  @Test
  void only_a_part() {
    // docs: copy-part
    ZarrCopy nodes =
        ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target))
            .include("earth/l*") // below it everything, and the groups above
            .exclude("**/lon");
    ZarrCopy elements =
        ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target))
            .from("earth/relief")
            .to("relief")
            .select(Selection.parse("0:180:2"));
    Mono<CopyOutline> outline = nodes.outline(); // a dry run
    // docs: end
    assertThat(outline.block().nodes().stream().map(node -> node.path().value()))
        .containsExactly("/", "/earth", "/earth/lat");
    elements.run().blockLast();
    assertThat(Zarr.hierarchy(target).openArray("relief").block().shape())
        .isEqualTo(Shape.of(90, 720));
  }

  @Test
  void resumed() {
    ZarrCopy first = ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target));
    first.run().take(3).blockLast();
    // docs: copy-resume
    Flux<CopyProgress> progress =
        ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(target)).ifExists(IfExists.RESUME).run();
    // docs: end
    progress.blockLast();
    check(target, "earth/relief");
  }

  @Test
  void into_an_archive_with_little_memory() {
    Path file = directory.resolve("earth.zip");
    // docs: copy-zip
    ZarrOptions options = ZarrOptions.defaults().withMaxInFlightBytes(32 << 20);
    Mono<CopyProgress> copied =
        Mono.usingWhen(
            Mono.fromSupplier(() -> ZipStore.create(file)),
            zip -> ZarrCopy.of(Zarr.hierarchy(source), Zarr.hierarchy(zip, options)).run().last(),
            NewZipStore::close,
            (zip, error) -> zip.discard(),
            NewZipStore::discard);
    // docs: end
    copied.block();
    ZarrHierarchy archive = Zarr.hierarchy(ZipStore.open(file).block());
    check(archive.store(), "earth/relief");
  }
}
