package dev.zarrreactive.internal.hierarchy;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.Bytes;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.error.RangeOutOfBoundsException;
import dev.zarrreactive.error.ZarrException;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.internal.location.Pipeline;
import dev.zarrreactive.internal.store.Adapters;
import dev.zarrreactive.internal.text.ForeignFile;
import dev.zarrreactive.metadata.NodePath;
import dev.zarrreactive.store.Store;
import dev.zarrreactive.store.StoreAdapter;
import dev.zarrreactive.store.StoreAdapter.Segment;
import dev.zarrreactive.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Recognises what people hand over in place of a node, for the error: files of other formats, and
 * directories of other programs. Callers ask it after a look-up has found no node: to open a node
 * takes no request more.
 */
public final class ForeignContent {
  private static final long LARGEST = 1 << 20;

  /**
   * A key below the root of something else.
   *
   * @param proof whether the value proves it
   */
  private record Sign(
      String key, ByteRange range, Predicate<String> proof, ForeignDirectory directory) {}

  /**
   * What a directory is.
   *
   * @param sentence for an error: what it is, and what helps
   * @param adapter the scheme of the adapter that opens it; null where there is none
   */
  public record ForeignDirectory(String sentence, @Nullable String adapter) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign(
              "repo",
              new ByteRange.Slice(0, 12),
              text -> text.startsWith("ICE\360\237\247\212CHUNK"),
              new ForeignDirectory(
                  "this is an Icechunk repository; " + ForeignFile.Help.ICECHUNK, "icechunk")),
          new Sign(
              "refs/branch.main/ref.json",
              ByteRange.whole(LARGEST),
              text -> text.contains("\"snapshot\""),
              new ForeignDirectory(
                  "this is an Icechunk repository (version 1); " + ForeignFile.Help.ICECHUNK,
                  "icechunk")),
          new Sign(
              NodePath.V2_CONSOLIDATED,
              ByteRange.whole(LARGEST),
              text -> text.contains("\"record_size\""),
              new ForeignDirectory(
                  "these are kerchunk references in Parquet; " + ForeignFile.Help.REFERENCES,
                  "kerchunk")),
          new Sign(
              "attributes.json",
              ByteRange.whole(LARGEST),
              text ->
                  text.contains("\"n5\"")
                      || (text.contains("\"dimensions\"") && text.contains("\"blockSize\"")),
              new ForeignDirectory(
                  "this is a container of N5; convert it, for example with n5-zarr or zarr-python"
                      + " 2",
                  null)));

  /** What was opened by its content, which has the kind. */
  public record Recognised(Store store, ForeignFile kind) {}

  private ForeignContent() {}

  /**
   * Emits what is in the directory of {@code path}; empty where it is unknown. Asks for a few keys
   * at once, and errors count as missing.
   */
  public static Mono<ForeignDirectory> inDirectory(Store store, NodePath path) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(SIGNS),
            SIGNS.size(),
            sign ->
                store
                    .get(path.key(sign.key()), sign.range())
                    .onErrorResume(ZarrException.class, e -> Mono.empty())
                    .filter(value -> sign.proof().test(text(value)))
                    .map(value -> sign.directory()))
        .next();
  }

  /**
   * Emits the kind of a file; empty where it is unknown, missing or cannot be read, and for a page
   * of HTML, as servers show directories.
   */
  private static Mono<ForeignFile> ofFile(Store store, StoreKey file) {
    return store
        .get(file, new ByteRange.Slice(0, ForeignFile.START))
        .onErrorResume(
            RangeOutOfBoundsException.class,
            e -> store.get(file, ByteRange.whole(ForeignFile.START)))
        .onErrorResume(ZarrException.class, e -> Mono.empty())
        .mapNotNull(start -> ForeignFile.of(start.toByteArray()))
        .filter(kind -> kind != ForeignFile.HTML);
  }

  /**
   * Opens what lies at a key in place of a node, if an adapter on the class path opens it. Fails
   * for another kind of file that is known; empty for anything else. Unless a store is emitted,
   * {@code above} is closed.
   *
   * @param options of which the adapter gets its own
   * @param refusal makes the error for a kind of file
   */
  public static Mono<Recognised> open(
      Store above, StoreKey file, StoreOptions options, Function<ForeignFile, Throwable> refusal) {
    return ofFile(above, file)
        .flatMap(
            kind ->
                adapterOf(kind.adapter())
                    .flatMap(adapter -> Pipeline.openFile(adapter, above, file, options))
                    .map(store -> new Recognised(store, kind))
                    .switchIfEmpty(Mono.error(() -> refusal.apply(kind))))
        .onErrorResume(e -> above.close().then(Mono.error(e)))
        .switchIfEmpty(Mono.defer(() -> above.close().then(Mono.empty())));
  }

  /** Emits the pipeline that opens a directory; empty where no adapter on the class path does. */
  public static Mono<Pipeline> pipeline(String location, ForeignDirectory found) {
    return adapterOf(found.adapter())
        .map(adapter -> Pipeline.parse(location).with(new Segment(adapter.scheme(), "", null)));
  }

  /** Emits the adapter of a scheme; empty where none is on the class path. */
  private static Mono<StoreAdapter> adapterOf(@Nullable String scheme) {
    return scheme == null ? Mono.empty() : Adapters.findIfThere(scheme);
  }

  private static String text(Bytes value) {
    return new String(value.toByteArray(), StandardCharsets.ISO_8859_1);
  }
}
