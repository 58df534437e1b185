package dev.zarrreactive.cli.support;

import dev.zarrreactive.base.ByteRange;
import dev.zarrreactive.base.StoreKey;
import dev.zarrreactive.cli.console.Printable;
import dev.zarrreactive.cli.console.Quantities;
import dev.zarrreactive.internal.flow.Concurrently;
import dev.zarrreactive.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The metadata documents of one node, as they are stored, without what looks like a secret. */
final class StoredDocuments {
  private static final List<String> NAMES =
      List.of("zarr.json", ".zarray", ".zgroup", ".zattrs", ".zmetadata");

  /** The most bytes that are read of a document. */
  private static final int MOST_READ = 1 << 20;

  /** The most characters of a document that are printed. */
  static final int MOST_PRINTED = 16 << 10;

  private StoredDocuments() {}

  /** Emits the documents with a line above each; a failed read is a line, too. */
  static Mono<String> of(Store store, String node) {
    return Concurrently.mapInOrder(
            Flux.fromIterable(NAMES), NAMES.size(), name -> document(store, node, name))
        .collectList()
        .map(documents -> String.join("", documents));
  }

  private static Mono<String> document(Store store, String node, String name) {
    StoreKey key = StoreKey.of(node.isEmpty() ? name : node + "/" + name);
    return store
        .get(key, ByteRange.whole(MOST_READ))
        .map(
            bytes ->
                text(key, bytes.size(), new String(bytes.toByteArray(), StandardCharsets.UTF_8)))
        .onErrorResume(
            Exception.class,
            error ->
                Mono.just(
                    "\n" + Printable.of(key.value() + ": " + SupportReport.message(error)) + "\n"));
  }

  private static String text(StoreKey key, long size, String document) {
    String shown = Redaction.of(document);
    boolean isCut = shown.length() > MOST_PRINTED;
    String head = isCut ? shown.substring(0, MOST_PRINTED) : shown;
    return "\n"
        + Printable.of(key.value())
        + ", "
        + Quantities.plural(size, "byte")
        + (isCut ? ", cut after " + Quantities.plural(MOST_PRINTED, "character") : "")
        + "\n"
        + Printable.lines(head.stripTrailing())
        + "\n";
  }
}
